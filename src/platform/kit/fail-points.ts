/**
 * Places between the steps of an operation at which tests kill the process, to prove that the next
 * process recovers. Each text says what has happened by then. `test/faults/fail-points.test.ts`
 * covers all of them.
 */
export const FAIL_POINTS = {
  'demo.written': 'demo.json is on disk, and its seller and users are not in the database yet',
  'transactions.committed': 'a charge and its key are committed, and nobody has been answered',
  'transaction-events.committed': 'what happened to a charge is committed, and nobody has been told',
  'card-transactions.committed':
    "a card charge, its key and the sandbox's verdict are committed, and nobody has been answered",
  'provider-operations.committed':
    'a charge and the order for a provider are committed, and nobody has been called',
  'provider-operations.called': 'a provider has answered to an order, and nothing of the answer is written',
  'provider-operations.recorded': 'the outcome of an order is committed, and nobody has been answered',
  'provider-events.saved':
    'money that is not wanted and its return are committed, and who told of it has no answer',
  'captures.created': 'a capture is ordered, and its provider has not been called',
  'cancellations.created': 'a charge has been cancelled or voided, and its provider has not been called',
  'refunds.committed':
    'a refund is committed, with its order where a provider has the money, and nobody has been answered',
  'provider-operations.completed':
    "a provider's last word on an order is committed, and who brought it has not gone on",
  'operation-sweep.leased': 'orders are leased, and their provider has not been called',
  'operation-sweep.called': 'a provider has answered to an order of the sweep, and nothing of it is written',
  'operation-sweep.recorded': 'what came of an order of the sweep is committed',
  'withdrawals.committed': 'a withdrawal and its key are committed, and nobody has been answered',
  'withdrawals.changed': 'what happened to a withdrawal is committed, and nobody has been told',
  'payouts.created': 'a payout is committed, and its provider has not been called',
  'payouts.leased': 'payouts are leased, and their provider has not been called',
  'payouts.called': 'a provider has answered to a payout, and nothing of it is written',
  'payouts.recorded': 'what came of a payout is committed',
  'reversals.leased': 'returns are leased, and their provider has not been called',
  'reversals.called': 'a provider has answered to a return, and nothing of it is written',
  'reversals.recorded': 'what came of a return is committed',
  'deliveries.claimed': 'deliveries are leased, and nobody has been called',
  'deliveries.called': 'a receiver has answered, and the attempt is not recorded',
  'deliveries.recorded': 'attempts are recorded, and how their registrations do is not noted',
  'deliveries.ready': 'next attempts have been made ready, and nobody has been called',
  'webhooks.disabled': 'a registration is disabled, and what is on its way to it has not been held back',
  'webhooks.rotated': 'a registration has a new secret, which nobody has been shown',
  'settlements.lines-inserted': 'lines of a settlement file are written, and not committed',
  'settlements.committed': 'a settlement file is committed, and nobody has been answered',
  'daily-totals.updated': 'entries have been added to their days, and that is not committed',
  'ledger-chain.inserted': 'a seal is written, and not committed',
  'ledger-chain.committed': 'a seal is committed, and the next seller is to come',
  'sandbox-events.applied': 'what a card of the sandbox promised is reported, and its plan is still there',
  'cnab-shipments.committed': 'a shipment file is committed, and nobody has been given it',
  'cnab-returns.saved': 'a return file and its lines are committed, and no line has done anything',
  'cnab-returns.line-applied': 'a line of a return file has done what it tells, and is not marked',
  'med.opened':
    'money that MED took is set aside in a dispute that is committed, and the dispute has not ended',
  'med.released': 'what a request of MED held is given back, and what MED took is not booked',
  'keys.chain-keys-saved':
    'what the old seals of the ledger are checked with is kept under the new key, and nothing is sealed anew',
  'keys.reencrypted': 'some values are sealed anew, and the rest is not',
  'keys.chains-extended': 'everything is sealed anew, and the key before is not retired',
  'second-factors.confirmed': 'a second factor is active, and its recovery codes have been shown to nobody',
  'second-factors.removed': 'a second factor is removed, and nobody has been answered',
} as const;

export type FailPoint = keyof typeof FAIL_POINTS;

/** The process is killed when it reaches the point for the nth time. */
export interface ArmedFailPoint {
  readonly point: FailPoint;
  readonly occurrence: number;
}

let onFailPoint: ((point: FailPoint) => void) | undefined;

/**
 * Marks a place between two steps. Does nothing unless the process was started to be killed here.
 */
export function failPoint(point: FailPoint): void {
  onFailPoint?.(point);
}

/** Arms the fail point of the settings: the process is killed by SIGKILL when it reaches it. */
export function armFailPoint({
  mode,
  failPoint: armed,
}: {
  readonly mode: 'sandbox' | 'production';
  readonly failPoint: ArmedFailPoint | undefined;
}): void {
  if (armed === undefined) return;
  if (mode !== 'sandbox') throw new Error('fail points are available in the sandbox only');
  let remaining = armed.occurrence;
  onFailPoint = (point) => {
    if (point !== armed.point) return;
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** Parses `payouts.called`, or `payouts.called:3` for the third time. */
export function parseFailPoint(text: string): ArmedFailPoint | undefined {
  const [, name, occurrence = '1'] = /^([\w.-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? [];
  return name !== undefined && isFailPoint(name)
    ? { point: name, occurrence: Number(occurrence) }
    : undefined;
}

const isFailPoint = (name: string): name is FailPoint => Object.hasOwn(FAIL_POINTS, name);
