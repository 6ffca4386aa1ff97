import { createReturnImport, type ReturnImportDeps } from './return-import.ts';
import { createShipmentExport, type ShipmentExportDeps } from './shipment-export.ts';

export { createCnabPayoutProvider } from './payout-provider.ts';
export type { ImportedReturn } from './return-import.ts';

export type CnabService = ReturnType<typeof createCnabService>;

/** The exchange of files with a bank: what is sent, and what comes back. */
export function createCnabService(deps: ShipmentExportDeps & ReturnImportDeps) {
  return { ...createShipmentExport(deps), ...createReturnImport(deps) };
}
