import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { APPLICATION_STATUSES } from '#onboarding/states.ts';
import { MED_STATUSES } from '#payments/disputes/med.ts';
import { DISPUTE_STATUSES } from '#payments/disputes/states.ts';
import { LINK_STATUSES } from '#payments/payment-links/link.ts';
import { REFUND_STATUSES } from '#payments/transactions/refund-schema.ts';
import { TRANSITIONS as TRANSACTION_TRANSITIONS } from '#payments/transactions/states.ts';
import { RELEASE_STATUSES } from '#payments/transactions/transaction.ts';
import { TRANSITIONS as WITHDRAWAL_TRANSITIONS } from '#payouts/withdrawals/states.ts';
import { SELLER_STATUSES } from '#sellers/seller.ts';
import {
  AUTHORIZATION_STATUSES,
  INVOICE_STATUSES,
  SUBSCRIPTION_STATUSES,
} from '#subscriptions/subscription.ts';
import { DELIVERY_STATUSES } from '#webhooks/delivery.ts';
import { WEBHOOK_STATUSES } from '#webhooks/webhook.ts';
import { freePort } from '#test/support/free-port.ts';
import { findNode20 } from '#test/support/node-20.ts';
import { makePlaceOnServer, type Exit, type Place, type Program } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

import { eventNames, findScenario } from '../../../packages/cli/src/trigger.ts';
import { Vereda } from '../../../packages/sdk/src/index.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../../packages/cli', import.meta.url));

/** Does not exist: deliveries to it fail. */
const HOOK = 'https://shop.example/hook';

let receiver: Receiver;

let place: Place;
let program: Program;

beforeAll(async () => {
  [place, receiver] = await Promise.all([makePlaceOnServer(), startReceiver()]);
  const authority = join(place.dataDir, 'authority.pem');
  await writeFile(authority, receiver.authority);
  program = await place.start({ NODE_EXTRA_CA_CERTS: authority, SIGNUP: 'open' });
  const webhook = { url: HOOK, eventType: 'ALL' };
  await program.client.post('/webhooks', webhook);
  const { body } = await program.client.post('/login', program.demo.admin, { credential: 'none' });
  const rates = { requestsPerMinute: 100_000, creationsPerMinute: 100_000 };
  await program.client.call('PATCH', `/admin/sellers/${program.demo.seller.id}`, rates, {
    token: body.accessToken,
  });
}, 60_000);
afterAll(async () => {
  await program.end();
  await place.remove();
  await receiver.close();
}, 30_000);

const folders = () => ({
  XDG_CONFIG_HOME: join(place.dataDir, 'config'),
  XDG_STATE_HOME: join(place.dataDir, 'state'),
});

const vereda = (args: readonly string[], settings: Record<string, string> = {}): Promise<Exit> =>
  place.runScript('packages/cli/src/main.ts', args, { ...folders(), ...settings }).exit();

// oxlint-disable-next-line typescript/no-explicit-any -- JSON
async function json(...args: string[]): Promise<any> {
  const exit = await vereda([...args, '--json']);
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(exit.stdout);
}

