import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { openDatabase, type Database } from '#platform/database/connect.ts';
import { createLedgerCheckJob } from '#accounting/ledger/service.ts';
import { newId } from '#platform/kit/ids.ts';
import { startCollector, type Collector } from '#test/support/collector.ts';
import { freePort } from '#test/support/free-port.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode, type TestNode } from '#test/support/node.ts';
import { makePlace } from '#test/support/process.ts';
import { startReceiver, type Receiver } from '#test/support/receiver.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let collector: Collector;
let receiver: Receiver;
let gateway: TestGateway;
let database: Database;
beforeAll(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  gateway = await startTestGateway({
    environment: { ...SHARED_SECRETS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    receiverAuthorities: receiver.authority,
  });
  database = openDatabase({ url: gateway.database.url, poolSize: 2, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
  await receiver.close();
  await collector.close();
});

const scrape = async (baseUrl: string): Promise<string> => (await fetch(new URL('/metrics', baseUrl))).text();

/** The value of a series, by its name with labels as in the text. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const check = () =>
  createLedgerCheckJob({
    db: database.db,
    secrets: gateway.secrets,
    log: pino({ level: 'silent' }),
    everyHours: 24,
    startupDelayMs: 0,
  });

/**
 * A line to review of a file that came an hour ago, and unmatched events of today and last week.
 */
async function queueForOperator(): Promise<void> {
  const now = Date.now();
  const file = newId(now - 3_600_000);
  await gateway.database.query(
    `INSERT INTO cnab_returns (id, bank_code, sha256, bytes, number, taken_at)
     VALUES ($1, '341', '\\x00', 1, 1, $2)`,
    [file, new Date(now - 3_600_000)],
  );
  await gateway.database.query(
    `INSERT INTO cnab_return_lines (return_id, number, kind, code, record, amount, tariff, outcome)
     VALUES ($1, 1, 'PAID', '06', '1', 100, 0, 'UNMATCHED'), ($1, 2, 'NOTE', '00', '2', 0, 0, 'NOTED')`,
    [file],
  );
  for (const receivedMs of [now - 1_000, now - 7 * 24 * 3_600_000]) {
    await gateway.database.query(
      `INSERT INTO unmatched_provider_events (provider, provider_event_id, kind, claimed_seller,
         claimed_record, id, amount, occurred_at, received_at, detail)
       VALUES ('bacen', $1::uuid::text, 'PAYMENT', '', '', $1::uuid, 100, $2, $2, 'no such transaction')`,
      [newId(receivedMs), new Date(receivedMs)],
    );
  }
}

describe('/metrics', () => {
  it('omits the ledger before its first check', async () => {
    const node = await startNode({ databaseUrl: gateway.database.url, environment: {} });
    const text = await scrape(node.baseUrl);
    expect(valueOf(text, 'ledger_held_sellers')).toBe(0);
    expect(valueOf(text, 'ledger_check_discrepancies')).toBeUndefined();
    expect(valueOf(text, 'ledger_check_timestamp_seconds')).toBeUndefined();
    await node.stop();
  });

  it('returns metrics of the process and the whole installation', async () => {
    await gateway.post('/webhooks', { url: receiver.url, eventType: 'TRANSACTION' });
    const { body } = await gateway.charge({ amount: 50_000, items: [item(50_000)] });
    await gateway.post(`/sandbox/transactions/${body.data.id}/pay`);
    await receiver.waitFor(1, 15_000);
    const destination = { method: 'PIX', pixKey: '52998224725', pixKeyType: 'CPF' };
    const asked = await gateway.post(
      '/withdrawals',
      { amount: 1000, ...destination },
      { idempotencyKey: crypto.randomUUID() },
    );
    expect(asked.status).toBe(201);
    await queueForOperator();
    await check()();

    // The first heartbeat of the worker precedes the end of its first jobs.
    const looked = `SELECT 1 FROM worker_heartbeats, json_array_elements(loops) AS one
      WHERE one->>'name' = 'ledger chain' AND one->>'lastSuccessAt' IS NOT NULL`;
    await vi.waitFor(async () => expect(await gateway.database.query(looked)).toHaveLength(1), {
      timeout: 30_000,
      interval: 100,
    });
    const text = await scrape(gateway.baseUrl);
    const now = Date.now() / 1000;
    const creations =
      'http_request_duration_seconds_count{method="POST",route="/v1/transactions",status="201"}';
    expect(valueOf(text, creations)).toBe(1);
    expect(valueOf(text, 'database_batch_items_count{batch="creations"}')).toBe(1);
    expect(valueOf(text, 'database_batch_duration_seconds_count{batch="changes"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'database_batch_waiting{batch="attempts"}')).toBe(0);
    expect(valueOf(text, 'database_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, 'database_pool_waiting')).toBe(0);
    expect(valueOf(text, 'operator_queue_depth{kind="withdrawals"}')).toBe(1);
    expect(valueOf(text, 'operator_queue_depth{kind="reversals"}')).toBe(0);
    expect(valueOf(text, 'operator_queue_depth{kind="bank file lines"}')).toBe(1);
    expect(valueOf(text, 'operator_queue_oldest_seconds{kind="bank file lines"}')).toBeGreaterThan(3_500);
    expect(valueOf(text, 'operator_queue_depth{kind="unmatched provider events"}')).toBe(1);
    expect(valueOf(text, 'provider_queue_depth{kind="provider operations"}')).toBe(0);
    expect(valueOf(text, 'webhook_queue_depth')).toBe(0);
    expect(valueOf(text, 'webhooks_disabled')).toBe(0);
    expect(valueOf(text, 'ledger_check_discrepancies')).toBe(0);
    expect(valueOf(text, 'ledger_check_timestamp_seconds')).toBeGreaterThan(now - 60);
    expect(valueOf(text, 'worker_last_seen_timestamp_seconds')).toBeGreaterThan(now - 60);
    expect(valueOf(text, 'worker_task_failures{task="deliveries"}')).toBe(0);
    expect(valueOf(text, 'worker_task_success_timestamp_seconds{task="ledger chain"}')).toBeGreaterThan(
      now - 60,
    );
    expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(valueOf(text, 'database_size_bytes')).toBeGreaterThan(1_000_000);
  });

  it('has the results of the checks', async () => {
    await vi.waitFor(
      async () => {
        const text = await scrape(gateway.baseUrl);
        expect(valueOf(text, 'system_check_status{check="schema"}')).toBe(0);
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  it('of a process without a worker returns metrics of the whole installation too', async () => {
    const node = await startNode({ databaseUrl: gateway.database.url, environment: {} });
    const text = await scrape(node.baseUrl);
    expect(valueOf(text, 'operator_queue_depth{kind="withdrawals"}')).toBe(1);
    expect(valueOf(text, 'worker_task_failures{task="payouts"}')).toBe(0);
    await node.stop();
  });

  it('is served by a worker process if METRICS_PORT is set', async () => {
    const metricsPort = await freePort();
    const place = await makePlace({
      DATABASE_URL: gateway.database.url,
      ...SHARED_SECRETS,
      MODE: 'sandbox',
      METRICS_PORT: String(metricsPort),
    });
    try {
      const worker = place.run(['worker']);
      await vi.waitFor(
        async () => {
          const text = await scrape(`http://127.0.0.1:${metricsPort}`);
          expect(valueOf(text, 'webhook_queue_depth')).toBe(0);
        },
        { timeout: 30_000, interval: 100 },
      );
      const health = await fetch(`http://127.0.0.1:${metricsPort}/v1/health`);
      expect(health.status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${metricsPort}/v1/transactions`)).status).toBe(404);
      worker.signal('SIGTERM');
      expect(await worker.exit(10_000)).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await place.remove();
    }
  });
});

describe('the ledger check metrics', () => {
  it('are queried once per interval by any number of scrapes', async () => {
    const checks = async () =>
      gateway.database.query<{ discrepancies: number }>(
        "SELECT discrepancies FROM ledger_checks WHERE kind = 'ROUTINE' ORDER BY id",
      );
    const before = await checks();
    expect(before).toEqual([{ discrepancies: 0 }]);
    await Promise.all([check()(), check()()]);
    expect(await checks()).toHaveLength(1);
    // A cent is removed from a wallet, and a day passes.
    await gateway.database.query(`UPDATE wallets SET available = available + 1 WHERE origin = 'PIX'`);
    await gateway.database.query(`UPDATE ledger_checks SET started_at = started_at - interval '25 hours'`);
    await check()();
    const found = await checks();
    expect(found).toHaveLength(2);
    expect(found.at(-1)?.discrepancies).toBeGreaterThan(0);
    const node: TestNode = await startNode({ databaseUrl: gateway.database.url, environment: {} });
    expect(valueOf(await scrape(node.baseUrl), 'ledger_check_discrepancies')).toBeGreaterThan(0);
    await node.stop();
  });
});

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** Words in expressions that are not metrics: functions, keywords, and Prometheus's own metrics. */
const WORDS = new Set('abs absent and by histogram_quantile max min or rate sum time up'.split(' '));
/** Not of the gateway of this test, which shares no clock with its database and has no Redis. */
const OF_PROGRAMS = ['clock_skew_seconds', 'redis_up'];
/** Labels of Prometheus itself. */
const SCRAPE_LABELS = ['job', 'instance'];

/** Fails if an expression names a metric or a label that the gateway does not have. */
function expectKnown(text: string, expression: string): void {
  const families = [...Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name]) => name), ...OF_PROGRAMS];
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
  const names = (bare.match(/\b[a-z_][a-z0-9_]*/g) ?? []).filter((name) => !WORDS.has(name));
  for (const name of names) {
    const family = name.replace(/_(bucket|count|sum)$/, '');
    expect(families, `${name} in ${expression}`).toContain(family);
  }
  const known = labelsOf(text, names);
  const asked = [...expression.matchAll(/(\w+)!?=~?"/g), ...expression.matchAll(/by \(([^)]*)\)/g)];
  for (const [, labels = ''] of asked) {
    for (const label of labels.split(', ')) {
      if (SCRAPE_LABELS.includes(label) || known.size === 0) continue;
      expect(known, `${label} in ${expression}`).toContain(label);
    }
  }
}

it('the dashboard of Grafana has existing metrics and labels only', async () => {
  const text = await scrape(gateway.baseUrl);
  const json = await readFile(new URL('../../../deploy/grafana/vereda.json', import.meta.url), 'utf8');
  const { panels }: { panels: readonly { targets?: readonly { expr: string }[] }[] } = JSON.parse(json);
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(30);
  for (const expression of expressions) expectKnown(text, expression);
});

describe('the alerts of docs/alerts.yml', () => {
  it('use existing metrics and labels only', async () => {
    const text = await scrape(gateway.baseUrl);
    const expressions = expressionsOf(await readFile(`${DOCS}alerts.yml`, 'utf8'));
    expect(expressions.length).toBeGreaterThan(15);
    for (const expression of expressions) expectKnown(text, expression);
  });

  it('each have a section in the runbook, and no section is unused', async () => {
    const rules = await readFile(`${DOCS}alerts.yml`, 'utf8');
    const alerts = Array.from(rules.matchAll(/- alert: (\w+)/g), ([, name]) => name);
    const anchors = Array.from(rules.matchAll(/runbook: 'runbook\.md#(\w+)'/g), ([, name]) => name);
    expect(anchors).toEqual(alerts.map((name) => name?.toLowerCase()));
    const runbook = await readFile(`${DOCS}runbook.md`, 'utf8');
    const parts = Array.from(runbook.matchAll(/^### (\w+)$/gm), ([, name]) => name);
    expect(parts).toEqual(alerts);
  });
});

/** The expressions, one per line. */
function expressionsOf(rules: string): readonly string[] {
  return Array.from(rules.matchAll(/expr: (?:>-\n)?((?:.+\n)+?)\s+(?:for|labels):/g), ([, lines = '']) =>
    lines.replaceAll(/\s+/g, ' ').trim(),
  );
}

/** The labels of the current series of these metrics; empty if there are none. */
function labelsOf(text: string, names: readonly string[]): ReadonlySet<string> {
  const lines = text.split('\n').filter((line) => names.some((name) => line.startsWith(`${name}{`)));
  return new Set(lines.flatMap((line) => Array.from(line.matchAll(/(\w+)="/g), ([, label = '']) => label)));
}

const item = (amount: number) => ({ title: 'Caneca', amount, quantity: 1, tangible: true });
