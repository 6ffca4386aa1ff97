/**
 * Points between the steps of an operation at which tests kill the process, to prove that the next
 * process recovers. Each text describes the state at that point. `test/faults/fail-points.test.ts`
 * covers all of them.
 */
export const FAIL_POINTS = {
  'demo.written': 'demo.json is written; its seller and users are not committed',
  'transactions.committed': 'a transaction and its key are committed; no response was sent',
  'transaction-events.committed': 'a transaction event is committed; no response was sent',
  'decided-transactions.committed':
    "a card transaction, its key and the sandbox's decision are committed; no response was sent",
  'provider-operations.committed':
    'a transaction and its provider operation are committed; the provider was not called',
  'provider-operations.called': 'a provider has responded; its response is not stored',
  'provider-operations.recorded': 'the outcome of a provider operation is committed; no response was sent',
  'provider-events.saved': 'an unwanted payment and its reversal are committed; no response was sent',
  'verifications.leased': 'unverified payments are leased; the provider was not called',
  'verifications.called': 'a provider has confirmed an unverified payment; it is not applied',
  'verifications.recorded': 'a confirmed payment is applied and no longer unverified',
  'captures.created': 'a capture is committed; the provider was not called',
  'cancellations.created': 'a transaction is canceled or voided; the provider was not called',
  'refunds.committed':
    'a refund is committed, with its provider operation if a provider holds the money; no response was sent',
  'provider-operations.completed':
    'the final event of a provider operation is committed; its handler has not continued',
  'operation-sweep.leased': 'provider operations are leased; the provider was not called',
  'operation-sweep.called': 'a provider has responded to the sweep; its response is not stored',
  'operation-sweep.recorded': 'the outcome of an operation of the sweep is committed',
  'withdrawals.committed': 'a withdrawal and its key are committed; no response was sent',
  'withdrawals.changed': 'a withdrawal event is committed; no response was sent',
  'payouts.created': 'a payout is committed; the provider was not called',
  'payouts.leased': 'payouts are leased; the provider was not called',
  'payouts.called': 'a provider has responded to a payout; its response is not stored',
  'payouts.recorded': 'the outcome of a payout is committed',
  'reversals.leased': 'reversals are leased; the provider was not called',
  'reversals.called': 'a provider has responded to a reversal; its response is not stored',
  'reversals.recorded': 'the outcome of a reversal is committed',
  'deliveries.claimed': 'deliveries are leased; the endpoint was not called',
  'deliveries.called': 'an endpoint has responded; the attempt is not recorded',
  'deliveries.recorded': 'attempts are recorded; the health of their endpoints is not updated',
  'deliveries.ready': 'next attempts are ready; the endpoint was not called',
  'webhooks.disabled': 'a webhook is disabled; its pending deliveries are not held',
  'webhooks.rotated': 'a webhook has a new secret; no response was sent',
  'settlements.lines-inserted': 'lines of a settlement file are inserted; nothing is committed',
  'settlements.committed': 'a settlement file is committed; no response was sent',
  'daily-totals.updated': 'entries are added to their days; nothing is committed',
  'search.segment-written': 'a segment of the search index is written; nothing is committed',
  'ledger-chain.inserted': 'a chain entry is inserted; nothing is committed',
  'ledger-chain.committed': 'a chain entry is committed; the next seller is not processed',
  'ledger-check.saved': 'a step of a ledger check on demand is recorded; the check is not finished',
  'sandbox-events.applied': 'a scheduled event of a sandbox card is applied; its schedule is not deleted',
  'cnab-shipments.committed': 'a remittance file is committed; no response was sent',
  'cnab-returns.saved': 'a return file and its lines are committed; no line is applied',
  'cnab-returns.line-applied': 'a line of a return file is applied; it is not marked as applied',
  'med.opened': 'the dispute of a MED debit is committed; it is not resolved',
  'med.released': 'the amount that a MED notice held is released; the debit is not booked',
  'keys.created': 'a new data key is stored; nothing is encrypted with it',
  'keys.reencrypted': 'some values are encrypted again; the others are not',
  'keys.chains-extended': 'all values are encrypted again; the previous key is not retired',
  'second-factors.confirmed': 'a second factor is active; its recovery codes were not shown',
  'second-factors.removed': 'a second factor is removed; no response was sent',
  'mails.leased': 'emails are leased; the SMTP server was not called',
  'mails.called': 'the SMTP server has accepted an email; the email is not recorded as sent',
  'mails.recorded': 'the outcome of an email is committed',
  'subscriptions.opened': 'due cycles have invoices and attempts; nothing is charged',
  'subscription-charges.leased': 'attempts of subscriptions are leased; nothing is charged',
  'subscription-charges.called': 'the transaction of an attempt is committed; the attempt is not recorded',
  'subscription-charges.recorded': 'the attempt of a subscription is recorded',
  'subscriptions.outcome-applied': 'the outcome of a transaction is applied to its invoice',
  'pix-authorizations.leased': 'authorizations of Pix Automático are leased; the bank was not called',
  'pix-authorizations.called': 'the bank has responded about an authorization; its response is not stored',
  'pix-authorizations.recorded': "the bank's response about an authorization is committed",
} as const;

export type FailPoint = keyof typeof FAIL_POINTS;

/** The process is killed when it reaches the point for the nth time. */
export interface ArmedFailPoint {
  readonly point: FailPoint;
  readonly occurrence: number;
}

let onFailPoint: ((point: FailPoint) => void) | undefined;

/**
 * Marks a point between two steps. Does nothing unless the process was started to be killed here.
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
