/** Examples of the API reference. A test validates each against its schema. */

export const RELEASES = {
  'A boleto and card installments': {
    status: true,
    data: {
      upcoming: [
        { day: '2026-11-23', origin: 'BOLETO', amount: 14_901, releases: 1 },
        { day: '2026-12-20', origin: 'CARD', amount: 9_492, releases: 2 },
      ],
      laterAmount: 0,
      blocked: { retention: 24_393, disputes: 0, withdrawals: 50_000, refunds: 0, total: 74_393 },
    },
  },
};

export const RELEASED_SALES = {
  'The second of two installments': {
    status: true,
    data: {
      data: [
        {
          id: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1-2',
          transactionId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
          number: 2,
          installments: 2,
          origin: 'CARD',
          amount: 4_746,
          day: '2027-01-19',
          availableAt: '2027-01-19T12:00:00.000Z',
          saleAmount: 10_000,
          paidAt: '2026-11-20T12:00:00.000Z',
          customerName: 'João da Conceição',
          description: 'Pedido 1042',
          externalRef: 'order-1042',
        },
      ],
      count: 1,
      amount: 4_746,
      take: 10,
      skip: 0,
    },
  },
};

const sums = {
  count: 2,
  volume: 30_000,
  feeAmount: 297,
  netAmount: 29_703,
  refundedAmount: 500,
  chargedBackAmount: 0,
};
const zeroSums = {
  count: 0,
  volume: 0,
  feeAmount: 0,
  netAmount: 0,
  refundedAmount: 0,
  chargedBackAmount: 0,
};
const noRate = { ended: 0, paid: 0, rate: null };

export const SUMMARY = {
  'Two days': {
    status: true,
    data: {
      interval: 'day',
      current: {
        startDate: '2026-11-19',
        endDate: '2026-11-20',
        total: sums,
        buckets: [
          { start: '2026-11-19T03:00:00.000Z', ...zeroSums },
          { start: '2026-11-20T03:00:00.000Z', ...sums },
        ],
        success: { PIX: { ended: 3, paid: 2, rate: 0.6667 }, BOLETO: noRate, CREDIT_CARD: noRate },
      },
      previous: {
        startDate: '2026-11-17',
        endDate: '2026-11-18',
        total: zeroSums,
        buckets: [
          { start: '2026-11-17T03:00:00.000Z', ...zeroSums },
          { start: '2026-11-18T03:00:00.000Z', ...zeroSums },
        ],
        success: { PIX: noRate, BOLETO: noRate, CREDIT_CARD: noRate },
      },
    },
  },
};

const revenueSums = {
  charges: 12,
  volume: 120_000,
  feesEarned: 1_188,
  providerCosts: 180,
  margin: 1_008,
  refunds: 500,
  chargebacks: 0,
};

const { charges, volume, feesEarned, providerCosts, margin, refunds, chargebacks } = revenueSums;

export const REVENUE = {
  'An export':
    'day,charges,volume,feesEarned,providerCosts,margin,refunds,chargebacks\r\n' +
    `2026-11-20,${[charges, volume, feesEarned, providerCosts, margin, refunds, chargebacks].join(',')}\r\n`,
  'A day': { status: true, data: { rows: [{ day: '2026-11-20', ...revenueSums }], total: revenueSums } },
};
