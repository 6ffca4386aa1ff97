import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { SecretBox } from '#platform/crypto/secret-box.ts';
import { openDatabase, type Database, type DatabaseTransaction } from '#platform/database/connect.ts';
import { onShardOf, perShard } from '#platform/database/shards/each-shard.ts';
import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { PAYMENT_LINK_SOURCE } from '#payments/payment-links/service.ts';
import { createTransactionSource } from '#payments/transactions/service.ts';
import { WITHDRAWAL_SOURCE } from '#payouts/withdrawals/service.ts';
import { createSearchIndexJob } from '#payments/search/service.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { run } from '#test/support/process.ts';
import { untilTransactionsEnd } from '#test/support/transactions-end.ts';
import { newSeller, withdrawn, type TestSeller } from '#test/support/withdrawals.ts';
import { TEXTS, VALUES } from './metadata-values.ts';

vi.setConfig({ testTimeout: 180_000 });

let gateway: TestGateway;
let database: Database;
const SECRETS = new SecretBox([Buffer.alloc(32, 1)]);

beforeAll(async () => {
  gateway = await startTestGateway({ environment: SHARED_SECRETS });
  database = openDatabase({ url: gateway.database.url, poolSize: 6, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

/** A worker's job with small segments, which does not wait for late commits. */
const createJob = (segmentSize = 4, secrets = SECRETS, sellersPerStatement = 200, scanIntervalMs = 0) =>
  perShard(database.db, (db) =>
    createSearchIndexJob({
      db,
      clock: new Clock(),
      sources: [createTransactionSource(secrets), WITHDRAWAL_SOURCE, PAYMENT_LINK_SOURCE],
      segmentSize,
      sellersPerStatement,
      maxDelayMs: 0,
      scanIntervalMs,
    }),
  );

/** Runs jobs until they have verified all segments and changed none. */
async function index(...jobs: readonly ReturnType<typeof createJob>[]): Promise<void> {
  await untilTransactionsEnd(gateway.database);
  const all = jobs.length === 0 ? [createJob()] : jobs;
  let before = '';
  for (let unchanged = 0; unchanged < 12;) {
    await Promise.all(all.map((job) => job()));
    const after = JSON.stringify(await segments());
    unchanged = after === before ? unchanged + 1 : 0;
    before = after;
  }
}

const segments = (sellerId?: string) =>
  gateway.database.query<{ last_id: string; records: number; stale: boolean }>(
    `SELECT * FROM search_segments WHERE $1::uuid IS NULL OR seller_id = $1
      ORDER BY seller_id, kind, after_id`,
    [sellerId],
  );

const indexed = async ({ id }: TestSeller): Promise<number> =>
  (await segments(id)).reduce((sum, segment) => sum + (segment.stale ? 0 : segment.records), 0);

async function find({ apiKey }: TestSeller, query: Readonly<Record<string, string>>, path = '/transactions') {
  const response = await gateway.get(`${path}?${new URLSearchParams(query).toString()}`, { apiKey });
  expect(response.status).toBe(200);
  const { data, count, countCapped, nextCursor } = response.body;
  const ids: readonly string[] = (data.data ?? data).map(({ id }: { id: string }) => id);
  return { ids, count: data.count ?? count, countCapped: data.countCapped ?? countCapped, nextCursor };
}

async function lookUp(
  { apiKey }: TestSeller,
  text: string,
  path = '/transactions/lookup',
): Promise<readonly string[]> {
  const response = await gateway.post(path, { text }, { apiKey });
  expect(response.status).toBe(200);
  return response.body.data.found.map(({ id }: { id: string }) => id);
}

async function charge(seller: TestSeller, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const made = await gateway.charge(changes, { apiKey: seller.apiKey });
  expect(made.status).toBe(201);
  return String(made.body.data.id);
}

/**
 * Inserts charges by SQL, whose ids begin with the times from `atMs` on. Each has `{"n": "<n>"}`.
 */
async function insertCharges({ id }: TestSeller, atMs: number, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, n) => newId(atMs + n));
  await gateway.database.query(
    `INSERT INTO transactions (seller_id, id, method, status, version, amount, fee_amount, refunded_amount,
       metadata, created_at, updated_at)
     SELECT $1, id, 'PIX', 'PENDING', 1, 1000, 15, 0, json_build_object('n', n::text, 'kind', 'same'), now(),
       now()
     FROM unnest($2::uuid[]) WITH ORDINALITY AS i (id, n)`,
    [id, ids],
  );
  await gateway.database.query(
    `INSERT INTO transaction_counts (seller_id, method, status, writer, count)
     VALUES ($1, 'PIX', 'PENDING', pg_backend_pid(), $2)
     ON CONFLICT (seller_id, method, status, writer) DO UPDATE SET count = transaction_counts.count + $2`,
    [id, count],
  );
  return ids;
}

it('reaches a seller behind many others within few runs', async () => {
  await index();
  const sellers = await Promise.all(Array.from({ length: 20 }, () => newSeller(gateway)));
  const last = sellers.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1);
  if (last === undefined) throw new Error('there is no seller');
  await insertCharges(last, Date.now() - 3_600_000, 5);
  await untilTransactionsEnd(gateway.database);
  const job = createJob(4, SECRETS, 1);
  let runs = 0;
  for (; (await indexed(last)) < 5 && runs < 15; runs += 1) await job();
  expect(runs).toBeLessThan(10);
});

it('indexes a long backlog without a pause', async () => {
  const [seller] = await Promise.all(Array.from({ length: 3 }, () => newSeller(gateway)));
  if (seller === undefined) throw new Error('there is no seller');
  await insertCharges(seller, Date.now() - 3_600_000, 200);
  await untilTransactionsEnd(gateway.database);
  const job = createJob(4, SECRETS, 2);
  while (await job());
  expect(await indexed(seller)).toBe(200);
});

it('reads the other sellers once while it indexes a backlog', async () => {
  await index();
  const [behind, other] = [await newSeller(gateway), await newSeller(gateway)];
  await insertCharges(behind, Date.now() - 3_600_000, 200);
  await untilTransactionsEnd(gateway.database);
  const job = createJob(4, SECRETS, 1_000, 3_600_000);
  expect(await job()).toBe(true);
  await insertCharges(other, Date.now() - 3_600_000, 5);
  await untilTransactionsEnd(gateway.database);
  while (await job());
  expect([await indexed(behind), await indexed(other)]).toEqual([200, 0]);
  await index();
  expect(await indexed(other)).toBe(5);
});

describe('the filter by metadata', () => {
  let seller: TestSeller;
  const made: { readonly id: string; readonly text: string | undefined }[] = [];
  beforeAll(async () => {
    seller = await newSeller(gateway);
    for (const [v, text] of VALUES)
      made.unshift({ id: await charge(seller, { metadata: { v, w: 'other' } }), text });
    made.unshift({ id: await charge(seller, { metadata: { other: '77' } }), text: undefined });
    await charge(await newSeller(gateway), { metadata: { v: '77' } });
  });

  const expectedFor = (text = '') => made.filter((one) => one.text?.includes(text)).map(({ id }) => id);

  it.each([
    ['of records that no worker has reached', 0],
    ['of records of which a part is indexed', 8],
    ['of indexed records', 16],
  ])('returns exactly the values that contain the text, newest first, %s', async (_state, records) => {
    const job = createJob();
    await untilTransactionsEnd(gateway.database);
    while ((await indexed(seller)) < records) await job();
    for (const text of TEXTS) {
      const query = { metadataKey: 'v', take: '100', ...(text === undefined ? {} : { metadataValue: text }) };
      for (const path of ['/transactions', '/transactions/search']) {
        const found = await find(seller, query, path);
        expect([text, found.ids]).toEqual([text, expectedFor(text)]);
        expect([text, found.count, found.countCapped]).toEqual([text, found.ids.length, undefined]);
      }
    }
    expect((await find(seller, { metadataKey: 'absent' })).count).toBe(0);
    expect((await find(seller, { metadataKey: 'v', metadataValue: '77', status: 'PAID' })).ids).toEqual([]);
    const pending = await find(seller, {
      metadataKey: 'v',
      metadataValue: '77',
      status: 'PENDING',
      method: 'PIX',
    });
    expect([pending.ids, pending.count]).toEqual([expectedFor('77'), expectedFor('77').length]);
    expect((await find(seller, { metadataKey: 'v', method: 'CRYPTO' })).count).toBe(0);
  });

  it('returns the same order by cursor and by skip, and a transaction created a moment ago', async () => {
    const newest = await charge(seller, { metadata: { v: 'Pedido-77' } });
    made.unshift({ id: newest, text: 'Pedido-77' });
    const all = expectedFor();
    const byCursor: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await find(seller, { metadataKey: 'v', take: '5', ...(cursor === '' ? {} : { cursor }) });
      expect(page.count).toBe(all.length);
      byCursor.push(...page.ids);
      cursor = page.nextCursor;
    }
    expect(byCursor).toEqual(all);
    for (const [skip, take] of [
      [6, 4],
      [all.length - 3, 3],
      [all.length - 3, 4],
      [all.length, 4],
      [all.length + 1, 4],
    ] as const) {
      const found = await find(seller, { metadataKey: 'v', take: String(take), skip: String(skip) });
      expect([found.ids, found.count]).toEqual([all.slice(skip, skip + take), all.length]);
    }
    const csv = await gateway.get('/transactions?metadataKey=v&metadataValue=77&export=true', {
      apiKey: seller.apiKey,
    });
    expect(
      csv.text
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.slice(0, 36)),
    ).toEqual(expectedFor('77'));
  });

  it('finds withdrawals in the same way', async () => {
    const payee = await newSeller(gateway, { balance: 100_000 });
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1)
      ids.unshift(await withdrawn(gateway, payee, { amount: 100, metadata: { order: `A-${n % 3}` } }));
    for (const state of ['not indexed', 'indexed']) {
      if (state === 'indexed') await index();
      const third = await find(payee, { metadataKey: 'order', metadataValue: '-1' }, '/withdrawals');
      expect([third.ids, third.count]).toEqual([ids.filter((_, n) => n % 3 === 1), 3]);
      const some = await find(
        payee,
        { metadataKey: 'order', minAmount: '100', status: 'PENDING', take: '2' },
        '/withdrawals',
      );
      expect([some.ids, some.count]).toEqual([ids.slice(0, 2), 9]);
      const found = await find(payee, { metadataKey: 'order', skip: '7' }, '/withdrawals/search');
      expect(found.ids).toEqual(ids.slice(7));
    }
    expect(await indexed(payee)).toBe(8);
  });
});

