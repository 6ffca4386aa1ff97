import {
  createDailyTotalsJob,
  createHeadExportJob,
  createLedgerChainJob,
  createLedgerCheckJob,
  createMovementTotalsJob,
} from '#accounting/ledger/service.ts';
import { createMailDelivery } from '#notifications/delivery.ts';
import { createMailSender } from '#notifications/sender.ts';
import { createBoletoReminderJob } from '#payments/boletos/reminders.ts';
import { createReversalExecution } from '#payouts/reversals/execution.ts';
import { createPayoutExecution } from '#payouts/withdrawals/payout-execution.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import type { Mode } from '#platform/config/settings.ts';
import { createDailyCountsJob } from '#platform/database/daily-counts.ts';
import { perShard } from '#platform/database/shards/each-shard.ts';
import { createCleanupJob } from '#platform/jobs/cleanup.ts';
import { createClockRollbackJob } from '#platform/jobs/clock-rollback.ts';
import { createLostLeaseJob } from '#platform/jobs/lost-leases.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { AdapterIntegration } from '#providers/adapter.ts';
import { createScheduledEventJob } from '#providers/sandbox/scheduled-events.ts';
import { createDailySummaryJob } from '#reports/daily-summary.ts';
import { createSearchIndexJob } from '#payments/search/service.ts';
import { createAuthorizationJob } from '#subscriptions/authorizations.ts';
import { createCardCheckJob } from '#subscriptions/card-checks.ts';
import { createChargingJob } from '#subscriptions/charging.ts';
import { createOpeningJob } from '#subscriptions/opening.ts';
import { createOutcomeJob } from '#subscriptions/outcomes.ts';
import { createRetention } from '#webhooks/retention.ts';
import type { JobName } from './job-names.ts';
import { CLEANUP_TARGETS, COUNTED_LISTS, LEASED_TABLES } from './maintenance.ts';
import { createHeadSender } from './ledger-heads.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

const CHUNK_SIZE = 500;
/** Deletes expired rows in a quarter of the time, so that a million of them delay no request. */
const RETENTION_PAUSE_FACTOR = 3;

export interface JobOptions extends Runtime {
  readonly services: Services;
  readonly integrations: readonly AdapterIntegration[];
  /** Certificate authorities of the receivers of webhooks, in PEM, for tests. */
  readonly receiverAuthorities?: string | undefined;
}

/** The jobs of a worker, besides the delivery of webhooks. Their names are part of the metrics. */
export function composeJobs(options: JobOptions): readonly Job[] {
  const { config, database, clock, log, services, integrations, receiverAuthorities } = options;
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
  const { payoutProviders: providers, paymentReversers: reversers, routing } = services;
  const { ledgerHeads } = config;
  const sendHeads = ledgerHeads && createHeadSender(ledgerHeads, receiverAuthorities);
  const checkLedger = createLedgerCheckJob({ db, secrets, log, everyHours: config.ledgerCheckHours });
  return [
    every(
      500,
      'expirations',
      chunked((size) => transactions.expireDue(size, providerOperations.expire)),
    ),
    every(boletoExpiryMs(config.mode), 'boleto expirations', chunked(transactions.expireDueBoletos)),
    every(1_000, 'releases', chunked(transactions.releaseDue)),
    every(30_000, 'transaction counts', chunked(transactions.compactCounts)),
    every(1_000, 'completed payment links', () => services.paymentLinks.cancelUnpaid(CHUNK_SIZE)),
    every(1_000, 'dispute deadlines', chunked(applyDeadlines(disputes))),
    every(1_000, 'waiting disputes', chunked(disputes.openWaiting)),
    every(
      250,
      'payouts',
      createPayoutExecution({ db, clock, withdrawals, providers, log, leaseHolder, routing }),
    ),
    every(250, 'reversals', createReversalExecution({ db, clock, reversers, log, leaseHolder })),
    every(250, 'provider operations', services.sweepOperations),
    ...subscriptionJobs(services),
    ...integrations.flatMap(({ jobs }) => jobs ?? []),
    ...ledgerJobs({ db, clock, log, secrets, sendHeads }),
    every(
      5_000,
      'provider movement totals',
      createMovementTotalsJob({ db, clock, findCosts: services.providerCosts.findForCharges }),
    ),
    every(5_000, 'reconciled days', services.reconciliation.updateStoredDays),
    every(10_000, 'daily counts', createDailyCountsJob({ db, clock }, COUNTED_LISTS)),
    paced(every(60_000, 'cleanup', createCleanupJob({ db, clock }, CLEANUP_TARGETS))),
    every(
      5_000,
      'search index',
      perShard(db, (shard) => createSearchIndexJob({ db: shard, clock, sources: services.searchSources })),
    ),
    every(1_000, 'lost leases', createLostLeaseJob({ db, log, leaseHolder }, LEASED_TABLES)),
    every(1_000, 'clock rollback', createClockRollbackJob({ db, clock, log }, LEASED_TABLES)),
    deliveryLogRetention(options),
    { ...every(60_000, 'ledger check', checkLedger), abandonOnStop: true },
    every(250, 'mails', composeMailDelivery(options, 'user')),
    every(250, 'payer mails', composeMailDelivery(options, 'payer')),
    every(60_000, 'boleto reminders', createBoletoReminderJob({ db, clock, notifier: services.notifier })),
    every(60_000, 'daily summaries', createDailySummaryJob({ db, clock, notifier: services.notifier })),
    every(250, 'password resets', services.users.processResetRequest),
    every(250, 'sign-ups', services.signups.mailNext),
    paced(every(60_000, 'application retention', chunked(services.applications.eraseDue))),
    every(1_000, 'second factor resets', chunked(services.users.executeDueResets)),
    every(60_000, 'disabled webhooks', () => webhooks.holdRemaining()),
    ...sandboxJobs(options),
  ];
}