describe('records', () => {
  it('creates no charge with a method that needs more than options', async () => {
    const exit = await vereda(['transactions', 'create', '--amount', '1500', '--method', 'CREDIT_CARD']);
    expect(exit).toMatchObject({ code: 2, stdout: '' });
    expect(exit.stderr).toContain('Allowed choices are PIX, BOLETO.');
  });

  it('creates, reads and lists charges', async () => {
    const created = await json('transactions', 'create', '--amount', '1500', '--external-ref', 'order-1');
    expect(created).toMatchObject({ amount: 1500, method: 'PIX', externalRef: 'order-1' });
    expect(await json('transactions', 'get', created.id)).toMatchObject({ id: created.id });
    const listed = await json(
      'transactions',
      'list',
      '--filter',
      'externalRef=order-1',
      '--status',
      'pending',
    );
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([created.id]);
    const table = await vereda(['transactions', 'list', '--limit', '1']);
    expect(table.stdout.split('\n')).toHaveLength(3);
    expect(table.stdout).toMatch(/^ID +STATUS +METHOD +AMOUNT \(CENTS\) +EXTERNALREF/);
  });

  it('repeats a creation with the same idempotency key once', async () => {
    const key = '6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34';
    const body = JSON.stringify({ title: 'Caneca', amount: 4990 });
    const file = join(place.dataDir, 'link.json');
    await writeFile(file, body);
    const first = await json('payment-links', 'create', '--data', body, '--idempotency-key', key);
    const second = await json('payment-links', 'create', '-d', `@${file}`, '--idempotency-key', key);
    expect(second.id).toBe(first.id);
    expect(await json('payment-links', 'list')).toHaveLength(1);
  });

  it('opens a dispute, withdraws, and advances the clock', async () => {
    const paid = await json('trigger', 'transaction.paid', '--amount', '9000');
    const dispute = await json('disputes', 'create', '--transaction', paid.id);
    expect(dispute).toMatchObject({ status: 'OPEN', transactionId: paid.id });
    await json('trigger', 'TRANSACTION_UPDATED', '--amount', '9000');
    const data = {
      beneficiaryName: 'Ana Souza',
      beneficiaryDocumentType: 'CPF',
      beneficiaryDocumentNumber: '52998224725',
    };
    const withdrawal = await json(
      'withdrawals',
      'create',
      '--amount',
      '2000',
      '--pix-key',
      'ana@example.com',
      '--pix-key-type',
      'EMAIL',
      '--data',
      JSON.stringify(data),
    );
    expect(withdrawal).toMatchObject({ amount: 2000, method: 'PIX' });
    expect((await json('clock', 'advance', '1h')).offsetSeconds).toBe(3600);
  });

  it('shows deliveries and their attempts', async () => {
    const { id } = await json('trigger', 'transaction.paid');
    await expect.poll(async () => (await json('logs', '--record', id)).length, { timeout: 20_000 }).toBe(1);
    const [delivery] = await json('logs', '--record', id);
    expect(await json('logs', delivery.id)).toMatchObject({ event: 'TRANSACTION_UPDATED', url: HOOK });
    expect((await json('trigger', 'ping'))[0]).toMatchObject({ deliveryId: expect.any(String) });
  });
});

/** They advance the clock, or change what others use: a risk rule, a webhook. They run alone. */
const runsAlone = (name: string): boolean =>
  /^(payment_link\.expired|release\.released)$|card_required|review|^(webhook|delivery)\.|^PING$/i.test(name);

/** The statuses of each kind of record, of the records whose names begin with it. */
const STATUSES: readonly (readonly [kind: string, statuses: readonly string[]])[] = [
  ['transaction', Object.keys(TRANSACTION_TRANSITIONS)],
  ['refund', REFUND_STATUSES],
  ['release', RELEASE_STATUSES],
  ['withdrawal', Object.keys(WITHDRAWAL_TRANSITIONS)],
  ['dispute', DISPUTE_STATUSES],
  ['subscription', SUBSCRIPTION_STATUSES],
  ['subscription_invoice', INVOICE_STATUSES],
  ['payment_link', LINK_STATUSES],
  ['webhook', WEBHOOK_STATUSES],
  ['delivery', DELIVERY_STATUSES],
  ['application', APPLICATION_STATUSES],
  ['seller', SELLER_STATUSES],
];

interface Part {
  readonly name: string;
  /** The first part of the names whose records have it. */
  readonly kind: string;
  readonly statuses: readonly string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly read: (record: any) => readonly string[];
}

/** Other statuses of these records. */
const PARTS: readonly Part[] = [
  { name: 'MED claim', kind: 'med', statuses: MED_STATUSES, read: ({ med }) => [med.status] },
  {
    name: 'review',
    kind: 'transaction',
    statuses: ['REVIEW', 'APPROVED', 'REFUSED'],
    read: ({ riskStatus }) => riskStatus ?? [],
  },
  {
    name: 'Pix Automático authorization',
    kind: 'subscription',
    statuses: AUTHORIZATION_STATUSES,
    read: ({ pixAutomatico }) => pixAutomatico?.status ?? [],
  },
  {
    name: 'attempt of an invoice',
    kind: 'subscription_invoice',
    statuses: ['PENDING', 'PAID', 'FAILED', 'CANCELLED'],
    read: ({ attempts }) => attempts.map(({ status }: { status: string }) => status),
  },
];

