import { JobLoop, type Job, type LoopState } from '#platform/jobs/loop.ts';
import { PollingPace } from '#platform/jobs/polling-pace.ts';
import type { ClockSkew } from '#platform/database/clock-skew.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createDeliverer, type Deliverer } from '#webhooks/deliverer.ts';
import { createWebhookMetrics } from '#webhooks/metrics.ts';
import { createSender } from '#webhooks/sender.ts';
import { composeJobs, type JobOptions } from './jobs.ts';
import { createDueCheck } from './due-jobs.ts';
import type { JobName } from './job-names.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { tracedSender } from './telemetry/webhook-calls.ts';

/** A longer pause was requested by a clock that was since set back. */
const MAX_PAUSE_MS = 5 * 60_000;
const DELIVERY_INTERVAL_MS = 100;
const RETRY_INTERVAL_MS = 250;

export interface Worker {
  start(): void;
  /** Runs the delivery of webhooks now. */
  wakeDeliveries(): void;
  /** This process has written what may be work for a job. */
  noticeActivity(): void;
  /**
   * Runs no job before this time of the machine's clock, in milliseconds since 1970. A past time
   * ends the pause.
   */
  pauseUntil(ms: number): void;
  /** Runs every job now, because the clock was advanced. */
  wakeAll(): void;
  states(): readonly LoopState[];
  stop(graceMs: number): Promise<void>;
}

export interface WorkerOptions extends JobOptions, Telemetry {
  readonly notifyWorker: () => void;
  /** No job runs while it is exceeded. */
  readonly clockSkew: Pick<ClockSkew, 'checkExceeded'>;
  /** Whether requests to this process notify it of new work. */
  readonly servesRequests: boolean;
  /** Certificate authorities of webhook receivers in PEM, instead of Node's own. */
  readonly receiverAuthorities?: string | undefined;
}

/** The worker with the delivery of webhooks and all jobs. */
export function composeWorker(options: WorkerOptions): Worker {
  const { config, database, clock, log, services, tracing, registry, groupCommit } = options;
  const ca = options.receiverAuthorities;
  const sender = createSender({
    allowPrivate: config.webhookAllowPrivate,
    ...(ca === undefined ? {} : { ca }),
  });
  return createWorker({
    log,
    deliverer: createDeliverer({
      database,
      clock,
      log,
      groupCommit,
      notifier: services.notifier,
      leaseHolder: services.registration,
      webhooks: services.webhooks,
      metrics: createWebhookMetrics(registry),
      sender: tracedSender(sender, tracing),
      onCapacity: options.notifyWorker,
    }),
    jobs: composeJobs(options),
    isDue: createDueCheck({ db: database.background, clock }),
    clockSkew: options.clockSkew,
    servesRequests: options.servesRequests,
    settleCalls: () => services.registration.settle(),
    ...(tracing === undefined ? {} : { traceJob: (name, run) => tracing.task(name, run) }),
  });
}

interface WorkerDeps {
  readonly log: Logger;
  readonly deliverer: Deliverer;
  readonly jobs: readonly Job[];
  /** Whether a job that had no more work may have some now. */
  readonly isDue: (job: string) => Promise<boolean>;
  readonly clockSkew: Pick<ClockSkew, 'checkExceeded'>;
  /** Whether requests to this process notify it of new work. */
  readonly servesRequests: boolean;
  /** Waits for the calls of providers that outlast the runs of their jobs. */
  readonly settleCalls: () => Promise<void>;
  /** Wraps each run of a job. */
  readonly traceJob?: (name: string, run: Job['run']) => Promise<boolean>;
}

/** Runs jobs until it is stopped. Several workers may run side by side. */
function createWorker(deps: WorkerDeps): Worker {
  const {
    log,
    deliverer,
    jobs,
    isDue,
    clockSkew,
    servesRequests,
    settleCalls,
    traceJob = (_name, run) => run(),
  } = deps;
  let pausedUntilMs = 0;
  const isPaused = async (): Promise<boolean> =>
    (await clockSkew.checkExceeded()) ||
    (pausedUntilMs > Date.now() && pausedUntilMs < Date.now() + MAX_PAUSE_MS);
  const pace = new PollingPace({ servesRequests });
  const createLoop = (job: Job): JobLoop => {
    let more = false;
    const run = async () => {
      if (await isPaused()) return false;
      if (!more && !(await isDue(job.name))) return false;
      more = await traceJob(job.name, job.run);
      if (more) pace.noticeWork(job.intervalMs);
      return more;
    };
    return new JobLoop({ ...job, run }, log, pace);
  };
  const every = (intervalMs: number, name: JobName, run: Job['run']): JobLoop =>
    createLoop({ name, intervalMs, run });
  const deliveries = every(DELIVERY_INTERVAL_MS, 'deliveries', () => deliverer.claim());
  const retries = every(RETRY_INTERVAL_MS, 'retries', () => deliverer.markReady());
  const loops = [deliveries, retries, ...jobs.map(createLoop)];
  return {
    start: () => {
      for (const loop of loops) loop.start();
    },
    wakeDeliveries: () => {
      pace.notice();
      deliveries.wake();
    },
    noticeActivity: () => pace.notice(),
    pauseUntil: (ms) => {
      pausedUntilMs = ms;
    },
    wakeAll: () => {
      pace.notice();
      for (const loop of loops) loop.wake();
    },
    states: () => loops.map((loop) => loop.state),
    async stop(graceMs) {
      await Promise.all(loops.map((loop) => loop.stop()));
      await deliverer.stop(graceMs);
      await settleCalls();
    },
  };
}
