import { randomBytes, randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ENCRYPTED_COLUMNS, type EncryptedColumn } from '#platform/crypto/encrypted-columns.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Client } from '#test/support/client.ts';
import { dataKeysOf } from '#test/support/data-keys.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { run, type Run } from '#test/support/process.ts';
import { newMember, newSeller, type TestSeller } from '#test/support/sellers.ts';

/**
 * Data key and master key are rotated while the gateway serves requests, the rotation is killed and
 * repeated, and the old master key is removed.
 */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const [OLD, NEW, WRONG] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const keys = (...given: readonly Buffer[]) => ({
  ENCRYPTION_KEY: given.map((key) => key.toString('hex')).join(),
});
/** The id that wrapped data keys contain for the first master key. */
const OLD_MASTER_ID = new SecretBox([OLD]).currentKeyId;

/** Enough rows to make the rotation take a while. */
const CARDS = 6_000;

let gateway: TestGateway;
let seller: TestSeller;
let token: string;
/** The data key before the rotation, and what decrypts with only the new master key after it. */
let before: SecretBox;
let after: SecretBox;
const made = { webhookId: '', secret: '', cardToken: '', withdrawalId: '' };

const sql = <Row extends object>(text: string, values?: readonly unknown[]) =>
  gateway.database.query<Row & Record<string, unknown>>(text, values);

beforeAll(async () => {
  // Without a worker, so that nothing is encrypted with the old key once the second node runs.
  gateway = await startTestGateway({
    worker: false,
    environment: { ...SHARED_SECRETS, ...keys(OLD, NEW) },
  });
  before = gateway.secrets;
  seller = await newSeller(gateway);
  token = await gateway.adminToken();
  await fill();
  await extendChains();
});
afterAll(async () => {
  await gateway.stop();
});

/** Fills every encrypted column, through the API if the sandbox has an operation for it. */
async function fill(): Promise<void> {
  const webhook = await gateway.post(
    '/webhooks',
    { url: 'https://localhost:8443/hook', eventType: 'DISPUTE' },
    seller,
  );
  expect(webhook.text).toContain('whsec_');
  made.webhookId = webhook.body.data.id;
  const rotated = await gateway.post(`/webhooks/${made.webhookId}/rotate-secret`, undefined, seller);
  made.secret = rotated.body.data.secret;
  const owner = await newMember(gateway, seller.id, 'OWNER');
  await gateway.get('/webhooks/postback-secret', owner);
  await gateway.post('/webhooks/postback-secret/rotate', undefined, owner);
  const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2040 };
  made.cardToken = (await gateway.post('/card-tokens', card, seller)).body.data.token;
  await pay(gateway);
  const wanted = { amount: 100, method: 'PIX', pixKey: '52998224725', pixKeyType: 'CPF' };
  const withdrawn = await gateway.post('/withdrawals', wanted, {
    ...seller,
    idempotencyKey: randomUUID(),
  });
  made.withdrawalId = withdrawn.body.data.id;
  const [user] = await sql<{ id: string }>('SELECT id FROM users WHERE seller_id = $1', [seller.id]);
  await put('second_factors', [user?.id ?? ''], 'user_id, created_at', `$1, now()`);
  const [paymentId, shipmentId] = [randomUUID(), randomUUID()];
  await put(
    'cnab_payments',
    [seller.id, paymentId],
    'seller_id, withdrawal_id, service, amount, stage, created_at, updated_at',
    `$1, $2, 'PIX', 1, 'ENDED', now(), now()`,
  );
  await put(
    'cnab_shipments',
    [shipmentId],
    'id, bank_code, sequence, number, service, registrations, write_offs, payments, amount, sha256, made_at',
    `$1, '001', 'BOLETOS', 1, 'BOLETOS', 0, 0, 0, 0, '', now()`,
  );
  // The first process that needs the key creates it.
  expect((await fetch(new URL('/pix/jwks.json', gateway.baseUrl))).status).toBe(200);
  await put(
    'mails',
    [seller.id, randomUUID()],
    'seller_id, id, template, locale, recipient, params, status, attempts, due_at, created_at, updated_at',
    `$1, $2, 'invitation', 'en', 'ana@example.com', '{}', 'PENDING', 0,
      now() + interval '1 year', now(), now()`,
  );
  await put(
    'dispute_attachments',
    [seller.id, randomUUID()],
    'seller_id, id, dispute_id, name, type, size, content, created_by, created_at',
    `$1, $2, $2, 'a.pdf', 'application/pdf', 1, '', '{}', now()`,
  );
  await put(
    'seller_applications',
    [seller.id],
    'seller_id, status, name, document_type, document, owner_name, owner_email, created_at, updated_at',
    `$1, 'DRAFT', 'Padaria', 'CPF', '52998224725', 'Ana', 'ana@example.com', now(), now()`,
  );
  await put(
    'application_documents',
    [seller.id, randomUUID()],
    'seller_id, id, kind, name, type, size, content, created_at',
    `$1, $2, 'OTHER', 'a.pdf', 'application/pdf', 1, '', now()`,
  );
  const approvalId = randomUUID();
  await put(
    'operator_approvals',
    [approvalId],
    'id, action, summary, status, requested_by, requester_name, expires_at, created_at',
    `$1, 'settings.replace', '{}', 'PENDING', $1, 'Ana', now() + interval '7 days', now()`,
  );
  const many = Array.from({ length: CARDS }, () => {
    const id = randomUUID();
    return { id, encrypted: before.encrypt(`4111 ${id}`, `card ${seller.id} ${id}`) };
  });
  await sql(
    `INSERT INTO card_tokens (seller_id, id, encrypted_number, last_four, expiration_month, expiration_year,
        created_at)
      SELECT $1, w.id, w.encrypted, '1111', 12, 2040, now()
      FROM json_to_recordset($2) AS w (id uuid, encrypted text)`,
    [seller.id, JSON.stringify(many)],
  );
}