const deliveryLogRetention = ({ database, clock, services }: JobOptions): Job => {
  const getDays = async () => (await services.settings.getAdjustable()).webhookLogDays;
  const run = perShard(database.background, (db) => createRetention({ db, clock, getDays }));
  return paced(every(60_000, 'delivery log retention', run));
};

/** Ends disputes whose deadline has passed, and reminds of those that are near. */
const applyDeadlines = (disputes: Services['disputes']) => async (limit: number) =>
  Math.max(await disputes.closeUnappealed(limit), await disputes.remindOfDeadlines(limit));

/** The events that the sandbox's providers report later. */
const sandboxJobs = ({ config, database, clock, services }: JobOptions): readonly Job[] => {
  const { transactions, subscriptions, providerEvents } = services;
  const deps = { db: database.background, clock, transactions, subscriptions };
  const run = createScheduledEventJob({ ...deps, handleEvent: providerEvents.handle });
  return config.mode === 'sandbox' ? [every(500, 'sandbox events', run)] : [];
};

/** Cycles of subscriptions. Opening them is paced, so that a day with many delays no request. */
const subscriptionJobs = ({ subscriptionDeps: deps }: Services): readonly Job[] => [
  {
    ...every(
      250,
      'subscription cycles',
      perShard(deps.db, (db) => createOpeningJob({ ...deps, db })),
    ),
    pauseFactor: 1,
  },
  every(250, 'subscription charges', createChargingJob(deps)),
  every(
    250,
    'subscription outcomes',
    perShard(deps.db, (db) => createOutcomeJob({ ...deps, db })),
  ),
  every(
    1_000,
    'subscription cards',
    perShard(deps.db, (db) => createCardCheckJob({ ...deps, db })),
  ),
  every(250, 'pix authorizations', createAuthorizationJob(deps)),
];

/** Outside the sandbox without an SMTP server, no mail is written. */
function composeMailDelivery(
  { config, database, clock, log, services, receiverAuthorities }: JobOptions,
  audience: 'user' | 'payer',
) {
  const { mail, mode, publicUrl } = config;
  const { secrets, registration: leaseHolder } = services;
  const { smtp, from = `no-reply@${new URL(publicUrl).hostname}` } = mail;
  const sandbox = mode === 'sandbox';
  const send = smtp && createMailSender({ smtp, from, sandbox, ca: receiverAuthorities });
  const deps = { db: database.background, clock, log, leaseHolder, secrets, publicUrl, send };
  return createMailDelivery(deps, audience);
}

interface LedgerJobDeps extends Pick<Runtime, 'clock' | 'log'> {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly sendHeads: ReturnType<typeof createHeadSender> | undefined;
}

/** The jobs that continue what is kept for each seller. */
const ledgerJobs = ({ db, clock, log, secrets, sendHeads }: LedgerJobDeps): readonly Job[] => [
  every(
    1_000,
    'ledger chain',
    perShard(db, (shard) => createLedgerChainJob({ db: shard, clock, log, secrets })),
  ),
  every(
    60_000,
    'ledger heads',
    perShard(db, (shard) => createHeadExportJob({ db: shard, log, ...(sendHeads && { send: sendHeads }) })),
  ),
  every(30_000, 'daily totals', perShard(db, createDailyTotalsJob)),
];

/** Outside the sandbox boletos expire at the end of a day, and wait for the files of their bank. */
const boletoExpiryMs = (mode: Mode): number => (mode === 'sandbox' ? 500 : 60_000);

const every = (intervalMs: number, name: JobName, run: Job['run']): Job => ({ name, intervalMs, run });

const paced = (job: Job): Job => ({ ...job, pauseFactor: RETENTION_PAUSE_FACTOR });

/** A run that processes at most one chunk. A full chunk means that more may be due. */
const chunked = (run: (chunkSize: number) => Promise<number>) => async (): Promise<boolean> =>
  (await run(CHUNK_SIZE)) === CHUNK_SIZE;
