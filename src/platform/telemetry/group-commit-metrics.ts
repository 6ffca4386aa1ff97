import { Histogram, type Registry } from 'prom-client';

import {
  GroupCommit,
  type GroupCommitFactory,
  type GroupCommitOptions,
} from '#platform/database/group-commit.ts';
import type { RunBatch } from '#platform/database/batch-queue.ts';
import { registerGauge } from './gauge.ts';
import type { SpanContext, Tracing } from './tracing.ts';

/** Returns a factory of group commits with metrics, and with spans where tracing is on. */
export function instrumentGroupCommits(registry: Registry, tracing: Tracing | undefined): GroupCommitFactory {
  const metrics = registerMetrics(registry);
  return <Item extends object, Outcome>(name: string, options: GroupCommitOptions<Item, Outcome>) => {
    const { run, isolation } = options;
    const measured: GroupCommitOptions<Item, Outcome> = {
      ...options,
      run: metrics.measure(name, run),
      isolation: isolation && { ...isolation, run: metrics.measure(`${name} isolated`, isolation.run) },
    };
    const groupCommit =
      tracing === undefined ? new GroupCommit(measured) : new TracedGroupCommit(name, measured, tracing);
    metrics.groupCommits.set(name, groupCommit);
    return groupCommit;
  };
}

function registerMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['batch'] as const;
  const groupCommits = new Map<string, Pick<GroupCommit<object, unknown>, 'waiting' | 'blockedGroups'>>();
  registerGauge({
    name: 'database_batch_waiting',
    help: 'Callers waiting for the next statement of a group commit',
    labelNames,
    registers,
    collect() {
      for (const [batch, { waiting }] of groupCommits) this.set({ batch }, waiting);
    },
  });
  registerGauge({
    name: 'database_batch_locked_sellers',
    help: 'Sellers whose rows others have locked, so that their items run apart from the others',
    labelNames,
    registers,
    collect() {
      for (const [batch, { blockedGroups }] of groupCommits) this.set({ batch }, blockedGroups.length);
    },
  });
  const sizes = new Histogram({
    name: 'database_batch_items',
    help: 'Number of callers served by one statement of a group commit',
    labelNames,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const durations = new Histogram({
    name: 'database_batch_duration_seconds',
    help: 'Duration of one statement of a group commit, including its commit',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  });
  return {
    groupCommits,
    measure<Item, Outcome>(batch: string, run: RunBatch<Item, Outcome>): RunBatch<Item, Outcome> {
      const size = sizes.labels({ batch });
      const duration = durations.labels({ batch });
      return async (items) => {
        const startedAt = performance.now();
        try {
          return await run(items);
        } finally {
          size.observe(items.length);
          duration.observe((performance.now() - startedAt) / 1000);
        }
      };
    },
  };
}

/**
 * Records how long each caller waits, and links the span of each statement to the callers that it
 * serves.
 */
class TracedGroupCommit<Item extends object, Outcome> extends GroupCommit<Item, Outcome> {
  readonly #name: string;
  readonly #tracing: Tracing;
  readonly #spanContexts: WeakMap<Item, SpanContext>;

  constructor(name: string, options: GroupCommitOptions<Item, Outcome>, tracing: Tracing) {
    const spanContexts = new WeakMap<Item, SpanContext>();
    super({
      ...options,
      run(items) {
        const callers = items.flatMap((item) => spanContexts.get(item) ?? []);
        // A statement has a span only if one of its callers is sampled.
        if (callers.length === 0) return options.run(items);
        const attributes = { 'db.system.name': 'postgresql', 'batch.items': items.length };
        return tracing.sharedSpan(`batch ${name}`, { callers, attributes }, () => options.run(items));
      },
    });
    this.#name = name;
    this.#tracing = tracing;
    this.#spanContexts = spanContexts;
  }

  override add(item: Item): Promise<Outcome> {
    if (this.#tracing.activeSpanContext() === undefined) return super.add(item);
    return this.#tracing.span(`wait for batch ${this.#name}`, {}, () => {
      const spanContext = this.#tracing.activeSpanContext();
      if (spanContext !== undefined) this.#spanContexts.set(item, spanContext);
      return super.add(item);
    });
  }
}
