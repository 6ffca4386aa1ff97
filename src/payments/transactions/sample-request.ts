/** A body that creates a PIX charge of R$ 15,00, for who wants to see one at once. */
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