describe('the search index', () => {
  it('counts up to 10,000, wherever the records are', async () => {
    const seller = await newSeller(gateway);
    const ids = await insertCharges(seller, Date.now() - 86_400_000, 10_050);
    const newestFirst = ids.toReversed();
    for (const state of ['not indexed', 'indexed']) {
      if (state === 'indexed') await index(createJob(512));
      for (const query of [{ metadataKey: 'kind' }, { metadataKey: 'kind', metadataValue: 'sam' }]) {
        const found = await find(seller, { ...query, skip: '10030', take: '30' });
        expect(found).toMatchObject({ count: 10_000, countCapped: true });
        expect(found.ids).toEqual(newestFirst.slice(10_030));
      }
      const some = await find(seller, { metadataKey: 'n', metadataValue: '77' });
      const matching = newestFirst.filter((_, n) => String(10_050 - n).includes('77'));
      expect(some).toMatchObject({ count: matching.length, ids: matching.slice(0, 10) });
      expect(some.countCapped).toBeUndefined();
    }
    // The last ones do not fill a segment, and are indexed because they are old.
    expect(await indexed(seller)).toBe(10_050);
  });

  it('is written once when two workers run', async () => {
    const seller = await newSeller(gateway);
    // Older ones the gateway's own worker would index in larger segments.
    const ids = await insertCharges(seller, Date.now() - 300_000, 40);
    await index(createJob(), createJob());
    expect((await segments(seller.id)).map(({ records }) => records)).toEqual(
      Array.from({ length: 10 }, () => 4),
    );
    expect((await find(seller, { metadataKey: 'n', take: '100' })).ids).toEqual(ids.toReversed());
  });

  it('adds records that were committed behind its position', async () => {
    const seller = await newSeller(gateway);
    const now = Date.now();
    const later = await insertCharges(seller, now - 1_000_000, 8);
    await index();
    const earlier = await insertCharges(seller, now - 2_000_000, 30);
    await index();
    const all = [...earlier, ...later].toReversed();
    expect((await find(seller, { metadataKey: 'kind', take: '100' })).ids).toEqual(all);
    expect((await segments(seller.id)).every(({ records, stale }) => records <= 1_024 && !stale)).toBe(true);
    expect(await indexed(seller)).toBe(38);
  });

  it('waits for a database transaction that has not ended', async () => {
    const seller = await newSeller(gateway);
    const writer = openDatabase({ url: gateway.database.url, poolSize: 1, onError: () => undefined });
    try {
      const inWriter = (work: (trx: DatabaseTransaction) => Promise<void>) =>
        onShardOf(writer.db, seller.id, (shard) => shard.transaction().execute(work));
      await inWriter(async (trx) => {
        await sql`SELECT pg_current_xact_id()`.execute(trx);
        await insertCharges(seller, Date.now() - 1_000, 8);
        const job = createJob();
        for (let run = 0; run < 5; run += 1) await job();
        expect(await indexed(seller)).toBe(0);
      });
    } finally {
      await writer.close();
    }
    await index();
    expect(await indexed(seller)).toBe(8);
  });
});

