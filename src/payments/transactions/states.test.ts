import { describe, expect, it } from 'vitest';

import { decide as decideBy, type Decision, type TransactionEvent } from './decisions.ts';
import { canTransition, TRANSITIONS } from './states.ts';
import { STATUSES, type Status, type Transaction } from './transaction.ts';

/** The contract's sentence, typed out: all transitions, and no others. */
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

function charge(changes: Partial<Transaction> = {}): Transaction {
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
const decide = (transaction: Transaction, happening: TransactionEvent, nowMs: number): Decision =>
  decideBy(transaction, happening, TERMS, new Date(nowMs));

const payment = (
  changes: Partial<Extract<TransactionEvent, { kind: 'PAYMENT' }>> = {},
): TransactionEvent => ({
  kind: 'PAYMENT',
  amount: 1500,
  paidAt: new Date(NOW),
  ...changes,
});

const HAPPENINGS: readonly { readonly happening: TransactionEvent; readonly to: Status }[] = [
  { happening: payment(), to: 'PAID' },
  { happening: { kind: 'PROCESSING' }, to: 'PROCESSING' },
  { happening: { kind: 'FAILURE', reason: 'bank said no' }, to: 'FAILED' },
  { happening: { kind: 'REFUSAL', reason: 'provider said no' }, to: 'REFUSED' },
];

describe('the transitions', () => {
  const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })));

  it('reads all twenty-one of the contract (C8)', () => {
    expect(allowed.size).toBe(6 + 3 + 4 + 2 + 3 + 3);
    expect(allowed).toContain('DISPUTE→CHARGEDBACK');
  });

  it.each(pairs)('judges $from to $to as the contract does (C8)', ({ from, to }) => {
    expect(canTransition(from, to)).toBe(allowed.has(`${from}→${to}`));
    expect(TRANSITIONS[from].includes(to)).toBe(allowed.has(`${from}→${to}`));
  });

  it.each(['FAILED', 'REFUSED', 'REFUNDED', 'CHARGEDBACK'] as const)('ends at %s (C8)', (status) => {
    expect(TRANSITIONS[status]).toEqual([]);
  });
});

/** Money for a charge that has ended goes back; all else follows the table. */
function expected(from: Status, happening: TransactionEvent, to: Status) {
  if (happening.kind === 'PAYMENT' && (from === 'FAILED' || from === 'REFUSED')) return { kind: 'late' };
  return allowed.has(`${from}→${to}`) ? { kind: 'change', change: { to } } : { kind: 'impossible', from, to };
}

function reasonOf(happening: TransactionEvent): string | null {
  const decision = decide(charge(), happening, NOW);
  return decision.kind === 'change' ? decision.change.reason : 'no change';
}

const withoutIds = (decision: Decision) =>
  JSON.stringify(decision, (name, value: unknown) => (name === 'id' ? undefined : value));

/** The sweep comes by so many milliseconds after the end. */
const atEnd = (changes: Partial<Transaction>, ms = 0) =>
  decide(charge(changes), { kind: 'EXPIRY' }, EXPIRES.getTime() + ms);

/** A capture so many milliseconds after the lapse. */
const capture = (ms: number) => {
  const paidAt = new Date(EXPIRES.getTime() + ms);
  const happening = { kind: 'CAPTURE', amount: 1500, paidAt } as const;
  return decide(charge({ status: 'AUTHORIZED', method: 'CREDIT_CARD' }), happening, paidAt.getTime());
};

