import { Histogram, type Registry } from 'prom-client';

import {
  GroupCommit,
  type GroupCommitFactory,
  type GroupCommitOptions,
} from '#platform/database/group-commit.ts';
import { registerGauge } from './gauge.ts';
import type { SpanContext, Tracing } from './tracing.ts';

/** Returns a factory of group commits with metrics, and with spans where tracing is on. */
export function instrumentGroupCommits(registry: Registry, tracing: Tracing | undefined): GroupCommitFactory {
  const metrics = registerMetrics(registry);
  return <Item extends object, Outcome>(name: string, options: GroupCommitOptions<Item, Outcome>) => {
    const size = metrics.sizes.labels({ batch: name });
    const duration = metrics.durations.labels({ batch: name });
    const measured: GroupCommitOptions<Item, Outcome> = {
      ...options,
      async run(items) {
        const startedAt = performance.now();
        try {
          return await options.run(items);
        } finally {
          size.observe(items.length);
          duration.observe((performance.now() - startedAt) / 1000);
        }
      },
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
  const groupCommits = new Map<string, { readonly waiting: number }>();
  registerGauge({
    name: 'database_batch_waiting',
    help: 'Callers waiting for the next statement of a group commit',
    labelNames,
    registers,
    collect() {
      for (const [batch, { waiting }] of groupCommits) this.set({ batch }, waiting);
    },
  });
  return {
    groupCommits,
    sizes: new Histogram({
      name: 'database_batch_items',
      help: 'Number of callers served by one statement of a group commit',
      labelNames,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    durations: new Histogram({
      name: 'database_batch_duration_seconds',
      help: 'Duration of one statement of a group commit, including its commit',
      labelNames,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    }),
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