const NEW_SELLER = {
  name: 'Canecas',
  documentType: 'CPF',
  document: '52998224725',
  ownerName: 'Ana Souza',
  ownerPassword: 'quatro cavalos azuis dormem',
};

/** Not records: bodies of requests, and the health of the gateway. */
const isNoRecord = (schema: string): boolean => /Request$|^FailedHealth$/.test(schema);

/** The enumerations of members such as `status`, with the schemas that have them. */
function documentedStatuses(schemas: Readonly<Record<string, unknown>>): [string, string[]][] {
  const found: [string, string[]][] = [];
  const collect = (schema: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (/status$/i.test(key))
        found.push(...enumOf(value).map((names): [string, string[]] => [schema, names]));
      collect(schema, value);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) if (!isNoRecord(name)) collect(name, schema);
  return found;
}

/** Of a member that may be null, too. */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON
const enumOf = (member: any): string[][] =>
  [member, ...(member?.anyOf ?? [])]
    .map((part) => (part?.enum ?? []).filter((name: unknown) => typeof name === 'string'))
    .filter((names) => names.length > 0);

describe('trigger', () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  const printed = new Map<string, any>();

  beforeAll(async () => {
    const { email, password } = program.demo.admin;
    vi.stubEnv('VEREDA_ADMIN_EMAIL', email);
    vi.stubEnv('VEREDA_ADMIN_PASSWORD', password);
    const options = { url: program.baseUrl, apiKey: program.demo.apiKey };
    const client = new Vereda({ baseUrl: options.url, apiKey: options.apiKey });
    // In this process, because fifty starts of the program take longer than all scenarios.
    const simulate = async (name: string) => {
      const context = { vereda: client, amount: 5_000, medType: 'SCAM' as const, options };
      printed.set(name, await findScenario(name)(context));
    };
    await program.client.post('/webhooks', { url: receiver.url, eventType: 'ALL' });
    const open = eventNames().filter((name) => !runsAlone(name));
    const run = async () => {
      for (let name = open.pop(); name !== undefined; name = open.pop()) await simulate(name);
    };
    await Promise.all([run(), run(), run(), run()]);
    for (const name of eventNames().filter(runsAlone)) await simulate(name);
  }, 180_000);
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  it('simulates every event that the gateway documents', async () => {
    const types = (await program.client.get('/webhooks/event-types')).body.data;
    const documented = types.map(({ name }: { name: string }) => name);
    const names = await json('trigger');
    expect(names).toEqual(expect.arrayContaining(documented));
    expect([...printed.keys()].toSorted()).toEqual(names.toSorted());
    // Nothing simulated has unbalanced the ledger, or changed the seller that simulates.
    const { body } = await program.client.post('/login', program.demo.admin, { credential: 'none' });
    const check = await program.client.get('/admin/ledger/check', { token: body.accessToken });
    expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
    expect((await program.client.get('/transactions?take=1')).status).toBe(200);
    expect(printed.get('PING')[0].deliveryId).toMatch(/^[0-9a-f-]{36}$/);
    // A PING is no event of the stream.
    for (const type of documented.filter((name: string) => name !== 'PING')) {
      const events = await program.client.get(`/events?take=1&types=${type}`);
      expect(events.body.data).toMatchObject([{ event: type }]);
    }
  });

  const recordsOf = (kind: string) =>
    [...printed].filter(([name]) => name.startsWith(`${kind}.`)).map(([, record]) => record);

  it.each(STATUSES)('reaches every status of a %s', (kind, statuses) => {
    expect(new Set(recordsOf(kind).map(({ status }) => status))).toEqual(new Set(statuses));
  });

  it.each(PARTS)('reaches every status of a $name', ({ kind, statuses, read }) => {
    expect(new Set(recordsOf(kind).flatMap(read))).toEqual(new Set(statuses));
  });

  it('reaches every status that the API reference documents', async () => {
    const known = [...STATUSES.map(([, statuses]) => statuses), ...PARTS.map(({ statuses }) => statuses)];
    const sets = new Set(known.map((statuses) => statuses.toSorted().join(' ')));
    const response = await fetch(`${program.baseUrl.replace(/\/v1$/, '')}/openapi.json`);
    const documented = documentedStatuses(JSON.parse(await response.text()).components.schemas);
    expect(documented.length).toBeGreaterThan(20);
    expect(documented.filter(([, statuses]) => !sets.has(statuses.toSorted().join(' ')))).toEqual([]);
  });

  it('holds a transaction for a review, and decides it', () => {
    const reached = ['in_review', 'review_approved', 'review_refused'].map((name) => {
      const { status, riskStatus } = printed.get(`transaction.${name}`);
      return [status, riskStatus];
    });
    expect(reached).toEqual([
      ['PENDING', 'REVIEW'],
      ['PENDING', 'APPROVED'],
      ['REFUSED', 'REFUSED'],
    ]);
  });

  it('sends a PING to a sample webhook if the seller has none', async () => {
    const webhooks = (await program.client.get('/webhooks')).body.data;
    for (const { id } of webhooks) await program.client.call('DELETE', `/webhooks/${id}`);
    const [sent] = await json('trigger', 'PING');
    const [listed] = (await program.client.get('/webhooks')).body.data;
    expect(listed).toMatchObject({ url: 'https://shop.example/webhooks', status: 'ACTIVE' });
    expect(await json('logs', sent.deliveryId)).toMatchObject({ event: 'PING', webhookId: listed.id });
  });

  it.each([
    [{ open: false, confirmEmail: false }, 'the sign-up is closed: start the sandbox with SIGNUP=open'],
    [
      { open: true, confirmEmail: true },
      'a sign-up must be confirmed by email: start the sandbox with SIGNUP_CONFIRM_EMAIL=false',
    ],
  ])('names the setting that enables sign-ups: %o', async (data, message) => {
    const closed = createServer((_request, response) => response.end(JSON.stringify({ status: true, data })));
    const port = await freePort();
    closed.listen(port, '127.0.0.1');
    try {
      const failed = await vereda(['trigger', 'application.draft', '--url', `http://127.0.0.1:${port}`]);
      expect(failed).toMatchObject({ code: 1, stdout: '', stderr: `vereda: ${message}\n` });
    } finally {
      closed.close();
    }
  });

  it.each(['transaction.refunded', 'refund.failed', 'release.taken'])(
    'simulates %s for a seller without a balance, again and again',
    async (name) => {
      const { body } = await program.client.post('/login', program.demo.admin, { credential: 'none' });
      const token = body.accessToken;
      const seller = { ...NEW_SELLER, ownerEmail: `${name}@example.com` };
      const { id } = (await program.client.post('/admin/sellers', seller, { token })).body.data;
      const keyName = { name, role: 'OWNER' };
      const made = await program.client.post(`/admin/sellers/${id}/api-keys`, keyName, { token });
      const options = { url: program.baseUrl, apiKey: made.body.data.key };
      const client = new Vereda({ baseUrl: options.url, apiKey: options.apiKey });
      const context = { vereda: client, amount: 5_000, medType: 'SCAM' as const, options };
      const simulate = () => findScenario(name)(context);
      const first = await simulate();
      for (let run = 0; run < 2; run += 1)
        expect(await simulate()).toMatchObject({ status: Reflect.get(first, 'status') });
    },
  );

  it('takes the type of a MED claim', async () => {
    const claimed = await json('trigger', 'med.created', '--med-type', 'COERCION', '--amount', '7000');
    expect(claimed.med.type).toBe('COERCION');
    expect((await vereda(['trigger', 'med.created', '--med-type', 'x'])).code).toBe(2);
  });
});