describe('the search of payment links', () => {
  it('finds links in the index and after it, and a new title of an old link', async () => {
    const seller = await newSeller(gateway);
    const make = async (title: string, externalRef?: string) => {
      const link = { title, amount: 1500, ...(externalRef !== undefined && { externalRef }) };
      const made = await gateway.post('/payment-links', link, {
        apiKey: seller.apiKey,
        idempotencyKey: randomUUID(),
      });
      expect(made.status).toBe(201);
      return String(made.body.data.id);
    };
    const old = await make('Café da manhã', 'PED-77');
    for (const n of [1, 2, 3]) await make(`Outro ${n}`);
    await index();
    expect(await indexed(seller)).toBe(4);
    const recent = await make('Café frio');
    const links = (query: Readonly<Record<string, string>>) => find(seller, query, '/payment-links');
    expect(await links({ search: 'cafe' })).toMatchObject({ ids: [recent, old], count: 2 });
    expect((await links({ search: 'ped-7' })).ids).toEqual([old]);
    const page = await links({ search: 'CAFÉ', take: '1' });
    expect(page.ids).toEqual([recent]);
    expect((await links({ search: 'CAFÉ', cursor: String(page.nextCursor) })).ids).toEqual([old]);

    const changes = { title: 'Chá da tarde', status: 'INACTIVE' };
    await gateway.patch(`/payment-links/${old}`, changes, { apiKey: seller.apiKey });
    expect((await links({ search: 'cafe' })).ids).toEqual([recent]);
    expect((await links({ search: 'cha da' })).ids).toEqual([old]);
    await index();
    expect((await links({ search: 'cha da', status: 'INACTIVE' })).ids).toEqual([old]);
    expect(await links({ search: 'cha da', status: 'ACTIVE' })).toMatchObject({ ids: [], count: 0 });
  });
});

