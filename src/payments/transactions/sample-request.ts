/** A request body that creates a Pix transaction of R$ 15.00. */
export const SAMPLE_TRANSACTION = {
  amount: 1500,
  method: 'PIX',
  customer: {
    name: 'Ana Souza',
    email: 'ana@example.com',
    phone: '11987654321',
    documentType: 'CPF',
    document: '52998224725',
  },
  items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
};
