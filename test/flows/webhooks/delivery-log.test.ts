import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { ApiResponse } from '#test/support/client.ts';
import { freePort } from '#test/support/free-port.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';
import {
  WAIT,
  receiver,
  other,
  gateway,
  register,
  paidCharge,
  about,
  calls,
  deliveries,
  verifies,
  notFound,
  setUp,
} from './operations-setup.ts';

setUp();

const noneIsPending = (options: { apiKey: string }, id: string) =>
  vi.waitFor(async () => {
    const { data } = await deliveries(options, `?recordId=${id}`);
    expect(data.every((one: { status: string }) => one.status !== 'PENDING')).toBe(true);
    return data;
  }, WAIT);

describe('resending webhooks of records', () => {
  it('sends the same event to every receiver of a transaction, including its postbackUrl', async () => {
    const seller = await newSeller(gateway);
    const id = await paidCharge(seller, { postbackUrl: other.url });
    const [first] = await calls(other, id, 1);
    await noneIsPending(seller, id);
    await register(seller, 'TRANSACTION');
    await register(seller, 'ALL');
    await register(seller, 'WITHDRAWAL');
    const response = await gateway.post(
      '/webhooks/resend-transaction-event',
      { transactionIds: [id, id.toUpperCase()] },
      seller,
    );
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: true, data: { resent: 3 } });
    const again = [...(await calls(other, id, 2)).slice(1), ...(await calls(receiver, id, 2))];
    for (const call of again) {
      expect(call.text).toBe(first?.text);
      expect(call.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
  });

  it('sends the current state of a transaction that has sent no event yet', async () => {
    const seller = await newSeller(gateway);
    const hook = await register(seller);
    const made = await gateway.charge({}, seller);
    const { id } = made.body.data;
    for (let time = 1; time <= 2; time += 1) {
      const response = await gateway.post(
        '/webhooks/resend-transaction-event',
        { transactionIds: [id] },
        seller,
      );
      expect(response.body.data).toEqual({ resent: 1 });
      await calls(receiver, id, time);
    }
    const [one, two] = about(receiver, id);
    expect(one?.body).toMatchObject({ event: 'TRANSACTION_UPDATED', data: { id, status: 'PENDING' } });
    expect(verifies(one, hook.secret)).toBe(true);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
    const paid = (await calls(receiver, id, 3))[2];
    expect(paid?.headers['webhook-id']).not.toBe(one?.headers['webhook-id']);
    expect(paid?.body.data.status).toBe('PAID');
  });

  it('sends withdrawals to WITHDRAWAL endpoints', async () => {
    const seller = await newSeller(gateway);
    await paidCharge(seller);
    const made = await gateway.post(
      '/withdrawals',
      { amount: 100, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
      { ...seller, idempotencyKey: randomUUID() },
    );
    const { id } = made.body.data;
    await register(seller, 'TRANSACTION');
    await register(seller, 'WITHDRAWAL', other.url);
    const response = await gateway.post('/webhooks/resend-withdrawal-event', { withdrawalIds: [id] }, seller);
    expect(response.body).toEqual({ status: true, data: { resent: 1 } });
    const [call] = await calls(other, id, 1);
    expect(call?.body).toMatchObject({
      event: 'WITHDRAWAL_UPDATED',
      data: { id, status: 'PENDING', amount: 100 },
    });
    expect(about(receiver, id)).toEqual([]);
  });

  it('creates no delivery without an endpoint', async () => {
    const seller = await newSeller(gateway);
    const id = await paidCharge(seller);
    const response = await gateway.post(
      '/webhooks/resend-transaction-event',
      { transactionIds: [id] },
      seller,
    );
    expect(response.body).toEqual({ status: true, data: { resent: 0 } });
  });

  it.each([
    ['transaction', 'Transaction not found'],
    ['withdrawal', 'Withdrawal not found'],
  ])('sends nothing if one %s is unknown or of another seller', async (what, message) => {
    const [seller, foreign] = [await newSeller(gateway), await newSeller(gateway)];
    await register(seller);
    const make = async (owner: TestSeller): Promise<string> => {
      const charge = await paidCharge(owner);
      if (what === 'transaction') return charge;
      const made = await gateway.post(
        '/withdrawals',
        { amount: 100, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' },
        { ...owner, idempotencyKey: randomUUID() },
      );
      return String(made.body.data.id);
    };
    const mine = await make(seller);
    const before = (await deliveries(seller)).count;
    for (const unknown of [await make(foreign), randomUUID()]) {
      const response = await gateway.post(
        `/webhooks/resend-${what}-event`,
        { [`${what}Ids`]: [mine, unknown] },
        seller,
      );
      expect(response.status).toBe(404);
      expect(response.body).toEqual(notFound(message));
    }
    expect((await deliveries(seller)).count).toBe(before);
  });

  it.each(['transaction', 'withdrawal'])('accepts 1 to 100 ids of a %s', async (what) => {
    const seller = await newSeller(gateway);
    const name = `${what}Ids`;
    const send = (body: unknown): Promise<ApiResponse> =>
      gateway.post(`/webhooks/resend-${what}-event`, body, seller);
    const refusals: readonly (readonly [unknown, readonly string[]])[] = [
      [{}, [`${name} must be an array`]],
      [{ [name]: [] }, [`${name} should not be empty`]],
      [{ [name]: 'x' }, [`${name} must be an array`]],
      [{ [name]: ['x', randomUUID(), 5] }, [`${name}.0 must be a UUID`, `${name}.2 must be a string`]],
      [
        { [name]: Array.from({ length: 101 }, () => randomUUID()) },
        [`${name} must contain no more than 100 elements`],
      ],
    ];
    for (const [body, message] of refusals) {
      const response = await send(body);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual(message);
    }
    expect((await send({ [name]: Array.from({ length: 100 }, () => randomUUID()) })).status).toBe(404);
  });

  it('sends a hundred transactions to all receivers in one request', async () => {
    const seller = await newSeller(gateway);
    const ids = await Promise.all(Array.from({ length: 100 }, () => paidCharge(seller)));
    await register(seller);
    await register(seller, 'TRANSACTION', other.url);
    const response = await gateway.post(
      '/webhooks/resend-transaction-event',
      { transactionIds: ids },
      seller,
    );
    expect(response.body.data).toEqual({ resent: 200 });
    for (const id of ids) for (const one of [receiver, other]) await calls(one, id, 1);
  });
});

describe('the delivery log', () => {
  it('lists deliveries with their status and attempts', async () => {
    const seller = await newSeller(gateway);
    const hook = await register(seller);
    receiver.respondWith((_request, response) => {
      response.statusCode = 418;
      response.end('a teapot');
    });
    const id = await paidCharge(seller);
    await calls(receiver, id, 1);
    const waiting = await vi.waitFor(async () => {
      const { data } = await deliveries(seller, `?recordId=${id}`);
      expect(data[0].attemptCount).toBe(1);
      return data[0];
    }, WAIT);
    expect(waiting).toEqual({
      id: expect.any(String),
      eventId: about(receiver, id)[0]?.headers['webhook-id'],
      event: 'TRANSACTION_UPDATED',
      recordId: id,
      webhookId: hook.id,
      url: receiver.url,
      status: 'PENDING',
      attemptCount: 1,
      nextAttemptAt: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const inMs = Date.parse(waiting.nextAttemptAt) - Date.parse(waiting.updatedAt);
    expect(Math.abs(inMs - 30_000)).toBeLessThan(5_000);

    receiver.respondWith((_request, response) => response.end('now it works'));
    await gateway.advance(31);
    await calls(receiver, id, 2);
    await noneIsPending(seller, id);
    const read = await gateway.get(`/webhooks/deliveries/${waiting.id}`, seller);
    expect(read.status).toBe(200);
    const { attempts, payload, ...rest } = read.body.data;
    expect(rest).toMatchObject({ status: 'DELIVERED', attemptCount: 2, nextAttemptAt: null });
    expect(payload).toBe(about(receiver, id)[0]?.text);
    expect(attempts).toEqual(
      [
        {
          number: 1,
          statusCode: 418,
          responseBody: 'a teapot',
          error: 'The server responded with status 418.',
        },
        { number: 2, statusCode: 200, responseBody: 'now it works', error: null },
      ].map((one) => ({ ...one, at: expect.any(String), latencyMs: expect.any(Number) })),
    );
  });

  it('filters by status, webhook and record, counts and pages', async () => {
    const seller = await newSeller(gateway);
    const closedUrl = `https://localhost:${await freePort()}/hook`;
    const [one, two] = [await register(seller), await register(seller, 'ALL', closedUrl)];
    const ids = [];
    for (let i = 0; i < 6; i += 1) ids.push(await paidCharge(seller));
    for (const id of ids) await calls(receiver, id, 1);
    await gateway.advance(40);
    await vi.waitFor(async () => {
      expect((await deliveries(seller, '?status=DELIVERED')).count).toBe(6);
      expect((await deliveries(seller, '?status=PENDING')).count).toBe(6);
    }, WAIT);
    expect((await deliveries(seller, `?webhookId=${one.id}&status=DELIVERED`)).count).toBe(6);
    expect((await deliveries(seller, `?webhookId=${two.id}&status=DELIVERED`)).count).toBe(0);
    expect((await deliveries(seller, `?webhookId=${two.id}&recordId=${ids[0]}`)).count).toBe(1);
    expect((await deliveries(seller, '?status=FAILED')).data).toEqual([]);

    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 4; page += 1) {
      const response = await deliveries(seller, `?take=3${cursor}`);
      expect(response.count).toBe(12);
      seen.push(...response.data.map((delivery: { id: string }) => delivery.id));
      cursor = `&cursor=${response.nextCursor}`;
      expect(response.nextCursor === null).toBe(page === 3);
    }
    const all = (await deliveries(seller, '?take=100')).data.map((delivery: { id: string }) => delivery.id);
    expect(seen).toEqual(all);
    expect(all).toEqual(all.toSorted().toReversed());
    expect((await deliveries(seller, '?skip=10')).data).toHaveLength(2);
  });

  it('reports violations in filters', async () => {
    const seller = await newSeller(gateway);
    const response = await gateway.get(
      '/webhooks/deliveries?status=LOST&webhookId=1&recordId=x&take=0',
      seller,
    );
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual([
      'status must be one of the following values: PENDING, DELIVERED, FAILED, HELD',
      'webhookId must be a UUID',
      'recordId must be a UUID',
      'take must not be less than 1',
    ]);
  });

  it('resends one delivery with new attempts, also after it has failed', async () => {
    const seller = await newSeller(gateway);
    await register(seller);
    await register(seller, 'ALL', other.url);
    receiver.respondWith((_request, response) => {
      response.statusCode = 500;
      response.end();
    });
    const id = await paidCharge(seller);
    for (const [index, seconds] of [31, 121, 601, 3601, 0].entries()) {
      await calls(receiver, id, index + 1);
      await vi.waitFor(async () => {
        const { data } = await deliveries(seller, `?recordId=${id}`);
        expect(data.some((one: { attemptCount: number }) => one.attemptCount === index + 1)).toBe(true);
      }, WAIT);
      if (seconds > 0) await gateway.advance(seconds);
    }
    const [failed] = (await deliveries(seller, `?recordId=${id}&status=FAILED`)).data;
    expect(failed.attemptCount).toBe(5);
    receiver.respondWith((_request, response) => response.end('ok'));
    const response = await gateway.post(`/webhooks/deliveries/${failed.id}/resend`, undefined, seller);
    expect(response.status).toBe(200);
    expect(response.body.data.resent).toBe(1);
    const again = (await calls(receiver, id, 6))[5];
    expect(again?.headers['webhook-id']).toBe(failed.eventId);
    await noneIsPending(seller, id);
    const read = await gateway.get(`/webhooks/deliveries/${response.body.data.deliveryId}`, seller);
    expect(read.body.data).toMatchObject({ status: 'DELIVERED', attemptCount: 1, eventId: failed.eventId });
    expect((await gateway.get(`/webhooks/deliveries/${failed.id}`, seller)).body.data.status).toBe('FAILED');
    expect(about(other, id)).toHaveLength(1);
  });

  it('does not resend to a deleted webhook', async () => {
    const seller = await newSeller(gateway);
    const hook = await register(seller);
    const id = await paidCharge(seller);
    await calls(receiver, id, 1);
    const [delivery] = await noneIsPending(seller, id);
    await gateway.delete(`/webhooks/${hook.id}`, seller);
    const response = await gateway.post(`/webhooks/deliveries/${delivery.id}/resend`, undefined, seller);
    expect(response.status).toBe(422);
    expect(response.body.message).toBe('Webhook has been deleted');
    expect((await gateway.get(`/webhooks/deliveries/${delivery.id}`, seller)).status).toBe(200);
  });
});
