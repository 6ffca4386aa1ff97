import { expect, it } from 'vitest';

import { createSandboxCardAuthorizer } from './card-authorizer.ts';

const authorizeAt = (time: string) =>
  createSandboxCardAuthorizer().authorize({
    sellerId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c1',
    transactionId: '01a1fb66-e70d-4426-bcd4-28d378d6b6c2',
    amountCents: 1_000,
    card: {
      number: '4111111111111111',
      cvv: '123',
      holderName: 'ANA SOUZA',
      expirationMonth: 3,
      expirationYear: 2027,
    },
    capture: true,
    now: new Date(time),
  }).event;

it('accepts a card until the last day of its month has ended in São Paulo', () => {
  expect(authorizeAt('2027-04-01T02:59:59.999Z')).toMatchObject({ kind: 'PAYMENT' });
  expect(authorizeAt('2027-04-01T03:00:00.000Z')).toEqual({ kind: 'FAILURE', reason: 'expired card' });
});
