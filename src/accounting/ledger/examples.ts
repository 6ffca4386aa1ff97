import { ok } from '#platform/http/envelope.ts';

/** Examples of the API reference. A test validates each against its schema. */

const emptyBalances = { availableBalance: 0, blockedBalance: 0, totalBalance: 0 };
const pixBalances = { availableBalance: 148_220, blockedBalance: 50_000, totalBalance: 198_220 };
const wallet = {
  id: '01a1fb60-1c2d-4e3f-8a4b-5c6d7e8f9a0b',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  ...pixBalances,
  currency: 'BRL',
  byOrigin: { PIX: pixBalances, BOLETO: emptyBalances, CARD: emptyBalances },
  updatedAt: '2026-11-20T12:05:00.000Z',
};

export const WALLET_EXAMPLES = { 'A wallet': ok(wallet) };

const payment = {
  id: '01a1fb66-e70d-4000-8000-000000000001',
  createdAt: '2026-11-20T12:04:10.000Z',
  cause: 'PAYMENT',
  origin: 'PIX',
  recordType: 'TRANSACTION',
  recordId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
  customerName: 'João da Conceição',
  description: 'Pedido 1042',
  from: 'provider',
  to: 'available',
  moved: 14_970,
  amount: 14_970,
  availableChange: 14_970,
  blockedChange: 0,
  availableBalance: 14_970,
  blockedBalance: 0,
  totalBalance: 14_970,
};
const fee = {
  ...payment,
  id: '01a1fb66-e70d-4000-8000-000000000002',
  cause: 'PAYMENT_FEE',
  from: 'available',
  to: 'fees',
  moved: 148,
  amount: -148,
  availableChange: -148,
  availableBalance: 14_822,
  totalBalance: 14_822,
};
export const STATEMENT_EXAMPLES = {
  'A payment and its fee': { status: true, data: [fee, payment], count: 2, nextCursor: null },
  'As CSV': [Object.keys(payment), Object.values(fee), Object.values(payment)]
    // The CSV has no names.
    .map((cells) => cells.toSpliced(6, 2))
    .map((cells) => `${cells.join(',')}\r\n`)
    .join(''),
};