describe('a decision', () => {
  const table = STATUSES.flatMap((from) => HAPPENINGS.map(({ happening, to }) => ({ from, happening, to })));

  it.each(table.filter(({ from }) => from !== 'DISPUTE'))(
    'for $happening.kind in $from is as the contract says (C8)',
    ({ from, happening, to }) => {
      expect(decide(charge({ status: from }), happening, NOW)).toMatchObject(expected(from, happening, to));
    },
  );

  it.each(table.filter(({ from }) => from === 'DISPUTE'))(
    'for $happening.kind in DISPUTE changes nothing: a disputed charge has its money already (C8, C9)',
    ({ from, happening }) => {
      const paid = charge({ status: from, paidAt: new Date(NOW - 1_000), version: 3 });
      expect(decide(paid, happening, NOW).kind).not.toBe('change');
    },
  );

  it('books money on a payment and on nothing else (C8, C9)', () => {
    for (const from of STATUSES) {
      for (const { happening } of HAPPENINGS) {
        const decision = decide(charge({ status: from }), happening, NOW);
        if (decision.kind !== 'change' || happening.kind === 'PAYMENT') continue;
        expect(decision.change.entries).toEqual([]);
        expect(decision.change.paidAt).toBeNull();
      }
    }
    const paid = decide(charge(), payment(), NOW);
    expect(paid).toMatchObject({
      kind: 'change',
      change: { to: 'PAID', reason: null, paidAt: new Date(NOW) },
    });
    expect(paid.kind === 'change' ? paid.change.entries : []).toMatchObject([
      { debit: 'provider', credit: 'available', amount: 1500, cause: 'PAYMENT', origin: 'PIX' },
      { debit: 'available', credit: 'fees', amount: 15, cause: 'PAYMENT_FEE', origin: 'PIX' },
    ]);
  });

  it('says why a charge failed or was refused (C8)', () => {
    expect(reasonOf({ kind: 'FAILURE', reason: 'bank said no' })).toBe('bank said no');
    expect(reasonOf({ kind: 'REFUSAL', reason: 'provider said no' })).toBe('provider said no');
    expect(reasonOf({ kind: 'PROCESSING' })).toBeNull();
  });

  it.each([1499, 1501, 0, -1500, 3000])('takes no payment of %i for 1500 (C8)', (amount) => {
    expect(decide(charge(), payment({ amount }), NOW)).toEqual({ kind: 'wrong-amount' });
  });

  it.each([
    ['a moment before', -1, 'change'],
    ['at', 0, 'change'],
    ['a moment after', 1, 'late'],
  ] as const)('judges a payment %s the time of expiry by when it was paid (C8)', (_name, ms, kind) => {
    const paidAt = new Date(EXPIRES.getTime() + ms);
    // When the report arrives does not matter while the charge still waits.
    expect(decide(charge(), payment({ paidAt }), NOW).kind).toBe(kind);
    expect(decide(charge(), payment({ paidAt }), EXPIRES.getTime() + 3_600_000).kind).toBe(kind);
  });

  it('takes a payment that was under way when the charge expired: nothing else would ever end it (C8)', () => {
    const paidAt = new Date(EXPIRES.getTime() + 1_000);
    const decision = decide(charge({ status: 'PROCESSING' }), payment({ paidAt }), paidAt.getTime());
    expect(decision.kind).toBe('change');
  });

  it('ends what waits when its time has come, and nothing that is not due any more (C8)', () => {
    for (const status of ['PENDING', 'WAITING_PAYMENT'] as const) {
      expect(atEnd({ status })).toMatchObject({ change: { to: 'FAILED', reason: 'expired', entries: [] } });
    }
    expect(atEnd({ status: 'AUTHORIZED' })).toMatchObject({ change: { reason: 'authorization lapsed' } });
    expect(atEnd({}, -1)).toEqual({ kind: 'nothing' });
    expect(atEnd({ expiresAt: null })).toEqual({ kind: 'nothing' });
    // A provider began to work on it after the sweep had found it: it is paid whenever it says so.
    expect(atEnd({ status: 'PROCESSING' }, 1)).toEqual({ kind: 'nothing' });
    expect(atEnd({ status: 'PAID' }, 1)).toMatchObject({ kind: 'impossible' });
  });

  it('captures nothing of an authorization that has lapsed, even before the sweep comes by (C8)', () => {
    expect(capture(0)).toMatchObject({ kind: 'change', change: { to: 'PAID' } });
    expect(capture(1)).toEqual({ kind: 'impossible', from: 'FAILED', to: 'PAID' });
  });

  it('is the same every time but for the ids of entries, and changes nothing it was given (C8)', () => {
    const before = Object.freeze(charge());
    const one = decide(before, payment(), NOW);
    const two = decide(before, payment(), NOW);
    expect(withoutIds(one)).toBe(withoutIds(two));
    expect(before).toEqual(charge());
  });
});
