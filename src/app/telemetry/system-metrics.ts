import type { Registry } from 'prom-client';

import type { Clock } from '#platform/kit/clock.ts';
import type { Backlog } from '#platform/database/backlog.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { getLastLedgerCheck, type CompletedLedgerCheck } from '#accounting/ledger/service.ts';
import { countDueReversals, countManualReversals } from '#payouts/reversals/service.ts';
import { countDueOperations } from '#payments/operations/service.ts';
import { VERSION } from '#platform/kit/version.ts';
import { countDuePayouts, countPendingWithdrawals } from '#payouts/withdrawals/service.ts';
import { readSystemState, type SystemState } from '#operator/system.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';

/** The database is looked at no more often than this, however many ask. */
const SNAPSHOT_TTL_MS = 10_000;
/** A process that does due work and has not been seen for longer is gone; what its loops were doing is no news. */
const WORKER_STALE_AFTER_MS = 30_000;

/** What this process holds of the database. */
export function registerPoolMetrics(registry: Registry, { pool }: Database): void {
  const registers = [registry];
  registerGauge({
    name: 'database_pool_connections',
    help: 'Connections for ordinary queries, by state: busy or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  registerGauge({
    name: 'database_pool_waiting',
    help: 'Callers that wait for a connection',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  registerGauge({
    name: 'gateway_info',
    help: 'Always 1; the version stands in a label',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
}

interface SystemSnapshot extends SystemState {
  readonly ledger: CompletedLedgerCheck | undefined;
  readonly due: Readonly<Record<'payouts' | 'returns' | 'charge orders', Backlog>>;
  readonly decisions: Readonly<Record<'withdrawals' | 'returns', Backlog>>;
}

async function readSnapshot(db: Db, now: Date): Promise<SystemSnapshot> {
  const [state, ledger, payouts, returns, orders, withdrawals, manual] = await Promise.all([
    readSystemState(db),
    getLastLedgerCheck(db),
    countDuePayouts(db, now),
    countDueReversals(db, now),
    countDueOperations(db, now),
    countPendingWithdrawals(db),
    countManualReversals(db),
  ]);
  return {
    ...state,
    ledger,
    due: { payouts, returns, 'charge orders': orders },
    decisions: { withdrawals, returns: manual },
  };
}

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

const depthSamples = (backlogs: Readonly<Record<string, Backlog>>): Samples =>
  Object.entries(backlogs).map(([kind, { depth }]) => [{ kind }, depth]);

/**
 * What the whole installation does, as its database tells: the same from every process that is asked, so that alerts take the
 * highest and do not add up. While the database is away none of it is told, and the other figures are.
 */
export function registerSystemMetrics(registry: Registry, db: Db, clock: Clock): void {
  let cached: { readonly atMs: number; readonly snapshot: Promise<SystemSnapshot> } | undefined;
  const currentSnapshot = (): Promise<SystemSnapshot> => {
    const now = performance.now();
    if (cached === undefined || now - cached.atMs >= SNAPSHOT_TTL_MS) {
      cached = { atMs: now, snapshot: readSnapshot(db, clock.now()) };
    }
    return cached.snapshot;
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    toSamples: (found: SystemSnapshot) => Samples,
  ) =>
    registerGauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const snapshot = await currentSnapshot().catch(() => undefined);
        this.reset();
        // Without a word is no figure at all: a 0 would say that all is well.
        if (snapshot === undefined) this.remove({});
        else for (const [labels, value] of toSamples(snapshot)) this.set(labels, value);
      },
    });
  const ageOf = (since: Date | null): number =>
    since === null ? 0 : Math.max(0, (clock.nowMs() - since.getTime()) / 1000);
  const ageSamples = (backlogs: Readonly<Record<string, Backlog>>): Samples =>
    Object.entries(backlogs).map(([kind, { oldest }]) => [{ kind }, ageOf(oldest)]);

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
    ({ due }) => depthSamples(due),
  );
  gauge(
    'provider_queue_oldest_seconds',
    'How long the oldest call of a provider has been due',
    ['kind'],
    ({ due }) => ageSamples(due),
  );
  gauge(
    'operator_queue_depth',
    'What waits for the operator, by kind: withdrawals to decide, returns to send; up to 10000',
    ['kind'],
    ({ decisions }) => depthSamples(decisions),
  );
  gauge(
    'operator_queue_oldest_seconds',
    'How long the oldest has been waiting for the operator',
    ['kind'],
    ({ decisions }) => ageSamples(decisions),
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
  { workers }: SystemSnapshot,
  figure: (one: { readonly successMs: number | undefined; readonly failures: number }) => number,
): Samples {
  const highest = new Map<string, number>();
  for (const { seenAt, loops } of workers) {
    if (Date.now() - seenAt.getTime() > WORKER_STALE_AFTER_MS) continue;
    for (const { name, failures, lastSuccessAt } of loops) {
      const successMs = typeof lastSuccessAt === 'string' ? Date.parse(lastSuccessAt) : undefined;
      highest.set(name, Math.max(highest.get(name) ?? 0, figure({ successMs, failures })));
    }
  }
  return Array.from(highest, ([task, value]) => [{ task }, value] as const);
}
