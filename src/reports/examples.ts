/** What the reference shows of reports. A test holds each against its schema. */

export const RELEASES = {
  'A boleto tomorrow and cards in January': {
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
