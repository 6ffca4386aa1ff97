import { chargeResponse } from './commands.ts';
import type { Origin, State } from './state.ts';

export const ERASED = ', payer erased';

/** Everything of a seller that the API shows, in terms of the model. */
export interface ObservableState {
  readonly wallets: Readonly<Record<Origin, readonly [available: number, blocked: number]>>;
  readonly charges: Readonly<Record<string, string>>;
  readonly disputes: Readonly<Record<string, string>>;
  readonly withdrawals: Readonly<Record<string, string>>;
  /** Payments that go back to the payer. */
  readonly returned: Readonly<Record<string, readonly number[]>>;
  readonly booked: Readonly<Record<string, number>>;
}

const each = <T>(records: Readonly<Record<string, T>>, show: (record: T) => string) =>
  Object.fromEntries(Object.entries(records).map(([name, record]) => [name, show(record)]));

/** What the API should show for a state of the model. */
export function observableState(state: State): ObservableState {
  const wallet = (origin: Origin): readonly [number, number] => {
    const { available, retained, disputed, reserved } = state.wallets[origin];
    return [available, retained + disputed + reserved];
  };
  return {
    wallets: { PIX: wallet('PIX'), BOLETO: wallet('BOLETO'), CARD: wallet('CARD') },
    charges: each(
      state.charges,
      ({ status, amount, fee, refunded, isPayerErased }) =>
        chargeResponse(status, amount, fee, refunded) + (isPayerErased ? ERASED : ''),
    ),
    disputes: each(state.disputes, ({ status }) => status),
    withdrawals: each(state.withdrawals, ({ status }) => status),
    returned: Object.fromEntries(
      Object.entries(state.charges)
        .filter(([, { returned }]) => returned.length > 0)
        .map(([name, { returned }]) => [name, returned]),
    ),
    booked: state.booked,
  };
}
