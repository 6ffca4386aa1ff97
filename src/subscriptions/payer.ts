import type { Payer } from '#payments/transactions/requests.ts';

/** A payer as given in a request. */
export interface CustomerInput {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly externalRef: string | null;
}

export const toCustomerInput = (payer: Payer): CustomerInput => ({
  name: payer.name,
  email: payer.email,
  phone: payer.phone,
  documentType: payer.documentType,
  document: payer.document,
  externalRef: payer.externalRef ?? null,
});

/** Whether the personal data of a payer was erased. Its document is then replaced. */
export const isErased = ({ document }: CustomerInput): boolean =>
  !/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/.test(document);
