import type { Body } from '../../sdk/src/index.ts';

export const SAMPLE_CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
} as const;

/** A charge of a sample payer, for sandboxes. */
export const sampleCharge = (
  amount: number,
  method: 'PIX' | 'BOLETO' | 'CREDIT_CARD' = 'PIX',
): Body<'createTransaction'> => ({
  amount,
  method,
  customer: SAMPLE_CUSTOMER,
  items: [{ title: 'Sample', amount, quantity: 1, tangible: false }],
});
