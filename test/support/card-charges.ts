import { randomUUID } from 'node:crypto';

import { SAMPLE_CARD } from './sample-card.ts';

export const randomCpf = () => String(Math.floor(Math.random() * 9e10) + 1e10);
export const payer = (document = randomCpf()) => ({
  name: 'Ana Souza',
  email: `${randomUUID()}@example.com`,
  phone: '11987654321',
  documentType: 'CPF',
  document,
});
export const card = (number: string) => ({ ...SAMPLE_CARD, number });
export const byCard = (number: string, changes: object = {}) => ({
  method: 'CREDIT_CARD',
  installments: 1,
  card: card(number),
  customer: payer(),
  ...changes,
});
/** A card charge with an address of the payer that no other one has. */
export const present = (number: string, changes: object = {}) =>
  byCard(number, {
    card: { ...card(number), ip: `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1` },
    ...changes,
  });
export const from = (ip: string, number: string) => byCard(number, { card: { ...card(number), ip } });
export const DECLINED = '4000000000000002';
export const PAID = SAMPLE_CARD.number;
