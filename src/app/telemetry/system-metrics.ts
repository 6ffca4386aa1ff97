import type { Registry } from 'prom-client';

import type { Clock } from '#platform/kit/clock.ts';
import type { Backlog } from '#platform/database/backlog.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { lastCheck, type KeptCheck } from '#accounting/ledger/service.ts';
import { dueReturns, manualReturns } from '#payouts/reversals/service.ts';
import { dueOrders } from '#payments/transactions/service.ts';
import { VERSION } from '#platform/kit/version.ts';
import { duePayouts, undecidedWithdrawals } from '#payouts/withdrawals/service.ts';
import { systemState, type SystemState } from '#operator/system.ts';
import { addGauge } from '#platform/telemetry/gauge.ts';

/** The database is looked at no more often than this, however many ask. */
const LOOK_MS = 10_000;
/** A process that does due work and has not been seen for longer is gone; what its loops were doing is no news. */
const GONE_MS = 30_000;

/** What this process holds of the database. */
export function poolMetrics(registry: Registry, { pool }: Database): void {
  const registers = [registry];
  addGauge({
    name: 'database_pool_connections',
    help: 'Connections for ordinary queries, by state: busy or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  addGauge({
    name: 'database_pool_waiting',
    help: 'Callers that wait for a connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  addGauge({
    name: 'gateway_info',
    help: 'Always 1; the version stands in a label',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
  }).set({ version: VERSION }, 1);
}

interface Look extends SystemState {
  readonly ledger: KeptCheck | undefined;
  readonly due: Readonly<Record<'payouts' | 'returns' | 'charge orders', Backlog>>;
  readonly decisions: Readonly<Record<'withdrawals' | 'returns', Backlog>>;
}

async function lookAt(db: Db, now: Date): Promise<Look> {
  const [state, ledger, payouts, returns, orders, withdrawals, manual] = await Promise.all([
    systemState(db),
    lastCheck(db),
    duePayouts(db, now),
    dueReturns(db, now),
    dueOrders(db, now),
    undecidedWithdrawals(db),
    manualReturns(db),
  ]);
  return {
    ...state,
    ledger,
    due: { payouts, returns, 'charge orders': orders },
    decisions: { withdrawals, returns: manual },
  };
}

type Found = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

const depths = (found: Readonly<Record<string, Backlog>>): Found =>
  Object.entries(found).map(([kind, { depth }]) => [{ kind }, depth]);

/**
 * What the whole installation does, as its database tells: the same from every process that is asked, so that alerts take the
 * highest and do not add up. While the database is away none of it is told, and the other figures are.
 */
export function systemMetrics(registry: Registry, db: Db, clock: Clock): void {
  let looked: { readonly atMs: number; readonly look: Promise<Look> } | undefined;
  const look = (): Promise<Look> => {
    const now = performance.now();
    if (looked === undefined || now - looked.atMs >= LOOK_MS) {
      looked = { atMs: now, look: lookAt(db, clock.now()) };
    }
    return looked.look;
  };
  const gauge = (name: string, help: string, labelNames: readonly string[], tell: (found: Look) => Found) =>
    addGauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const found = await look().catch(() => undefined);
        this.reset();
        // Without a word is no figure at all: a 0 would say that all is well.
        if (found === undefined) this.remove({});
        else for (const [labels, value] of tell(found)) this.set(labels, value);
      },
    });
  const ageOf = (since: Date | null): number =>
    since === null ? 0 : Math.max(0, (clock.nowMs() - since.getTime()) / 1000);
  const ages = (found: Readonly<Record<string, Backlog>>): Found =>
    Object.entries(found).map(([kind, { oldest }]) => [{ kind }, ageOf(oldest)]);

  gauge('webhook_queue_depth', 'Deliveries that could be attempted now', [], ({ deliveries }) => [
    [{}, deliveries.due],
  ]);
  gauge('webhook_queue_waiting', 'Deliveries that wait for their next attempt', [], ({ deliveries }) => [
    [{}, deliveries.waiting],
  ]);
  gauge(
    'webhook_queue_oldest_seconds',
    'How long the oldest delivery that could be attempted now has been due',
    [],
    ({ deliveries }) => [[{}, ageOf(deliveries.oldestDueAt)]],
  );
  gauge('webhooks_disabled', 'Registrations that are disabled', [], (found) => [
    [{}, found.webhooksDisabled],
  ]);
  gauge(
    'provider_queue_depth',
    'Calls of providers that are due, by kind: payouts, returns, charge orders; up to 10000',
    ['kind'],
    ({ due }) => depths(due),
  );
  gauge(
    'provider_queue_oldest_seconds',
    'How long the oldest call of a provider has been due',
    ['kind'],
    ({ due }) => ages(due),
  );
  gauge(
    'operator_queue_depth',
    'What waits for the operator, by kind: withdrawals to decide, returns to send; up to 10000',
    ['kind'],
    ({ decisions }) => depths(decisions),
  );
  gauge(
    'operator_queue_oldest_seconds',
    'How long the oldest has been waiting for the operator',
    ['kind'],
    ({ decisions }) => ages(decisions),
  );
  gauge(
    'ledger_check_discrepancies',
    'What the last check of the ledger found; 0 is as it should be',
    [],
    ({ ledger }) => (ledger === undefined ? [] : [[{}, ledger.discrepancies]]),
  );
  gauge('ledger_check_timestamp_seconds', 'When the last check of the ledger ended', [], ({ ledger }) =>
    ledger === undefined ? [] : [[{}, ledger.finishedAt.getTime() / 1000]],
  );
  gauge('database_size_bytes', 'What the database takes on its disk', [], (found) => [
    [{}, found.databaseBytes],
  ]);
  gauge(
    'worker_last_seen_timestamp_seconds',
    'When a process that does due work last said that it lives; 0 where none has',
    [],
    ({ workers }) => [[{}, (workers[0]?.seenAt.getTime() ?? 0) / 1000]],
  );
  gauge(
    'worker_task_success_timestamp_seconds',
    'When a look of a task last ended well, in any process',
    ['task'],
    (found) => byTask(found, (one) => (one.successMs ?? 0) / 1000),
  );
  gauge(
    'worker_task_failures',
    'Looks of a task that have failed in a row, in the process where it is worst',
    ['task'],
    (found) => byTask(found, (one) => one.failures),
  );
}

/** The highest figure of each task over the processes that are alive. */
function byTask(
  { workers }: Look,
  figure: (one: { readonly successMs: number | undefined; readonly failures: number }) => number,
): Found {
  const highest = new Map<string, number>();
  for (const { seenAt, loops } of workers) {
    if (Date.now() - seenAt.getTime() > GONE_MS) continue;
    for (const { name, failures, lastSuccessAt } of loops) {
      const successMs = typeof lastSuccessAt === 'string' ? Date.parse(lastSuccessAt) : undefined;
      highest.set(name, Math.max(highest.get(name) ?? 0, figure({ successMs, failures })));
    }
  }
  return Array.from(highest, ([task, value]) => [{ task }, value] as const);
}
