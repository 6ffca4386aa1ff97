import { describe, expect, it } from 'vitest';

import { decide, type Decision, type TransactionEvent } from './decisions.ts';
import { canTransition, TRANSITIONS } from './states.ts';
import { STATUSES, type Status, type Transaction } from './transaction.ts';

/** All transitions of the contract. */
const CONTRACT = `
  PENDING→{WAITING_PAYMENT, PROCESSING, AUTHORIZED, PAID, FAILED, REFUSED}
  WAITING_PAYMENT→{PROCESSING, PAID, FAILED}
  PROCESSING→{AUTHORIZED, PAID, FAILED, REFUSED}
  AUTHORIZED→{PAID, FAILED}
  PAID→{REFUNDED, CHARGEDBACK, DISPUTE}
  DISPUTE→{PAID, CHARGEDBACK, REFUNDED}`;

const allowed = new Set(
  [...CONTRACT.matchAll(/(\w+)→\{([^}]+)\}/g)].flatMap(([, from, targets]) =>
    (targets ?? '').split(', ').map((to) => `${from}→${to}`),
  ),
);

const NOW = Date.parse('2026-05-04T12:00:00.000Z');
const EXPIRES = new Date('2026-05-04T12:30:00.000Z');

function transactionWith(changes: Partial<Transaction> = {}): Transaction {
  const id = '019681d2-4e00-4a5b-8c3d-000000000001';
  return {
    sellerId: '019681d2-4e00-4a5b-8c3d-000000000002',
    id,
    method: 'PIX',
    amount: 1500,
    feeAmount: 15,
    feeRule: null,
    installments: null,
    description: null,
    metadata: null,
    postbackUrl: null,
    externalRef: null,
    customerId: null,
    paymentLinkId: null,
    subscriptionId: null,
    riskStatus: null,
    riskCapture: null,
    paymentSecret: id,
    publicUrl: '',
    pixReceipt: null,
    customer: {
      id,
      externalRef: null,
      name: 'Ana Souza',
      email: 'ana@example.com',
      phone: '11987654321',
      documentType: 'CPF',
      document: '52998224725',
    },
    items: [],
    pix: { id, txid: 'x', location: 'https://example.com/pix/x', code: '000201', expiresAt: EXPIRES },
    boleto: null,
    card: null,
    expiresAt: EXPIRES,
    releases: [],
    status: 'PENDING',
    statusReason: null,
    version: 1,
    refundedAmount: 0,
    refundingAmount: 0,
    paidAt: null,
    createdAt: new Date(NOW - 60_000),
    updatedAt: new Date(NOW - 60_000),
    ...changes,
  };
}

const TERMS = { boletoDelayDays: 1, cardDelayDays: 30, negativeBalanceUpTo: 0, chargebackFee: 0 };
const decideAt = (transaction: Transaction, event: TransactionEvent, nowMs: number): Decision =>
  decide(transaction, event, TERMS, new Date(nowMs));

const payment = (
  changes: Partial<Extract<TransactionEvent, { kind: 'PAYMENT' }>> = {},
): TransactionEvent => ({
  kind: 'PAYMENT',
  amount: 1500,
  paidAt: new Date(NOW),
  ...changes,
});

const EVENTS: readonly { readonly event: TransactionEvent; readonly to: Status }[] = [
  { event: payment(), to: 'PAID' },
  { event: { kind: 'PROCESSING' }, to: 'PROCESSING' },
  { event: { kind: 'FAILURE', reason: 'declined' }, to: 'FAILED' },
  { event: { kind: 'REFUSAL', reason: 'refused by the provider' }, to: 'REFUSED' },
];