describe('the lookup of withdrawals', () => {
  const EVP = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906';
  const END_TO_END_ID = 'E1234567820261123120000000000aB1';
  const COMPANY = '11222333000181';
  let seller: TestSeller;
  const ids: Record<'company' | 'evp' | 'phone' | 'wallet', string> = {
    company: '',
    evp: '',
    phone: '',
    wallet: '',
  };
  beforeAll(async () => {
    seller = await newSeller(gateway, { balance: 1_000_000 });
    const made = (changes: Readonly<Record<string, unknown>>) => withdrawn(gateway, seller, changes);
    ids.company = await made({
      amount: 77701,
      pixKey: 'Caixa@Loja.example',
      pixKeyType: 'EMAIL',
      description: 'Repasse Óleo',
      beneficiaryName: 'João & Filhos',
      beneficiaryDocumentNumber: COMPANY,
    });
    ids.evp = await made({ pixKey: EVP, pixKeyType: 'EVP' });
    ids.phone = await made({ pixKey: '(11) 98765-4321', pixKeyType: 'PHONE' });
    const cryptoWalletAddress = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    ids.wallet = await made({ method: 'CRYPTO', pixKey: null, pixKeyType: null, cryptoWalletAddress });
    // No adapter for payouts has end-to-end ids yet.
    await gateway.database.query(
      `INSERT INTO provider_events (seller_id, provider, provider_event_id, kind, record_id, occurred_at,
         received_at, outcome, id) VALUES ($1, 'bank', $2, 'PAYOUT', $3, now(), now(), 'APPLIED', $4)`,
      [seller.id, END_TO_END_ID, ids.evp, newId(Date.now())],
    );
    for (let n = 0; n < 5; n += 1) await made({ pixKey: `11999999${n}99`, pixKeyType: 'PHONE' });
  });

  it.each(['not indexed', 'indexed'])(
    'finds by beneficiary, description, amount and id a withdrawal that is %s',
    async (state) => {
      if (state === 'indexed') await index(createJob(4, gateway.secrets));
      expect(await indexed(seller)).toBe(state === 'indexed' ? 8 : 0);
      const found = (text: string) => lookUp(seller, text, '/withdrawals/lookup');
      for (const [text, id] of [
        ...['joao', 'FILHOS', '\u00f3leo', '777,01', 'caixa@loja.example', '11.222.333/0001-81', COMPANY].map(
          (one) => [one, ids.company],
        ),
        ...[EVP, EVP.toUpperCase(), END_TO_END_ID, ids.evp].map((one) => [one, ids.evp]),
        ...['11987654321', '+55 11 98765-4321'].map((one) => [one, ids.phone]),
        ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', ids.wallet],
      ])
        expect([text, await found(text ?? '')]).toEqual([text, [id]]);
      for (const text of ['absent', '11222333000182', 'loja.example', END_TO_END_ID.slice(1), '777,02'])
        expect([text, await found(text)]).toEqual([text, []]);
      expect(await lookUp(await newSeller(gateway), EVP, '/withdrawals/lookup')).toEqual([]);
    },
  );

  it('stores no account and no document in clear text', async () => {
    const rows = [
      ...(await gateway.database.query('SELECT * FROM search_terms')),
      ...(await gateway.database.query('SELECT * FROM withdrawals')),
    ];
    for (const value of [EVP, COMPANY, 'caixa@loja', '+5511987654321'])
      expect(JSON.stringify(rows)).not.toContain(value);
  });
});

