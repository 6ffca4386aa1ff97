import { Histogram, type Registry } from 'prom-client';

import { Batcher, type BatcherFactory, type BatcherOptions } from '#platform/database/group-commit.ts';
import { registerGauge } from './gauge.ts';
import type { SpanContext, Tracing } from './tracing.ts';

/** Batches whose statements are measured, and seen in traces where those are kept. */
export function createMeasuredBatcherFactory(
  registry: Registry,
  tracing: Tracing | undefined,
): BatcherFactory {
  const registers = [registry];
  const sizes = new Histogram({
    name: 'database_batch_items',
    help: 'How many callers one statement of a batch served',
    labelNames: ['batch'],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const durations = new Histogram({
    name: 'database_batch_duration_seconds',
    help: 'How long one statement of a batch took, with its commit',
    labelNames: ['batch'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers,
  });
  const batchers = new Map<string, { readonly waiting: number }>();
  registerGauge({
    name: 'database_batch_waiting',
    help: 'Callers that wait for the next statement of a batch',
    labelNames: ['batch'],
    registers,
    collect() {
      for (const [batch, { waiting }] of batchers) this.set({ batch }, waiting);
    },
  });

  return <Item extends object, Outcome>(name: string, options: BatcherOptions<Item, Outcome>) => {
    const size = sizes.labels({ batch: name });
    const duration = durations.labels({ batch: name });
    const measured: BatcherOptions<Item, Outcome> = {
      ...options,
      async run(slot, items) {
        const startedAt = performance.now();
        try {
          return await options.run(slot, items);
        } finally {
          size.observe(items.length);
          duration.observe((performance.now() - startedAt) / 1000);
        }
      },
    };
    const batch = tracing === undefined ? new Batcher(measured) : new TracedBatcher(name, measured, tracing);
    batchers.set(name, batch);
    return batch;
  };
}

/** Each caller sees how long it waited, and each statement names the callers it served. */
class TracedBatcher<Item extends object, Outcome> extends Batcher<Item, Outcome> {
  readonly #name: string;
  readonly #tracing: Tracing;
  readonly #spanContexts: WeakMap<Item, SpanContext>;

  constructor(name: string, options: BatcherOptions<Item, Outcome>, tracing: Tracing) {
    const spanContexts = new WeakMap<Item, SpanContext>();
    super({
      ...options,
      run(slot, items) {
        const callers = items.flatMap((item) => spanContexts.get(item) ?? []);
        // What nobody keeps a trace of leaves none here either.
        if (callers.length === 0) return options.run(slot, items);
        const attributes = { 'db.system.name': 'postgresql', 'batch.items': items.length };
        return tracing.sharedSpan(`batch ${name}`, callers, attributes, () => options.run(slot, items));
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
