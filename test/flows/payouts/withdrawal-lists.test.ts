import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, withdrawalThatIs, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';
import { errorBody } from '#test/support/errors.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
});

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const get = (seller: TestSeller, query: Readonly<Record<string, string>>, path = '/withdrawals') =>
  gateway.get(`${path}?${new URLSearchParams(query).toString()}`, { apiKey: seller.apiKey });

const idsOf = (response: ApiResponse): readonly string[] =>
  response.body.data.map((entry: { readonly id: string }) => entry.id);

describe('the list of withdrawals', () => {
  it('is empty for a seller without withdrawals', async () => {
    const seller = await newSeller(gateway);
    const response = await get(seller, {});
    expect(response.body).toEqual({ status: true, data: [], count: 0, nextCursor: null });
    expect((await get(seller, { metadataKey: 'a' }, '/withdrawals/search')).body).toEqual({
      status: true,
      data: [],
    });
  });

  it('contains each once, newest first, by cursor and by skip, in the format of a single read', async () => {
    const seller = await newSeller(gateway, { balance: 100_000 });
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.unshift(await withdrawn(gateway, seller));
    const first = await get(seller, {});
    expect([first.body.count, idsOf(first)]).toEqual([12, ids.slice(0, 10)]);
    // Records created in between do not move the pages.
    await withdrawn(gateway, seller);
    const second = await get(seller, { cursor: first.body.nextCursor, skip: '5' });
    expect([second.body.nextCursor, idsOf(second)]).toEqual([null, ids.slice(10)]);
    const skipped = await get(seller, { skip: '1', take: '3' });
    expect(idsOf(skipped)).toEqual(ids.slice(0, 3));
    const single = await gateway.get(`/withdrawals/${ids[0]}`, { apiKey: seller.apiKey });
    expect(skipped.body.data[0]).toEqual(single.body.data);
  });

  it.each([
    [{ take: '0' }, 'take must not be less than 1'],
    [{ take: '101' }, 'take must not be greater than 100'],
    [{ skip: '-1' }, 'skip must not be less than 0'],
    [{ cursor: 'x' }, 'cursor must be the nextCursor of a previous page'],
    [
      { status: 'PENDING,LOST' },
      'status must be one of the following values: PENDING, APPROVED, REJECTED, PROCESSING, PAID, FAILED',
    ],
    [{ method: 'BOLETO' }, 'method must be one of the following values: PIX, CRYPTO, TED, DOC'],
    [{ startDate: '2026-02-30' }, 'startDate must be a valid ISO 8601 date string'],
    [{ endDate: 'yesterday' }, 'endDate must be a valid ISO 8601 date string'],
    [{ withdrawalId: '1' }, 'withdrawalId must be a UUID'],
    [{ minAmount: 'many' }, 'minAmount must be an integer number'],
    [{ maxAmount: '-1' }, 'maxAmount must not be less than 0'],
    [{ metadataKey: 'a\0' }, 'metadataKey must not contain NUL characters'],
    [{ metadataKey: 'a', metadataValue: '\0' }, 'metadataValue must not contain NUL characters'],
    [{ export: 'maybe' }, 'export must be a boolean value'],
  ])('rejects %j', async (query, message) => {
    const seller = await newSeller(gateway);
    const response = await get(seller, query);
    expect([response.status, response.body.message]).toEqual([400, [message]]);
  });

  describe('with filters', () => {
    let seller: TestSeller;
    /** Oldest first, by the names that the filters use. */
    const made: Record<'pix' | 'crypto' | 'rejected' | 'paid', string> = {
      pix: '',
      crypto: '',
      rejected: '',
      paid: '',
    };
    beforeAll(async () => {
      seller = await newSeller(gateway, { balance: 100_000 });
      made.pix = await withdrawn(gateway, seller, { amount: 100, metadata: { order: 'A-100', n: 7 } });
      made.crypto = await withdrawn(gateway, seller, {
        amount: 200,
        method: 'CRYPTO',
        cryptoWalletAddress: TRON,
        metadata: { order: 'A-200' },
      });
      made.rejected = await withdrawalThatIs(gateway, seller, 'REJECTED', {
        amount: 300,
        metadata: { other: 'A-100' },
      });
      made.paid = await withdrawalThatIs(gateway, seller, 'PAID', { amount: 400 });
      // A withdrawal of another seller, which must never be found.
      const other = await newSeller(gateway, { balance: 100_000 });
      await withdrawn(gateway, other, { amount: 100, metadata: { order: 'A-100' } });
    });

    it.each<readonly [Readonly<Record<string, string>>, readonly (keyof typeof made)[]]>([
      [{}, ['paid', 'rejected', 'crypto', 'pix']],
      [{ status: 'PENDING' }, ['crypto', 'pix']],
      [{ status: 'PAID, REJECTED' }, ['paid', 'rejected']],
      [{ status: 'FAILED' }, []],
      [{ method: 'PIX' }, ['paid', 'rejected', 'pix']],
      [{ method: 'CRYPTO' }, ['crypto']],
      [{ method: 'TED' }, []],
      [{ method: 'DOC' }, []],
      [{ minAmount: '200' }, ['paid', 'rejected', 'crypto']],
      [{ maxAmount: '200' }, ['crypto', 'pix']],
      [{ minAmount: '200', maxAmount: '300' }, ['rejected', 'crypto']],
      [{ minAmount: '300', maxAmount: '200' }, []],
      [{ metadataKey: 'order' }, ['crypto', 'pix']],
      [{ metadataKey: 'order', metadataValue: 'A-100' }, ['pix']],
      [{ metadataKey: 'order', metadataValue: '-200' }, ['crypto']],
      [{ metadataKey: 'order', metadataValue: 'a-' }, []],
      [{ metadataKey: 'n', metadataValue: '7' }, ['pix']],
      [{ metadataKey: 'order', metadataValue: '%' }, []],
      [{ metadataValue: 'A-100' }, ['paid', 'rejected', 'crypto', 'pix']],
      [{ method: 'PIX', status: 'PENDING', metadataKey: 'order', minAmount: '100' }, ['pix']],
    ])('returns matches for %j', async (query, names) => {
      const response = await get(seller, query);
      expect(idsOf(response)).toEqual(names.map((name) => made[name]));
      expect(response.body.count).toBe(names.length);
      const csv = await get(seller, { ...query, export: 'true', take: '1', skip: '3' });
      expect(records(csv.text).map(([id]) => id)).toEqual(['id', ...names.map((name) => made[name])]);
    });

    it('matches withdrawalId, and withdrawals of this seller only', async () => {
      expect(idsOf(await get(seller, { withdrawalId: made.pix.toUpperCase() }))).toEqual([made.pix]);
      expect(idsOf(await get(seller, { withdrawalId: randomUUID() }))).toEqual([]);
    });

    it('matches metadata, in snake_case', async () => {
      const response = await get(
        seller,
        { metadataKey: 'order', metadataValue: 'A-100' },
        '/withdrawals/search',
      );
      const read = (await gateway.get(`/withdrawals/${made.pix}`, { apiKey: seller.apiKey })).body.data;
      expect(response.body).toEqual({
        status: true,
        data: [
          {
            id: made.pix,
            seller_id: seller.id,
            amount: 100,
            fee_amount: 0,
            net_amount: 100,
            status: 'PENDING',
            processed_at: null,
            rejection_reason: null,
            approved_by: null,
            withdrawal_type: 'MANUAL',
            approved_at: null,
            pix_key: '***.982.247-**',
            pix_key_type: 'CPF',
            external_ref: null,
            method: 'PIX',
            acquirer_id: null,
            created_at: read.createdAt,
            updated_at: read.createdAt,
            metadata: { order: 'A-100', n: 7 },
          },
        ],
      });
    });

    it('contains the current status of each in the search', async () => {
      const rejected = await get(seller, { metadataKey: 'other' }, '/withdrawals/search');
      expect(rejected.body.data).toMatchObject([{ status: 'REJECTED', rejection_reason: 'no' }]);
      const paid = await withdrawalThatIs(gateway, seller, 'PAID', { metadata: { searched: true } });
      const found = await get(
        seller,
        { metadataKey: 'searched', metadataValue: 'true' },
        '/withdrawals/search',
      );
      expect(found.body.data).toMatchObject([
        {
          id: paid,
          status: 'PAID',
          acquirer_id: 'sandbox',
          approved_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
          approved_at: expect.stringMatching(/Z$/),
          processed_at: expect.stringMatching(/Z$/),
        },
      ]);
    });

    it('paginates a metadata search', async () => {
      const missing = await get(seller, { metadataValue: 'A-100' }, '/withdrawals/search');
      expect([missing.status, missing.body.message]).toEqual([400, ['metadataKey should not be empty']]);
      const query = { metadataKey: 'order', take: '1' };
      expect(idsOf(await get(seller, query, '/withdrawals/search'))).toEqual([made.crypto]);
      expect(idsOf(await get(seller, { ...query, skip: '1' }, '/withdrawals/search'))).toEqual([made.pix]);
    });
  });

  it('uses São Paulo days, including the last one', async () => {
    const seller = await newSeller(gateway, { balance: 100_000 });
    // To half an hour before tomorrow's midnight in São Paulo: the second one is created on the day
    // after. Today's may be less than half an hour away.
    const now = Date.parse((await withdrawal(seller)).createdAt);
    const untilMidnight = (24 * 3600 - ((now / 1000 - 3 * 3600) % (24 * 3600))) | 0;
    await gateway.advance(untilMidnight + 24 * 3600 - 1800);
    const evening = await withdrawal(seller);
    await gateway.advance(3600);
    const night = await withdrawal(seller);
    const [eve, day] = [evening, night].map(({ createdAt }) => dayInSaoPaulo(createdAt));
    expect(eve).not.toBe(day);
    if (eve === undefined || day === undefined) throw new Error('two days');
    const found = async (query: Readonly<Record<string, string>>) =>
      (await get(seller, { ...query, minAmount: '1' })).body.data.map((entry: { id: string }) => entry.id);
    expect(await found({ startDate: day })).toEqual([night.id]);
    expect(await found({ startDate: eve, endDate: day })).toEqual(
      expect.arrayContaining([night.id, evening.id]),
    );
    expect(await found({ startDate: eve, endDate: eve })).toEqual(expect.not.arrayContaining([night.id]));
    expect(await found({ endDate: eve })).toEqual(expect.arrayContaining([evening.id]));
    // Timestamps are used unchanged, to the millisecond, both ends included.
    expect(await found({ startDate: night.createdAt, endDate: night.createdAt })).toEqual([night.id]);
    const after = new Date(Date.parse(night.createdAt) + 1).toISOString();
    expect(await found({ startDate: after })).toEqual([]);
    const before = new Date(Date.parse(night.createdAt) - 1).toISOString();
    expect(await found({ startDate: evening.createdAt, endDate: before })).toEqual([evening.id]);
  });
});

