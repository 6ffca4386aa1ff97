import {
  createDailyTotalsJob,
  createHeadExportJob,
  createLedgerChainJob,
  createLedgerCheckJob,
} from '#accounting/ledger/service.ts';
import { createReversalExecution } from '#payouts/reversals/execution.ts';
import { createPayoutExecution } from '#payouts/withdrawals/payout-execution.ts';
import { createCleanupJob } from '#platform/jobs/cleanup.ts';
import { createClockRollbackJob } from '#platform/jobs/clock-rollback.ts';
import { createLostLeaseJob } from '#platform/jobs/lost-leases.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { AdapterIntegration } from '#providers/adapter.ts';
import { createScheduledEventJob } from '#providers/sandbox/scheduled-events.ts';
import { createRetention } from '#webhooks/retention.ts';
import type { JobName } from './job-names.ts';
import { CLEANUP_TARGETS, LEASED_TABLES } from './maintenance.ts';
import { createHeadSender } from './ledger-heads.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

const CHUNK_SIZE = 500;

export interface JobOptions extends Runtime {
  readonly services: Services;
  readonly integrations: readonly AdapterIntegration[];
  /** Certificate authorities of the receivers of webhooks, in PEM, for tests. */
  readonly receiverAuthorities?: string | undefined;
}

/** The jobs of a worker, besides the delivery of webhooks. Their names are part of the metrics. */
export function composeJobs({
  config,
  database,
  clock,
  log,
  services,
  integrations,
  receiverAuthorities,
}: JobOptions): readonly Job[] {
  // Nobody waits for a job, so its statements have no deadline.
  const { background: db } = database;
  const {
    registration: leaseHolder,
    secrets,
    webhooks,
    transactions,
    disputes,
    providerOperations,
    withdrawals,
  } = services;
  const { payoutProviders: providers, paymentReversers: reversers } = services;
  const { ledgerHeads } = config;
  const sendHeads = ledgerHeads && createHeadSender(ledgerHeads, receiverAuthorities);
  const handleEvent = services.providerEvents.handle;
  const checkLedger = createLedgerCheckJob({ db, secrets, log, everyHours: config.ledgerCheckHours });
  return [
    every(
      500,
      'expirations',
      chunked((size) => transactions.expireDue(size, providerOperations.expire)),
    ),
    every(1_000, 'releases', chunked(transactions.releaseDue)),
    every(30_000, 'transaction counts', chunked(transactions.compactCounts)),
    every(1_000, 'dispute deadlines', chunked(disputes.closeUnappealed)),
    every(1_000, 'waiting disputes', chunked(disputes.openWaiting)),
    every(250, 'payouts', createPayoutExecution({ db, clock, withdrawals, providers, log, leaseHolder })),
    every(250, 'reversals', createReversalExecution({ db, clock, reversers, log, leaseHolder })),
    every(250, 'provider operations', services.sweepOperations),
    ...integrations.flatMap(({ jobs }) => jobs ?? []),
    every(1_000, 'ledger chain', createLedgerChainJob({ db, clock, log, secrets })),
    every(60_000, 'ledger heads', createHeadExportJob({ db, log, ...(sendHeads && { send: sendHeads }) })),
    every(30_000, 'daily totals', createDailyTotalsJob(db)),
    every(60_000, 'cleanup', createCleanupJob({ db, clock }, CLEANUP_TARGETS)),
    every(1_000, 'lost leases', createLostLeaseJob({ db, log, leaseHolder }, LEASED_TABLES)),
    every(1_000, 'clock rollback', createClockRollbackJob({ db, clock, log }, LEASED_TABLES)),
    every(60_000, 'delivery log retention', createRetention({ db, clock, days: config.webhookLogDays })),
    { ...every(60_000, 'ledger check', checkLedger), abandonOnStop: true },
    every(60_000, 'disabled webhooks', () => webhooks.holdRemaining()),
    ...(config.mode === 'sandbox'
      ? [every(500, 'sandbox events', createScheduledEventJob({ db, clock, transactions, handleEvent }))]
      : []),
  ];
}

const every = (intervalMs: number, name: JobName, run: Job['run']): Job => ({ name, intervalMs, run });

/** A run that processes at most one chunk. A full chunk means that more may be due. */
const chunked = (run: (chunkSize: number) => Promise<number>) => async (): Promise<boolean> =>
  (await run(CHUNK_SIZE)) === CHUNK_SIZE;
