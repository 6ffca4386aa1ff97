import type { Registry } from 'prom-client';

import {
  countHeldSellers,
  getLedgerCheckSummary,
  type LedgerCheckSummary,
} from '#accounting/ledger/service.ts';
import { countLinesToReview } from '#cnab/exchange/service.ts';
import { readSystemState, type SystemState } from '#operator/system.ts';
import { countDueOperations } from '#payments/operations/service.ts';
import { countDueVerifications, countUnmatchedEvents } from '#payments/provider-events/service.ts';
import { countDueReversals, countManualReversals } from '#payouts/reversals/service.ts';
import { countDuePayouts, countPendingWithdrawals } from '#payouts/withdrawals/service.ts';
import type { Backlog } from '#platform/database/backlog.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { registerGauge } from '#platform/telemetry/gauge.ts';

/** Scrapes within this time share one snapshot. */
const SNAPSHOT_TTL_MS = 10_000;
/** A worker without a heartbeat for longer has stopped, and the state of its jobs is ignored. */
const WORKER_STALE_AFTER_MS = 30_000;

/** Nobody settles an unmatched event, so it counts for this long. */
const DAY_MS = 24 * 3_600_000;

type Backlogs = Readonly<Record<string, Backlog>>;

interface SystemSnapshot extends SystemState {
  readonly ledger: LedgerCheckSummary;
  readonly heldSellers: number;
  /** Calls to providers that are due, by kind. */
  readonly due: Backlogs;
  /** Decisions of the operator, by kind. */
  readonly decisions: Backlogs;
}

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

interface SystemGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly samplesOf: (snapshot: SystemSnapshot, nowMs: number) => Samples;
}

const SYSTEM_GAUGES: readonly SystemGauge[] = [
  {
    name: 'webhook_queue_depth',
    help: 'Webhook deliveries that are due',
    samplesOf: ({ deliveries }) => [[{}, deliveries.due]],
  },
  {
    name: 'webhook_queue_waiting',
    help: 'Webhook deliveries that wait for their next attempt',
    samplesOf: ({ deliveries }) => [[{}, deliveries.waiting]],
  },
  {
    name: 'webhook_queue_oldest_seconds',
    help: 'How long the oldest due webhook delivery has been due',
    samplesOf: ({ deliveries }, nowMs) => [[{}, ageInSeconds(deliveries.oldestDueAt, nowMs)]],
  },
  {
    name: 'webhooks_disabled',
    help: 'Disabled webhooks',
    samplesOf: ({ webhooksDisabled }) => [[{}, webhooksDisabled]],
  },
  {
    name: 'payouts_paused',
    help: 'Whether payouts and remittance files are paused after a restore',
    samplesOf: ({ payoutsPaused }) => [[{}, payoutsPaused === null ? 0 : 1]],
  },
  {
    name: 'provider_queue_depth',
    help:
      'Calls to providers that are due, by kind: payouts, reversals, provider operations, ' +
      'payment verifications; up to 10000',
    labelNames: ['kind'],
    samplesOf: ({ due }) => depthsOf(due),
  },
  {
    name: 'provider_queue_oldest_seconds',
    help: 'How long the oldest call to a provider has been due',
    labelNames: ['kind'],
    samplesOf: ({ due }, nowMs) => agesOf(due, nowMs),
  },
  {
    name: 'operator_queue_depth',
    help:
      'Decisions that wait for the operator, by kind: withdrawals, reversals, bank file lines, ' +
      'unmatched provider events of the last day; up to 10000',
    labelNames: ['kind'],
    samplesOf: ({ decisions }) => depthsOf(decisions),
  },
  {
    name: 'operator_queue_oldest_seconds',
    help: 'How long the oldest has been waiting for the operator',
    labelNames: ['kind'],
    samplesOf: ({ decisions }, nowMs) => agesOf(decisions, nowMs),
  },
  {
    name: 'ledger_check_discrepancies',
    help: 'Discrepancies of the ledger since its last complete check started; 0 is expected',
    samplesOf: ({ ledger: { finishedAt, discrepancies } }) =>
      finishedAt === null && discrepancies === 0 ? [] : [[{}, discrepancies]],
  },
  {
    name: 'ledger_check_timestamp_seconds',
    help: 'When the last complete ledger check finished',
    samplesOf: ({ ledger: { finishedAt } }) =>
      finishedAt === null ? [] : [[{}, finishedAt.getTime() / 1000]],
  },
  {
    name: 'ledger_held_sellers',
    help: 'Sellers with a ledger entry that the gateway did not book, whose payouts wait; 0 is expected',
    samplesOf: ({ heldSellers }) => [[{}, heldSellers]],
  },
  {
    name: 'database_size_bytes',
    help: 'Size of the database on disk',
    samplesOf: ({ databaseBytes }) => [[{}, databaseBytes]],
  },
  {
    name: 'worker_last_seen_timestamp_seconds',
    help: 'The last heartbeat of any worker; 0 without one',
    samplesOf: ({ workers }) => [[{}, (workers[0]?.seenAt.getTime() ?? 0) / 1000]],
  },
  {
    name: 'worker_task_success_timestamp_seconds',
    help: 'When a job last succeeded, in any process',
    labelNames: ['task'],
    samplesOf: ({ workers }) => maxByJob(workers, ({ lastSuccessAt }) => secondsOf(lastSuccessAt)),
  },
  {
    name: 'worker_task_failures',
    help: 'Consecutive failures of a job, in the process with the most',
    labelNames: ['task'],
    samplesOf: ({ workers }) => maxByJob(workers, ({ failures }) => failures),
  },
];