describe('the transition table', () => {
  const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));

  it('parses the 21 transitions of the contract', () => {
    expect(allowed.size).toBe(6 + 3 + 4 + 2 + 3 + 3);
    expect(allowed).toContain('DISPUTE→CHARGEDBACK');
  });

  it.each(pairs)('allows $from to $to if the contract does', ({ from, to }) => {
    expect(canTransition(from, to)).toBe(allowed.has(`${from}→${to}`));
    expect(TRANSITIONS[from].includes(to)).toBe(allowed.has(`${from}→${to}`));
  });

  it.each(['FAILED', 'REFUSED', 'REFUNDED', 'CHARGEDBACK'] as const)(
    'has no transition from %s',
    (status) => {
      expect(TRANSITIONS[status]).toEqual([]);
    },
  );
});

/** A payment of a transaction that has ended is late; everything else follows the contract. */
function expectedDecision(from: Status, event: TransactionEvent, to: Status) {
  if (event.kind === 'PAYMENT' && (from === 'FAILED' || from === 'REFUSED')) return { kind: 'late' };
  if (!allowed.has(`${from}→${to}`)) return { kind: 'impossible', from, to };
  return { kind: 'change', change: { to } };
}

function reasonOf(event: TransactionEvent): string | null {
  const decision = decideAt(transactionWith(), event, NOW);
  return decision.kind === 'change' ? decision.change.reason : 'no change';
}

const withoutIds = (decision: Decision) =>
  JSON.stringify(decision, (name, value: unknown) => (name === 'id' ? undefined : value));

/** Decides on an expiry event this many milliseconds after the expiry. */
const expireAt = (changes: Partial<Transaction>, ms = 0) =>
  decideAt(transactionWith(changes), { kind: 'EXPIRY' }, EXPIRES.getTime() + ms);

/** Decides on a capture this many milliseconds after the authorization expired. */
const captureAt = (ms: number) => {
  const paidAt = new Date(EXPIRES.getTime() + ms);
  const event = { kind: 'CAPTURE', amount: 1500, paidAt } as const;
  return decideAt(transactionWith({ status: 'AUTHORIZED', method: 'CREDIT_CARD' }), event, paidAt.getTime());
};

