import type { Static } from 'typebox';

import type { Column } from '#platform/http/csv-line.ts';
import type { CustomerSchema } from './schema.ts';

export type CustomerView = Static<typeof CustomerSchema>;

/** The columns of the CSV export. */
export const CSV_COLUMNS: readonly Column<CustomerView>[] = [
  { name: 'id', value: ({ id }) => id, brazil: { name: 'ID' } },
  { name: 'name', value: ({ name }) => name, brazil: { name: 'Nome completo' } },
  { name: 'email', value: ({ email }) => email, brazil: { name: 'E-mail' } },
  { name: 'phone', value: ({ phone }) => phone, brazil: { name: 'Celular' } },
  {
    name: 'documentType',
    value: ({ documentType }) => documentType,
    brazil: { name: 'Tipo de documento' },
  },
  {
    name: 'document',
    value: ({ document }) => document,
    brazil: { name: 'CPF ou CNPJ' },
  },
  { name: 'externalRef', value: ({ externalRef }) => externalRef, brazil: { name: 'Referência' } },
  {
    name: 'createdAt',
    value: ({ createdAt }) => createdAt,
    brazil: { name: 'Criado em', type: 'time' },
  },
];
