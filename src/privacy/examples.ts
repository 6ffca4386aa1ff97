import { ok } from '#platform/http/envelope.ts';

/** Examples of the API reference. A test validates each against its schema. */

const sellerId = '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f';
const transactionId = '01a1fb61-52c3-4b8e-a1d2-9e0f1a2b3c4d';

export const REQUESTS = {
  'By tax ID': { document: '529.982.247-25' },
  'By email': { email: 'ana@example.com' },
};

export const EXPORT_RESPONSE = {
  'One transaction': ok({
    charges: [
      {
        sellerId,
        transactionId,
        held: {
          sellerName: 'Loja Demonstração',
          payer: {
            name: 'Ana Souza',
            email: 'ana@example.com',
            phone: '11987654321',
            document: '52998224725',
          },
          items: [{ title: 'Caneca', amount: 1500, quantity: 1 }],
        },
      },
    ],
    customers: [],
    next: null,
  }),
};

export const ERASURE_RESPONSE = {
  'One boleto is still open': ok({
    erased: 3,
    erasedCustomers: 1,
    kept: [{ sellerId, transactionId, status: 'WAITING_PAYMENT', reason: 'BOLETO_OPEN' }],
    next: null,
  }),
};