describe('login and errors', () => {
  it('login verifies and saves the key for other commands, readable by the user only', async () => {
    const config = join(place.dataDir, 'login');
    const settings = { XDG_CONFIG_HOME: config, DATA_DIR: '', VEREDA_URL: program.baseUrl };
    const login = (key: string) =>
      place.runScript('packages/cli/src/main.ts', ['login'], settings, `${key}\n`).exit();
    const refused = await login('sk_test_wrong');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Unauthorized: check the API key.');
    expect(await login(program.demo.apiKey)).toMatchObject({ code: 0 });
    expect((await stat(join(config, 'vereda/config.json'))).mode & 0o777).toBe(0o600);
    const shown = await vereda(['config', '--json'], { XDG_CONFIG_HOME: config, DATA_DIR: '' });
    expect(JSON.parse(shown.stdout)).toMatchObject({ source: join(config, 'vereda/config.json') });
    expect(shown.stdout).not.toContain(program.demo.apiKey);
  });

  it('exits with different codes for a refusal, invalid usage and an unreachable gateway', async () => {
    const missing = await vereda(['transactions', 'get', '0198c1f2-7a10-4e6b-9c55-2b0000000000', '--json']);
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stderr)).toMatchObject({ code: 'transaction_not_found', status: 404 });
    expect((await vereda(['trigger', 'nothing'])).code).toBe(2);
    expect(await vereda(['transactions', 'create', '--amount', '15,00'])).toMatchObject({
      code: 2,
      stderr: 'vereda: --amount must be a number of cents, such as 1500 for R$ 15.00\n',
    });
    for (const file of ['/nowhere.json', place.dataDir]) {
      const unreadable = await vereda(['payment-links', 'create', '--data', `@${file}`]);
      expect(unreadable).toMatchObject({ code: 2, stdout: '' });
      expect(unreadable.stderr).toContain(`--data: the file ${file} cannot be read: E`);
    }
    expect((await vereda(['logs', '--limit', '0'])).stderr).toContain('--limit must be a positive integer');
    expect((await vereda(['nothing'])).code).toBe(2);
    expect((await vereda(['--help'])).code).toBe(0);
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const unreachable = await vereda(['transactions', 'list', '--url', nowhere]);
    expect(unreachable).toMatchObject({ code: 3, stdout: '' });
  });
});