/** Extends the ledger chains with the old key, in a worker that then stops. */
async function extendChains(): Promise<void> {
  const worker = await startNode({
    databaseUrl: gateway.database.url,
    environment: keys(OLD, NEW),
    worker: true,
  });
  await vi.waitFor(
    async () => {
      const entries = await sql('SELECT 1 FROM ledger_chain WHERE seller_id = $1', [seller.id]);
      expect(entries.length).toBeGreaterThan(0);
    },
    { timeout: 30_000 },
  );
  await worker.stop();
}

/** A row for a column that only a bank or an authenticator would fill. */
async function put(table: string, key: readonly string[], columns: string, values: string): Promise<void> {
  const { column, contextOf } = columnOf(table);
  const value = before.encrypt(`secret of ${table}`, contextOf(...key));
  await sql(`INSERT INTO ${table} (${columns}, ${column}) VALUES (${values}, $${key.length + 1})`, [
    ...key,
    value,
  ]);
}

function columnOf(table: string): EncryptedColumn {
  const found = ENCRYPTED_COLUMNS.find((one) => one.table === table);
  if (found === undefined) throw new Error(`${table} has no encrypted column`);
  return found;
}

async function pay(client: Client): Promise<void> {
  const created = await client.charge({}, seller);
  expect(created.status).toBe(201);
  const paid = await client.post(`/sandbox/transactions/${created.body.data.id}/pay`, undefined, seller);
  expect(paid.status).toBe(200);
}

const command = (name: string, environment: Readonly<Record<string, string>>): Run =>
  run(name.split(' '), {
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'warn',
    JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
    ...environment,
  });

/** The number of encrypted values of each key, by the id of the key. */
async function countByKey(): Promise<Readonly<Record<string, number>>> {
  const parts = ENCRYPTED_COLUMNS.map(({ table, column }) => `SELECT ${column} AS encrypted FROM ${table}`);
  const rows = await sql<{ id: string; count: string }>(
    `SELECT split_part(encrypted, '.', 2) AS id, count(*) FROM (${parts.join(' UNION ALL ')}) s
      WHERE encrypted IS NOT NULL GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ id, count }) => [id, Number(count)]));
}

async function expectBalanced(client: Client): Promise<void> {
  const check = await client.get('/admin/ledger/check', { token });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}

async function expectAllDecrypt(): Promise<void> {
  for (const { table, column, key, contextOf } of ENCRYPTED_COLUMNS) {
    const rows = await sql<{ key: string[]; encrypted: string }>(
      `SELECT ARRAY[${key.map((name) => `${name}::text`).join()}] AS key, ${column} AS encrypted FROM ${table}
        WHERE ${column} IS NOT NULL`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(after.decrypt(row.encrypted, contextOf(...row.key))).not.toBe('');
  }
}

it('ENCRYPTED_COLUMNS lists every encrypted column of the schema', async () => {
  const rows = await sql<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name LIKE 'encrypted%' AND data_type = 'text' ORDER BY name`,
  );
  const known = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted();
  expect(rows.map(({ name }) => name)).toEqual(known);
});

