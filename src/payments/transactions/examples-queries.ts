/** Examples of the API reference. A test validates each against its schema. */

const person = {
  kind: 'SELLER_USER',
  id: '01a1fb60-3c4d-4e5f-8a6b-7c8d9e0f1a2b',
  name: 'Ana Souza',
  role: 'OWNER',
  keyPrefix: null,
  requestId: '9b2f4c1e-5d6a-4f7b-8c9d-0e1f2a3b4c5d',
};

const refund = {
  id: '01a1fb70-2222-4333-8444-0123456789ab',
  amount: 500,
  reason: 'one item was missing',
  status: 'DONE',
  createdBy: person,
  createdAt: '2026-11-21T09:00:00.000Z',
};

export const REFUND = { 'A completed refund': { status: true, data: refund } };

export const FAILED_REFUND = { 'A failed refund': { status: true, data: { ...refund, status: 'FAILED' } } };

export const TIMELINE = {
  'A transaction that was paid and partly refunded': {
    status: true,
    data: {
      history: [
        { from: null, to: 'PENDING', reason: null, actor: 'SELLER', at: '2026-11-20T12:00:00.000Z' },
        { from: 'PENDING', to: 'PAID', reason: null, actor: 'PROVIDER', at: '2026-11-20T12:04:10.000Z' },
      ],
      refunds: [refund],
      releases: [],
      actions: [{ action: 'transaction.refunded', by: person, at: '2026-11-21T09:00:00.000Z' }],
    },
  },
};

export const FEE_SIMULATION = {
  'A card payment in two installments': {
    status: true,
    data: {
      amount: 10_000,
      fee: { type: 'PERCENTAGE', value: 508 },
      feeAmount: 508,
      netAmount: 9_492,
      releases: [
        { number: 1, amount: 4_746, at: '2026-12-20T12:00:00.000Z' },
        { number: 2, amount: 4_746, at: '2027-01-19T12:00:00.000Z' },
      ],
    },
  },
};

export const LOOKUP_BODIES = {
  "A part of the payer's name": { text: 'souza' },
  'An amount': { text: 'R$ 15,00' },
};

const FOUND = {
  id: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
  amount: 14_970,
  netAmount: 14_822,
  feeAmount: 148,
  method: 'PIX',
  status: 'PAID',
  installments: null,
  customerName: 'João da Conceição',
  description: 'Pedido 1042',
  externalRef: 'order-1042',
  refundedAmount: 0,
  customer: { name: 'João da Conceição', email: 'joao@example.com' },
  paidAt: '2026-11-20T12:04:10.000Z',
  createdAt: '2026-11-20T12:00:00.000Z',
};

export const LOOKUP_RESULTS = {
  "By a part of the payer's name": {
    status: true,
    data: {
      found: [FOUND],
    },
  },
  'No match': {
    status: true,
    data: { found: [] },
  },
};

export const LOOKUP_RESULTS_OF_ALL = {
  'By the last four digits of a card': {
    status: true,
    data: {
      found: [{ ...FOUND, sellerId: '01a1fb5e-1c00-4b7a-9a55-0d3a3b1f2c11', sellerName: 'Loja Aurora' }],
    },
  },
};