it('ends silently when the reader of its output ends first', async () => {
  const pipe = `set -o pipefail; "$1" "$2" trigger | true`;
  const ended = await run('bash', ['-c', pipe, 'bash', process.execPath, join(CLI, 'src/main.ts')]);
  expect(ended).toEqual({ stdout: '', stderr: '' });
});

const settings = () => ({ VEREDA_API_KEY: program.demo.apiKey, VEREDA_URL: program.baseUrl });

describe('the package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vereda-cli-'));
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: CLI });
    const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true }');
    await run('npm', ['install', '--prefer-offline', '--no-audit', `./${archive}`], { cwd: folder });
  }, 120_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('runs with npx', { timeout: 30_000 }, async () => {
    const env = { ...process.env, ...settings() };
    const ran = await run('npx', ['vereda', 'trigger', 'transaction.paid', '--json'], { cwd: folder, env });
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'PAID' });
  });

  it('runs on Node 20', { timeout: 30_000 }, async ({ skip }) => {
    const node = await findNode20();
    if (node === undefined) return skip('Node 20 is not installed');
    const script = join(folder, 'node_modules/@vereda/cli/dist/vereda.js');
    const vereda = async (...args: string[]) =>
      (await run(node, [script, ...args, '--json'], { cwd: folder, env: settings() })).stdout;
    expect(JSON.parse(await vereda('trigger'))).toContain('transaction.paid');
    expect(JSON.parse(await vereda('trigger', 'transaction.paid'))).toMatchObject({ status: 'PAID' });
    expect(JSON.parse(await vereda('transactions', 'list'))).not.toEqual([]);
  });
});
