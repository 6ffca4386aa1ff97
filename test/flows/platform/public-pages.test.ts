import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.adminToken();
});
afterAll(async () => {
  await gateway.stop();
});

/** A separate seller, so that its list contains only the records of the test. */
async function newSeller(): Promise<{ readonly id: string; readonly as: CallOptions }> {
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja das Listas',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Ana',
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: 'a long enough password',
    },
    { token },
  );
  const id = String(made.body.data.id);
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  await gateway.patch(`/admin/sellers/${id}`, rates, { token });
  const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'test' }, { token });
  return { id, as: { apiKey: String(key.body.data.key) } };
}

async function charges(
  count: number,
  as: CallOptions,
  changes: (index: number) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<readonly string[]> {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => gateway.charge(changes(index), as)),
  );
  return responses.map((response) => {
    expect(response.status).toBe(201);
    return String(response.body.data.id);
  });
}

const idsOf = (response: ApiResponse): readonly string[] =>
  response.body.data.map((entry: { id: string }) => entry.id);

/** Follows nextCursor to the end; `between` happens after each page. */
async function readAll(
  path: string,
  as: CallOptions,
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly ApiResponse[]> {
  const pages: ApiResponse[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: ApiResponse = await gateway.get(
      cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
      as,
    );
    expect(page.status).toBe(200);
    pages.push(page);
    cursor = page.body.nextCursor;
    // An empty cursor would start again.
    expect(cursor).not.toBe('');
    if (pages.length > 200) throw new Error('too many pages');
    await between();
  }
  return pages;
}

describe('record ids', () => {
  it('are UUID v4 whose first 48 bits are the time of creation', async () => {
    const { as } = await newSeller();
    const before = Date.now();
    const created = await gateway.charge({}, as);
    const after = Date.now();
    const { data } = created.body;
    for (const id of [data.id, data.customer.id, data.items[0].id, data.pix.id]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const at = Number.parseInt(String(id).replace('-', '').slice(0, 12), 16);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(after);
    }
    expect(new Set([data.id, data.customer.id, data.items[0].id, data.pix.id]).size).toBe(4);
  });
});

describe('a paginated list', () => {
  it('without records is an empty page', async () => {
    const { as } = await newSeller();
    const response = await gateway.get('/transactions', as);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ status: true, data: [], count: 0, nextCursor: null });
  });

  it('is newest first, ten records by default, with a summary of each transaction', async () => {
    const { as } = await newSeller();
    const made: string[] = [];
    for (let i = 0; i < 12; i += 1) made.push(...(await charges(1, as)));
    const response = await gateway.get('/transactions', as);
    expect(idsOf(response)).toEqual(made.toReversed().slice(0, 10));
    expect(response.body.count).toBe(12);
    expect(response.body.data[0]).toEqual({
      id: made.at(-1),
      amount: 1500,
      netAmount: 1485,
      feeAmount: 15,
      method: 'PIX',
      status: 'PENDING',
      installments: null,
      customerName: 'Ana Souza',
      description: null,
      externalRef: null,
      refundedAmount: 0,
      paidAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it('is in order of creation, also for transactions created at once', async () => {
    const { as } = await newSeller();
    const made = await charges(40, as);
    const response = await gateway.get('/transactions?take=100', as);
    expect(idsOf(response)).toEqual(made.toSorted().toReversed());
    const times: number[] = response.body.data.map((entry: { createdAt: string }) =>
      Date.parse(entry.createdAt),
    );
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('accepts a take of 1 to 100 and a skip', async () => {
    const { as } = await newSeller();
    const newestFirst = (await charges(103, as)).toSorted().toReversed();
    expect(idsOf(await gateway.get('/transactions?take=1', as))).toEqual(newestFirst.slice(0, 1));
    expect(idsOf(await gateway.get('/transactions?take=100', as))).toEqual(newestFirst.slice(0, 100));
    const skipped = await gateway.get('/transactions?take=5&skip=100', as);
    expect(idsOf(skipped)).toEqual(newestFirst.slice(100));
    expect(skipped.body).toMatchObject({ count: 103, nextCursor: null });
    const past = await gateway.get('/transactions?skip=100000', as);
    expect(past.body).toMatchObject({ status: true, data: [], count: 103, nextCursor: null });
  });
});

describe('a cursor', () => {
  it.each([1, 3, 7, 10, 100])('iterates over every record once, %i at a time', async (take) => {
    const { as } = await newSeller();
    const newestFirst = (await charges(21, as)).toSorted().toReversed();
    const pages = await readAll(`/transactions?take=${take}`, as);
    expect(pages.flatMap(idsOf)).toEqual(newestFirst);
    expect(pages).toHaveLength(Math.ceil(21 / take));
    expect(pages.map((page) => page.body.count)).toEqual(pages.map(() => 21));
  });

  it('is null on a last page that is full', async () => {
    const { as } = await newSeller();
    await charges(6, as);
    const first = await gateway.get('/transactions?take=3', as);
    expect(first.body.nextCursor).toEqual(expect.any(String));
    const second = await gateway.get(`/transactions?take=3&cursor=${first.body.nextCursor}`, as);
    expect(second.body.data).toHaveLength(3);
    expect(second.body.nextCursor).toBeNull();
    expect((await gateway.get('/transactions?take=6', as)).body.nextCursor).toBeNull();
  });

  it('iterates over every record once during concurrent creation', async () => {
    const { as } = await newSeller();
    const there = (await charges(30, as)).toSorted().toReversed();
    const pages = await readAll('/transactions?take=4', as, () => charges(3, as));
    const read = pages.flatMap(idsOf);
    expect(new Set(read).size).toBe(read.length);
    expect(read).toEqual(there);
    expect(pages.at(-1)?.body.count).toBeGreaterThan(30);
  });

  it('keeps its position when records or the filter result change', async () => {
    const { as } = await newSeller();
    const there = (await charges(12, as)).toSorted().toReversed();
    const first = await gateway.get('/transactions?take=4&status=PENDING', as);
    // The record of the cursor no longer matches the filter.
    await gateway.post(`/sandbox/transactions/${there[3]}/pay`, undefined, as);
    const rest = await gateway.get(
      `/transactions?take=100&status=PENDING&cursor=${first.body.nextCursor}`,
      as,
    );
    expect(idsOf(rest)).toEqual(there.slice(4));
    expect(rest.body.count).toBe(11);
  });

  it('overrides skip', async () => {
    const { as } = await newSeller();
    const there = (await charges(5, as)).toSorted().toReversed();
    const { nextCursor } = (await gateway.get('/transactions?take=2', as)).body;
    const response = await gateway.get(`/transactions?take=2&skip=1&cursor=${nextCursor}`, as);
    expect(idsOf(response)).toEqual(there.slice(2, 4));
  });

  it('of one seller returns no records to another', async () => {
    const [one, other] = [await newSeller(), await newSeller()];
    await charges(3, one.as);
    const own = (await charges(3, other.as)).toSorted().toReversed();
    const { nextCursor } = (await gateway.get('/transactions?take=1', one.as)).body;
    const response = await gateway.get(`/transactions?cursor=${nextCursor}`, other.as);
    expect(response.status).toBe(200);
    for (const id of idsOf(response)) expect(own).toContain(id);
  });

  it('with NUL is rejected', async () => {
    const response = await gateway.get('/transactions?cursor=%00');
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual(['cursor must not contain NUL characters']);
  });

  it.each(['x', 'AAAA', Buffer.from('not-a-uuid').toString('base64url'), 'z'.repeat(100)])(
    '%s that was not issued is rejected',
    async (cursor) => {
      const response = await gateway.get(`/transactions?cursor=${cursor}`);
      expect(response.status).toBe(400);
      expect(response.body.message).toEqual(['cursor must be the nextCursor of a previous page']);
    },
  );

  it('also works for the operator’s list of sellers', async () => {
    const { id } = await newSeller();
    const pages = await readAll('/admin/sellers?take=3', { token });
    const read = pages.flatMap(idsOf);
    expect(read).toEqual(read.toSorted().toReversed());
    expect(new Set(read).size).toBe(read.length);
    expect(read[0]).toBe(id);
    expect(read).toContain(gateway.demo.seller.id);
    expect(pages[0]?.body.count).toBe(read.length);
  });
});

const these = (...expected: readonly string[]) => ({ ids: expected.toSorted(), count: expected.length });

describe('list filters', () => {
  let as: CallOptions;
  let ids: {
    readonly pending: string;
    readonly paid: string;
    readonly failed: string;
    readonly refused: string;
  };

  beforeAll(async () => {
    ({ as } = await newSeller());
    const [pending = '', paid = '', failed = '', refused = ''] = await charges(4, as);
    await gateway.post(`/sandbox/transactions/${paid}/pay`, undefined, as);
    await gateway.post(`/sandbox/transactions/${failed}/fail`, undefined, as);
    await gateway.post(`/sandbox/transactions/${refused}/refuse`, undefined, as);
    ids = { pending, paid, failed, refused };
  });

  /** The ids and the count that a query returns, in an order independent of creation. */
  async function found(query: string): Promise<{ readonly ids: readonly string[]; readonly count: number }> {
    const response = await gateway.get(`/transactions?${query}`, as);
    expect(response.status).toBe(200);
    return { ids: idsOf(response).toSorted(), count: response.body.count };
  }

  it('accept one status or a list', async () => {
    expect(await found('status=PENDING')).toEqual(these(ids.pending));
    expect(await found('status=PAID')).toEqual(these(ids.paid));
    expect(await found('status=PAID,FAILED')).toEqual(these(ids.paid, ids.failed));
    expect(await found('status=PAID%2CREFUSED')).toEqual(these(ids.paid, ids.refused));
    expect(await found('status=PAID,%20FAILED')).toEqual(these(ids.paid, ids.failed));
    expect(await found('status=CHARGEDBACK')).toEqual(these());
    expect(
      await found(
        'status=PENDING,WAITING_PAYMENT,PROCESSING,AUTHORIZED,PAID,' +
          'FAILED,REFUSED,REFUNDED,CHARGEDBACK,DISPUTE',
      ),
    ).toEqual(these(...Object.values(ids)));
  });

  it('determine the count, which is independent of the page', async () => {
    const response = await gateway.get('/transactions?status=PAID,FAILED,REFUSED&take=1', as);
    expect(response.body.data).toHaveLength(1);
    expect(response.body.count).toBe(3);
    expect(response.body.nextCursor).not.toBeNull();
  });

  it('accept a method', async () => {
    expect(await found('method=PIX')).toEqual(these(...Object.values(ids)));
    expect(await found('method=BOLETO')).toEqual(these());
    expect(await found('method=CREDIT_CARD')).toEqual(these());
    expect(await found('method=CRYPTO')).toEqual(these());
  });

  it('accept an id in any letter case, and never match another seller’s', async () => {
    expect(await found(`transactionId=${ids.paid}`)).toEqual(these(ids.paid));
    expect(await found(`transactionId=${ids.paid.toUpperCase()}`)).toEqual(these(ids.paid));
    expect(await found(`transactionId=${randomUUID()}`)).toEqual(these());
    const elsewhere = await gateway.charge();
    expect(await found(`transactionId=${elsewhere.body.data.id}`)).toEqual(these());
  });

  it('can be combined', async () => {
    expect(await found(`transactionId=${ids.paid}&status=PENDING`)).toEqual(these());
    expect(await found(`transactionId=${ids.paid}&status=PAID&method=PIX`)).toEqual(these(ids.paid));
  });

  it('accept a part of a metadata value', async () => {
    const { as: other } = await newSeller();
    const [order = '', percent = '', numbers = '', strange = '', none = ''] = await Promise.all(
      [
        { order: 'Pedido 4711 de São Paulo', channel: 'app' },
        { order: '100% de desconto_', channel: 'web' },
        { order: 4711, flag: true, nothing: null, deep: { channel: 'app' } },
        { "o'rder": "it's", 'a.b': 'x', '': 'empty key' },
        null,
      ].map(async (metadata) => String((await gateway.charge({ metadata }, other)).body.data.id)),
    );
    const expected: readonly (readonly [string, string, readonly string[]])[] = [
      ['order', '4711', [order, numbers]],
      ['order', 'Pedido 4711 de São Paulo', [order]],
      ['order', 'São', [order]],
      ['order', 'são', []],
      ['order', '%', [percent]],
      ['order', '_', [percent]],
      ['order', '0%', [percent]],
      ['channel', 'app', [order]],
      ['channel', 'a', [order]],
      ['flag', 'true', [numbers]],
      ['deep', 'app', [numbers]],
      ["o'rder", "it's", [strange]],
      ['a.b', 'x', [strange]],
      ['missing', 'x', []],
    ];
    for (const [metadataKey, metadataValue, found] of expected) {
      const query = new URLSearchParams({ metadataKey, metadataValue });
      const response = await gateway.get(`/transactions?${query.toString()}`, other);
      expect(idsOf(response).toSorted()).toEqual(found.toSorted());
      expect(response.body.count).toBe(found.length);
    }
    expect(idsOf(await gateway.get('/transactions', other))).toContain(none);
  });
});