/**
 * Registers the metrics of the whole installation, read from its database. They are the same in
 * every process, so alerts take their maximum. While the database is unavailable they are absent.
 */
export function registerSystemMetrics(registry: Registry, db: Db, clock: Clock): void {
  let cached: { readonly atMs: number; readonly snapshot: Promise<SystemSnapshot> } | undefined;
  const currentSnapshot = (): Promise<SystemSnapshot> => {
    const atMs = performance.now();
    if (cached === undefined || atMs - cached.atMs >= SNAPSHOT_TTL_MS) {
      cached = { atMs, snapshot: readSnapshot(db, clock.now()) };
    }
    return cached.snapshot;
  };
  for (const { name, help, labelNames = [], samplesOf } of SYSTEM_GAUGES) {
    registerGauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const snapshot = await currentSnapshot().catch(() => undefined);
        this.reset();
        // A gauge without labels keeps a 0, which would be the result of a check that has not run.
        this.remove({});
        if (snapshot === undefined) return;
        for (const [labels, value] of samplesOf(snapshot, clock.nowMs())) this.set(labels, value);
      },
    });
  }
}

async function readSnapshot(db: Db, now: Date): Promise<SystemSnapshot> {
  const [state, ledger, heldSellers, payouts, reversals, operations, verifications, ...decisions] =
    await Promise.all([
      readSystemState(db),
      getLedgerCheckSummary(db),
      countHeldSellers(db),
      countDuePayouts(db, now),
      countDueReversals(db, now),
      countDueOperations(db, now),
      countDueVerifications(db, now),
      countPendingWithdrawals(db),
      countManualReversals(db),
      countUnmatchedEvents(db, new Date(now.getTime() - DAY_MS)),
      countLinesToReview(db),
    ]);
  const [withdrawals, manualReversals, unmatched, lines] = decisions;
  return {
    ...state,
    ledger,
    heldSellers,
    due: { payouts, reversals, 'provider operations': operations, 'payment verifications': verifications },
    decisions: {
      withdrawals,
      reversals: manualReversals,
      'unmatched provider events': unmatched,
      'bank file lines': lines,
    },
  };
}

const depthsOf = (backlogs: Backlogs): Samples =>
  Object.entries(backlogs).map(([kind, { depth }]) => [{ kind }, depth]);

const agesOf = (backlogs: Backlogs, nowMs: number): Samples =>
  Object.entries(backlogs).map(([kind, { oldest }]) => [{ kind }, ageInSeconds(oldest, nowMs)]);

const ageInSeconds = (since: Date | null, nowMs: number): number =>
  since === null ? 0 : Math.max(0, (nowMs - since.getTime()) / 1000);

type Workers = SystemState['workers'];
type JobState = Workers[number]['loops'][number];

/** The highest value of each job over the running workers. */
function maxByJob(workers: Workers, valueOf: (job: JobState) => number): Samples {
  const highest = new Map<string, number>();
  for (const { seenAt, loops } of workers) {
    if (Date.now() - seenAt.getTime() > WORKER_STALE_AFTER_MS) continue;
    for (const job of loops) highest.set(job.name, Math.max(highest.get(job.name) ?? 0, valueOf(job)));
  }
  return Array.from(highest, ([task, value]) => [{ task }, value] as const);
}

const secondsOf = (timestamp: unknown): number =>
  typeof timestamp === 'string' ? Date.parse(timestamp) / 1000 : 0;
