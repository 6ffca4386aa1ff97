import { createReturning, type ReturningDeps } from './return-import.ts';
import { createShipping, type ShippingDeps } from './shipment-export.ts';

export { cnabPayouts } from './orders.ts';
export type { TakenReturn } from './return-import.ts';

export type CnabService = ReturnType<typeof createCnabService>;

/** The exchange of files with a bank: what is sent, and what comes back. */
export function createCnabService(deps: ShippingDeps & ReturningDeps) {
  return { ...createShipping(deps), ...createReturning(deps) };
}