describe('the lookup of transactions', () => {
  const PAYER = { phone: '11987654321', documentType: 'CPF', externalRef: 'CLI-0077' };
  const DOCUMENT = '39053344705';
  let seller: TestSeller;
  let id: string;
  let endToEndId: string;
  beforeAll(async () => {
    seller = await newSeller(gateway);
    id = await charge(seller, {
      amount: 77_701,
      description: 'Assinatura \u00d3leo',
      customer: {
        ...PAYER,
        name: 'Jo\u00e3o da Concei\u00e7\u00e3o',
        email: 'jc@Example.com',
        document: DOCUMENT,
      },
    });
    const paid = await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey: seller.apiKey });
    if (paid.status !== 200) throw new Error('the charge was not paid');
    const [event] = await gateway.database.query<{ id: string }>(
      'SELECT provider_event_id AS id FROM provider_events WHERE record_id = $1',
      [id],
    );
    endToEndId = event?.id ?? '';
    await insertCharges(seller, Date.now() - 86_400_000, 20);
    for (let n = 0; n < 4; n += 1) await charge(seller);
  });

  it.each(['not indexed', 'indexed', 'indexed before the rotation of keys'])(
    'finds a transaction of any age that is %s',
    async (state) => {
      if (state === 'indexed') await index(createJob(4, gateway.secrets));
      if (state === 'indexed before the rotation of keys') {
        const settings = { ...SHARED_SECRETS, MODE: 'sandbox', DATABASE_URL: gateway.database.ownerUrl };
        const { code } = await run(['rotate-keys'], settings).exit(60_000);
        if (code !== 0) throw new Error('the rotation failed');
      }
      const texts = [
        'joao',
        'CONCEI\u00c7\u00c3O',
        'jc@example',
        'cli-0077',
        ' \u00f3leo ',
        '777,01',
        '390.533.447-05',
      ];
      for (const text of [...texts, DOCUMENT, endToEndId, id])
        expect([text, await lookUp(seller, text)]).toEqual([text, [id]]);
      for (const text of ['joaojc', '39053344706', endToEndId.slice(0, 31), DOCUMENT.slice(1), '777,02'])
        expect([text, await lookUp(seller, text)]).toEqual([text, []]);
    },
  );

  it('stores no document in clear text', async () => {
    const rows = await gateway.database.query('SELECT * FROM search_terms');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(DOCUMENT);
  });

  it('finds nothing of an erased payer', async () => {
    const admin = { token: await gateway.adminToken() };
    const erased = await gateway.post('/admin/privacy/erase', { document: DOCUMENT }, admin);
    expect(erased.body.data).toMatchObject({ erased: 1 });
    const dump = async () => JSON.stringify(await gateway.database.query('SELECT * FROM search_terms'));
    expect(await dump()).not.toContain('conceicao');
    expect(await lookUp(seller, 'conceicao')).toEqual([]);
    await index(createJob(4, gateway.secrets));
    expect((await segments(seller.id)).filter(({ stale }) => stale)).toEqual([]);
    expect(await dump()).not.toContain('conceicao');
    for (const text of ['conceicao', DOCUMENT, 'cli-0077']) expect(await lookUp(seller, text)).toEqual([]);
    expect(await lookUp(seller, '777,01')).toEqual([id]);
  });
});