describe('the CSV export', () => {
  it('has the fields of the list, and no formulas', async () => {
    const seller = await newSeller(gateway, { balance: 100_000 });
    const id = await withdrawn(gateway, seller, {
      pixKey: '+5511987654321',
      pixKeyType: 'PHONE',
      description: '=HYPERLINK("http://evil.example","x"),\nnext',
      beneficiaryName: '@SUM(A1)',
      metadata: { a: 'b,"c"' },
    });
    const response = await get(seller, { export: 'true' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="withdrawals.csv"');
    const listed = (await get(seller, {})).body.data[0];
    const [header, ...rows] = records(response.text);
    const { createdBy: _inTheLists, ...members } = listed;
    expect(header).toEqual(Object.keys(members));
    expect(rows).toHaveLength(1);
    const cells = Object.fromEntries((header ?? []).map((name, index) => [name, rows[0]?.[index]]));
    expect(cells).toMatchObject({
      id,
      amount: '1000',
      pixKey: "'+55*******4321",
      description: `'=HYPERLINK("http://evil.example","x"),\nnext`,
      beneficiaryName: "'@SUM(A1)",
      metadata: '{"a":"b,\\"c\\""}',
      paidAt: '',
      createdAt: listed.createdAt,
    });
  });

  it('contains each of many thousands of records once', async () => {
    const seller = await newSeller(gateway);
    const count = 12_345;
    // Ids that begin with different times, as the gateway creates them.
    await gateway.database.query(
      `INSERT INTO withdrawals (seller_id, id, method, status, version, origin, withdrawal_type, amount,
          fee_amount, rolling_amount, pix_key_type, masked_destination, encrypted_payee, created_by,
          created_at, updated_at)
        SELECT $1, (lpad(to_hex(1700000000000 + n), 12, '0') || '4000a000' || lpad(to_hex(n), 12, '0'))::uuid,
          'PIX', 'REJECTED', 1, 'PIX', 'MANUAL', n, 0, n, 'CPF', '***', 'encrypted', '{}', now(), now()
        FROM generate_series(1, $2::int) n`,
      [seller.id, count],
    );
    const response = await get(seller, { export: 'true' });
    const [, ...rows] = records(response.text);
    const amounts = rows.map((row) => Number(row[1]));
    expect(amounts).toEqual(Array.from({ length: count }, (_, index) => count - index));
    expect((await get(seller, {})).body.count).toBe(count);
  });

  it('stops when the client disconnects, without an error', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    await gateway.database.query(
      `INSERT INTO withdrawals (seller_id, id, method, status, version, origin, withdrawal_type, amount,
          fee_amount, rolling_amount, pix_key_type, masked_destination, encrypted_payee, created_by,
          description, created_at, updated_at)
        SELECT $1, gen_random_uuid(), 'PIX', 'REJECTED', 1, 'PIX', 'MANUAL', n, 0, n, 'CPF', '***',
          'encrypted', '{}', repeat('x', 2000), now(), now()
        FROM generate_series(1, 20000) n`,
      [seller.id],
    );
    const gone = new AbortController();
    const response = await fetch(`${gateway.baseUrl}/withdrawals?export=true`, {
      headers: { 'x-api-key': seller.apiKey },
      signal: gone.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    gone.abort();
    const busy = async () => {
      const rows = await gateway.database.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND query LIKE '%withdrawals%'
          AND pid <> pg_backend_pid()`,
      );
      return rows.length;
    };
    await expect.poll(busy, { timeout: 5_000 }).toBe(0);
    expect((await get(seller, { take: '1' })).status).toBe(200);
  });
});

describe('a single withdrawal', () => {
  it('returns 404 if it is unknown, malformed or of another seller', async () => {
    const seller = await newSeller(gateway, { balance: 1000 });
    const other = await newSeller(gateway);
    const id = await withdrawn(gateway, seller);
    const missing = errorBody('withdrawal_not_found');
    for (const [wanted, apiKey] of [
      [randomUUID(), seller.apiKey],
      ['not-an-id', seller.apiKey],
      [id, other.apiKey],
    ]) {
      const options = { apiKey: String(apiKey) };
      const read = await gateway.get(`/withdrawals/${wanted}`, options);
      expect([read.status, read.body]).toEqual([404, missing]);
      const simulated = await gateway.post(`/sandbox/withdrawals/${wanted}/pay`, undefined, options);
      expect([simulated.status, simulated.body]).toEqual([404, missing]);
    }
    const read = await gateway.get(`/withdrawals/${id.toUpperCase()}`, { apiKey: seller.apiKey });
    expect(read.body.data.id).toBe(id);
  });
});

async function withdrawal(seller: TestSeller): Promise<{ id: string; createdAt: string }> {
  const id = await withdrawn(gateway, seller);
  return (await gateway.get(`/withdrawals/${id}`, { apiKey: seller.apiKey })).body.data;
}

function dayInSaoPaulo(createdAt: string): string {
  return Temporal.Instant.from(createdAt).toZonedDateTimeISO('America/Sao_Paulo').toPlainDate().toString();
}

/** Reads CSV as RFC 4180 specifies. */
function records(text: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end !== ',') {
      found.push(cells);
      cells = [];
    }
  }
  return found;
}