it('every encrypted value is bound to its row', async () => {
  for (const { table, column, key, contextOf } of ENCRYPTED_COLUMNS) {
    const rows = await sql<{ key: string[]; encrypted: string }>(
      `SELECT ARRAY[${key.map((name) => `${name}::text`).join()}] AS key, ${column} AS encrypted FROM ${table}
        WHERE ${column} IS NOT NULL LIMIT 1`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`${table} is empty`);
    expect(before.decrypt(row.encrypted, contextOf(...row.key))).not.toBe('');
    const elsewhere = row.key.map(() => randomUUID());
    expect(() => before.decrypt(row.encrypted, contextOf(...elsewhere))).toThrow(/authenticat/i);
  }
});

describe('a wrong key', () => {
  it('aborts a start, a check and a rotation with a remedy, and changes nothing', async () => {
    const stored = await sql('SELECT * FROM encryption_keys');
    const tried = ['start', 'ledger-check', 'rotate-keys'].map((name) =>
      command(name, keys(WRONG)).exit(60_000),
    );
    for (const exit of await Promise.all(tried)) {
      expect(exit.code).toBe(1);
      expect(exit.stderr).toContain(
        `ENCRYPTION_KEY does not fit this database: its data keys are wrapped with key ${OLD_MASTER_ID}`,
      );
      expect(exit.stderr).not.toContain(WRONG.toString('hex'));
    }
    expect(await sql('SELECT * FROM encryption_keys')).toEqual(stored);
  });

  it('is not reported if the data keys are lost, and startup aborts without creating one', async () => {
    const [stored] = await sql<Record<string, unknown>>('DELETE FROM encryption_keys RETURNING *');
    const tried = ['start', 'ledger-check', 'rotate-keys'].map((name) =>
      command(name, keys(OLD)).exit(60_000),
    );
    for (const exit of await Promise.all(tried)) {
      expect(exit.code).toBe(1);
      expect(exit.stderr).toContain('the table encryption_keys has no data key');
      expect(exit.stderr).toContain(before.currentKeyId);
    }
    expect(await sql('SELECT * FROM encryption_keys')).toEqual([]);
    await sql('INSERT INTO encryption_keys SELECT * FROM json_populate_record(NULL::encryption_keys, $1)', [
      JSON.stringify(stored),
    ]);
  });

  it('is reported if a wrapped data key was changed, and startup aborts', async () => {
    const [stored] = await sql<{ wrapped_key: string }>('SELECT wrapped_key FROM encryption_keys');
    const other = new SecretBox([OLD]).encrypt(randomBytes(32).toString('base64'), 'data key another');
    await sql('UPDATE encryption_keys SET wrapped_key = $1', [other]);
    const exit = await command('start', keys(OLD)).exit(60_000);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain(`ENCRYPTION_KEY does not unwrap data key ${before.currentKeyId}`);
    await sql('UPDATE encryption_keys SET wrapped_key = $1', [stored?.wrapped_key]);
  });
});

it.each(['rotate-keys', 'rotate-keys --master'])(
  '%s is refused while a running process lacks the new master key, and changes nothing',
  async (name) => {
    const stored = await sql('SELECT * FROM encryption_keys');
    const exit = await command(name, keys(WRONG, OLD)).exit(60_000);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(
      /these running processes do not have the master key \S+ of ENCRYPTION_KEY: \S+:\d+\. Restart them/,
    );
    expect(exit.stderr).not.toContain(WRONG.toString('hex'));
    expect(await sql('SELECT * FROM encryption_keys')).toEqual(stored);
  },
);

