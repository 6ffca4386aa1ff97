/** Examples of the API reference. A test validates each against its schema. */
export const ALL_WEBHOOKS = {
  'A disabled webhook': {
    status: true,
    data: [
      {
        id: '01a1fb60-9c1d-4e2f-8a3b-4c5d6e7f8a9b',
        sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
        sellerName: 'Loja',
        url: 'https://shop.example.com/hook',
        eventType: 'ALL',
        status: 'DISABLED',
        disabledAt: '2026-11-20T12:00:00.000Z',
        disabledReason: 'Every attempt has failed for five days',
        failingSince: '2026-11-15T12:00:00.000Z',
        createdAt: '2026-03-01T12:00:00.000Z',
      },
    ],
    count: 1,
    nextCursor: null,
  },
};