describe('a decision', () => {
  const table = STATUSES.flatMap((from) => EVENTS.map(({ event, to }) => ({ from, event, to })));

  it.each(table.filter(({ from }) => from !== 'DISPUTE'))(
    'for $event.kind in $from follows the contract',
    ({ from, event, to }) => {
      expect(decideAt(transactionWith({ status: from }), event, NOW)).toMatchObject(
        expectedDecision(from, event, to),
      );
    },
  );

  it.each(table.filter(({ from }) => from === 'DISPUTE'))(
    'for $event.kind in DISPUTE changes nothing, since the payment is already recorded',
    ({ from, event }) => {
      const paid = transactionWith({ status: from, paidAt: new Date(NOW - 1_000), version: 3 });
      expect(decideAt(paid, event, NOW).kind).not.toBe('change');
    },
  );

  it('books entries for a payment and no other event', () => {
    for (const from of STATUSES) {
      for (const { event } of EVENTS) {
        const decision = decideAt(transactionWith({ status: from }), event, NOW);
        if (decision.kind !== 'change' || event.kind === 'PAYMENT') continue;
        expect(decision.change.entries).toEqual([]);
        expect(decision.change.paidAt).toBeNull();
      }
    }
    const paid = decideAt(transactionWith(), payment(), NOW);
    expect(paid).toMatchObject({
      kind: 'change',
      change: { to: 'PAID', reason: null, paidAt: new Date(NOW) },
    });
    expect(paid.kind === 'change' ? paid.change.entries : []).toMatchObject([
      { debit: 'provider', credit: 'available', amount: 1500, cause: 'PAYMENT', origin: 'PIX' },
      { debit: 'available', credit: 'fees', amount: 15, cause: 'PAYMENT_FEE', origin: 'PIX' },
    ]);
  });

  it('contains the reason of a failure or refusal', () => {
    expect(reasonOf({ kind: 'FAILURE', reason: 'declined' })).toBe('declined');
    expect(reasonOf({ kind: 'REFUSAL', reason: 'refused by the provider' })).toBe('refused by the provider');
    expect(reasonOf({ kind: 'PROCESSING' })).toBeNull();
  });

  it.each([1499, 1501, 0, -1500, 3000])('rejects a payment of %i for 1500', (amount) => {
    expect(decideAt(transactionWith(), payment({ amount }), NOW)).toEqual({ kind: 'wrong-amount' });
  });

  it.each([
    ['Monday to Friday', '2026-05-05T03:00:00.000Z', '2026-05-08T03:00:00.000Z'],
    ['Thursday to Wednesday', '2026-05-08T03:00:00.000Z', '2026-05-13T03:00:00.000Z'],
    ['over a holiday', '2026-05-01T03:00:00.000Z', '2026-05-07T03:00:00.000Z'],
  ])('ends a boleto of a bank’s files after three business days: %s', (_name, end, ends) => {
    const expiresAt = new Date(Date.parse(end) - 1);
    const boletoWith = (registration: 'REGISTERED' | null) =>
      transactionWith({
        method: 'BOLETO',
        status: 'WAITING_PAYMENT',
        expiresAt,
        boleto: {
          id: 'b',
          ourNumber: '1',
          barcode: '',
          digitableLine: '',
          dueDate: '2026-05-04',
          location: '',
          instructions: '',
          expiresAt,
          registration,
        },
      });
    const expiry = { kind: 'EXPIRY' } as const;
    expect(decideAt(boletoWith(null), expiry, Date.parse(end)).kind).toBe('change');
    expect(decideAt(boletoWith('REGISTERED'), expiry, Date.parse(ends) - 1).kind).toBe('nothing');
    expect(decideAt(boletoWith('REGISTERED'), expiry, Date.parse(ends)).kind).toBe('change');
  });

  it.each([
    ['before', -1, 'change'],
    ['at', 0, 'change'],
    ['after', 1, 'late'],
  ] as const)('decides on a payment %s the expiry by its payment time', (_name, ms, kind) => {
    const paidAt = new Date(EXPIRES.getTime() + ms);
    // The time of the provider event does not matter while the transaction is unpaid.
    expect(decideAt(transactionWith(), payment({ paidAt }), NOW).kind).toBe(kind);
    expect(decideAt(transactionWith(), payment({ paidAt }), EXPIRES.getTime() + 3_600_000).kind).toBe(kind);
  });

  it('accepts a payment after the expiry if the provider was already processing it', () => {
    const paidAt = new Date(EXPIRES.getTime() + 1_000);
    const decision = decideAt(
      transactionWith({ status: 'PROCESSING' }),
      payment({ paidAt }),
      paidAt.getTime(),
    );
    expect(decision.kind).toBe('change');
  });

  it('expires unpaid transactions that are due, and no others', () => {
    for (const status of ['PENDING', 'WAITING_PAYMENT'] as const) {
      expect(expireAt({ status })).toMatchObject({
        change: { to: 'FAILED', reason: 'expired', entries: [] },
      });
    }
    expect(expireAt({ status: 'AUTHORIZED' })).toMatchObject({ change: { reason: 'authorization expired' } });
    expect(expireAt({}, -1)).toEqual({ kind: 'nothing' });
    expect(expireAt({ expiresAt: null })).toEqual({ kind: 'nothing' });
    // The provider started to process the payment after the sweep found the transaction.
    expect(expireAt({ status: 'PROCESSING' }, 1)).toEqual({ kind: 'nothing' });
    expect(expireAt({ status: 'PAID' }, 1)).toMatchObject({ kind: 'impossible' });
  });

  it('rejects the capture of a lapsed authorization before the sweep has ended it', () => {
    expect(captureAt(0)).toMatchObject({ kind: 'change', change: { to: 'PAID' } });
    expect(captureAt(1)).toEqual({ kind: 'impossible', from: 'FAILED', to: 'PAID' });
  });

  it('is deterministic except for ids, and does not modify its arguments', () => {
    const before = Object.freeze(transactionWith());
    const first = decideAt(before, payment(), NOW);
    const second = decideAt(before, payment(), NOW);
    expect(withoutIds(first)).toBe(withoutIds(second));
    expect(before).toEqual(transactionWith());
  });
});