describe('a rotation of the master key', () => {
  it('rewraps the data key while the gateway is running, and changes nothing else', async () => {
    const counts = await countByKey();
    const next = NEW;
    const moved = await command('rotate-keys --master', keys(next, OLD)).exit(60_000);
    expect(moved.stderr).toMatch(/^mode [^\n]*\n$/);
    expect(JSON.parse(moved.stdout)).toEqual({ rewrapped: [before.currentKeyId] });
    expect(await countByKey()).toEqual(counts);
    expect((await command('ledger-check', keys(next)).exit(60_000)).code).toBe(0);
    const old = await command('ledger-check', keys(OLD)).exit(60_000);
    expect(old.stderr).toContain('ENCRYPTION_KEY does not fit this database');
    await pay(gateway);
    await expectBalanced(gateway);
    const back = await command('rotate-keys --master', keys(OLD, next)).exit(60_000);
    expect(back.code).toBe(0);
  });
});

describe('a rotation of the data key', () => {
  let node: TestNode;
  const failures: string[] = [];
  const load = { running: true, done: 0 };
  let loads: Promise<unknown>;

  beforeAll(async () => {
    node = await startNode({ databaseUrl: gateway.database.url, environment: keys(NEW, OLD), worker: true });
    await expectBalanced(node);
    loads = Promise.all(Array.from({ length: 3 }, serve));
  });
  afterAll(async () => {
    load.running = false;
    await loads;
  });

  /** Concurrent requests of sellers that encrypt and decrypt. */
  async function serve(): Promise<void> {
    while (load.running) {
      try {
        await pay(node);
        const charged = await node.charge(
          { method: 'CREDIT_CARD', card: { token: made.cardToken }, installments: 1 },
          seller,
        );
        expect(charged.body.data?.status).toBe('PAID');
        const wanted = { amount: 100, method: 'PIX', pixKey: '52998224725', pixKeyType: 'CPF' };
        const withdrawn = await node.post('/withdrawals', wanted, {
          ...seller,
          idempotencyKey: randomUUID(),
        });
        expect(withdrawn.status).toBe(201);
        load.done += 1;
      } catch (error) {
        failures.push(String(error));
      }
    }
  }

  it('that is killed halfway leaves all data readable', async () => {
    const killed = command('rotate-keys', keys(NEW, OLD));
    await vi.waitFor(
      async () => {
        const { [before.currentKeyId]: _, ...others } = await countByKey();
        expect(Math.max(...Object.values(others))).toBeGreaterThan(1_000);
      },
      { timeout: 60_000, interval: 5 },
    );
    killed.signal('SIGKILL');
    expect((await killed.exit()).signal).toBe('SIGKILL');
    after = await dataKeysOf(gateway.database, NEW);
    const counts = await countByKey();
    expect(counts[before.currentKeyId]).toBeGreaterThan(0);
    expect(counts[after.currentKeyId]).toBeGreaterThan(0);
    await expectBalanced(node);
  });

  it('that is run again after the kill completes and retires the old key', async () => {
    const entries = await sql<{ mac: string }>('SELECT mac FROM ledger_chain ORDER BY seller_id, number');
    const counts = await countByKey();
    const exit = await command('rotate-keys', keys(NEW, OLD)).exit(90_000);
    expect(exit.stderr).toMatch(/^mode [^\n]*\n$/);
    const report: { key: string; reencrypted: Record<string, number>; retired: string[] } = JSON.parse(
      exit.stdout,
    );
    expect(report.key).toBe(after.currentKeyId);
    expect(report.retired).toEqual([before.currentKeyId]);
    const reencrypted = Object.values(report.reencrypted).reduce((sum, count) => sum + count, 0);
    expect(reencrypted).toBeGreaterThanOrEqual(counts[before.currentKeyId] ?? 0);
    expect(Object.keys(await countByKey())).toEqual([after.currentKeyId]);
    // Existing entries of the ledger chain do not change.
    const extended = await sql<{ mac: string }>('SELECT mac FROM ledger_chain ORDER BY seller_id, number');
    expect(extended.map(({ mac }) => mac)).toEqual(expect.arrayContaining(entries.map(({ mac }) => mac)));
    await expectBalanced(node);
    const records = await node.get('/admin/audit-log?action=encryption-keys.rotated', { token });
    expect(records.body.data).toHaveLength(1);
    expect(records.body.data[0].after).toMatchObject({ retired: [before.currentKeyId], values: reencrypted });
  });

  it('fails no request that is served meanwhile', async () => {
    const done = load.done;
    expect(failures).toEqual([]);
    await vi.waitFor(() => expect(load.done).toBeGreaterThan(done + 2), { timeout: 30_000 });
    expect(failures).toEqual([]);
  });

  it('makes the old master key unnecessary', async () => {
    load.running = false;
    await loads;
    await node.stop();
    const alone = await startNode({
      databaseUrl: gateway.database.url,
      environment: keys(NEW),
      worker: true,
    });
    try {
      await pay(alone);
      const charged = await alone.charge(
        { method: 'CREDIT_CARD', card: { token: made.cardToken }, installments: 1 },
        seller,
      );
      expect(charged.status).toBe(201);
      const approved = await alone.post(`/admin/withdrawals/${made.withdrawalId}/approve`, undefined, {
        token,
      });
      expect(approved.status).toBe(200);
      await vi.waitFor(
        async () => {
          const { body } = await alone.get(`/withdrawals/${made.withdrawalId}`, seller);
          expect(body.data.status).toBe('PROCESSING');
        },
        { timeout: 20_000 },
      );
      const [row] = await sql<{ encrypted: string }>(
        'SELECT encrypted_secret AS encrypted FROM webhooks WHERE id = $1',
        [made.webhookId],
      );
      expect(after.decrypt(row?.encrypted ?? '', `webhook ${seller.id} ${made.webhookId}`)).toBe(made.secret);
      await expectAllDecrypt();
      await expectBalanced(alone);
    } finally {
      await alone.stop();
    }
    const check = await command('ledger-check', keys(NEW)).exit(60_000);
    expect(check.code).toBe(0);
  });

  it('leaves the chain entries of the old key unchanged', async () => {
    const [old] = await sql<{ seller_id: string; number: string; mac: string }>(
      `SELECT seller_id, number, mac FROM ledger_chain WHERE split_part(mac, '.', 2) = $1 LIMIT 1`,
      [before.currentKeyId],
    );
    expect(old).toBeDefined();
    await sql(
      `UPDATE ledger_entries SET amount = amount + 1 WHERE (seller_id, origin, id) IN (
         SELECT seller_id, origin, id FROM ledger_entries WHERE seller_id = $1 ORDER BY id LIMIT 1)`,
      [old?.seller_id],
    );
    const exit = await command('ledger-check', keys(NEW)).exit(60_000);
    expect(exit.code).toBe(1);
    expect(exit.stdout).toContain(`an entry covered by chain entry ${old?.number} was changed`);
    await sql(
      `UPDATE ledger_entries SET amount = amount - 1 WHERE (seller_id, origin, id) IN (
         SELECT seller_id, origin, id FROM ledger_entries WHERE seller_id = $1 ORDER BY id LIMIT 1)`,
      [old?.seller_id],
    );
  });

  it('leaves no chain that ends in an entry of the old, possibly compromised key', async () => {
    const [last] = await sql<{ seller_id: string; number: string }>(
      `SELECT seller_id, min(number) AS number FROM ledger_chain WHERE split_part(mac, '.', 2) = $1 GROUP BY 1
        LIMIT 1`,
      [after.currentKeyId],
    );
    expect(Number(last?.number)).toBeGreaterThan(1);
    const cut = await sql('DELETE FROM ledger_chain WHERE seller_id = $1 AND number >= $2 RETURNING number', [
      last?.seller_id,
      last?.number,
    ]);
    expect(cut.length).toBeGreaterThan(0);
    const exit = await command('ledger-check', keys(NEW)).exit(60_000);
    expect(exit.code).toBe(1);
    expect(exit.stdout).toContain('was made with a key that is no longer in use');
  });

  it('prevents a start with only the old master key', async () => {
    const exit = await command('start', keys(OLD)).exit(60_000);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('ENCRYPTION_KEY does not fit this database');
  });
});
