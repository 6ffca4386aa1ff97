import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import type { TestGateway } from '#test/support/gateway.ts';

export const DAY_SECONDS = 86_400;

export const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};

/** The contract: due work within two seconds of a move of the clock. The machine may be busy. */
const SOON = { timeout: 20_000, interval: 50 };

/** What the tests of subscriptions do with a gateway, as one seller. */
export function subscriptionsOf(gateway: TestGateway, as: CallOptions) {
  let offsetSeconds = 0;
  const today = (days = 0) => addDays(saoPauloDate(new Date(Date.now() + offsetSeconds * 1_000)), days);
  const post = (body: object, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
    gateway.post('/subscriptions', body, { ...as, idempotencyKey });
  const bodyOf = (changes: object = {}) => ({
    customer: CUSTOMER,
    amount: 4990,
    method: 'BOLETO',
    interval: 'MONTHLY',
    startDate: today(),
    ...changes,
  });
  const create = async (changes: object = {}) => {
    const made = await post(bodyOf(changes));
    expect(made.status).toBe(201);
    return made.body.data;
  };
  const newToken = async (number = '4111111111111111', customerId: string | null = null): Promise<string> => {
    const card = { customerId, number, holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2049 };
    return (await gateway.post('/card-tokens', card, as)).body.data.token;
  };
  const read = async (id: string) => (await gateway.get(`/subscriptions/${id}`, as)).body.data;
  const invoicesOf = async (id: string) =>
    (await gateway.get(`/subscriptions/${id}/invoices?take=100`, as)).body.data.toReversed();
  return {
    today,
    post,
    bodyOf,
    create,
    newToken,
    read,
    invoicesOf,
    createCard: async (changes: object = {}) =>
      create({ method: 'CREDIT_CARD', cardTokenId: await newToken(), ...changes }),
    createAutomatic: (changes: object = {}) =>
      create({ method: 'PIX_AUTOMATICO', startDate: today(3), ...changes }),
    act: (id: string, action: string, body?: object) =>
      gateway.post(`/subscriptions/${id}/${action}`, body, as),
    simulate: (id: string, what: string, body?: object) =>
      gateway.post(`/sandbox/subscriptions/${id}/${what}`, body, as),
    transactionsOf: async (id: string) =>
      (await gateway.get(`/transactions?subscriptionId=${id}&take=100`, as)).body.data,
    advance: async (days: number) => {
      await gateway.advance(days * DAY_SECONDS);
      offsetSeconds += days * DAY_SECONDS;
    },
    until: (id: string, wanted: object) =>
      vi.waitFor(async () => expect(await read(id)).toMatchObject(wanted), SOON),
    /** Waits until the invoices, oldest first, are as wanted: no more and no fewer. */
    untilInvoices: (id: string, wanted: readonly object[]) =>
      vi.waitFor(async () => expect(await invoicesOf(id)).toMatchObject(wanted), SOON),
    untilStatuses: (id: string, wanted: readonly string[]) =>
      vi.waitFor(
        async () =>
          expect((await invoicesOf(id)).map(({ status }: { status: string }) => status)).toEqual(wanted),
        SOON,
      ),
  };
}

export type Subscriptions = ReturnType<typeof subscriptionsOf>;
