import { Histogram, type Registry } from 'prom-client';

import { Batch, type BatchFactory, type BatchOptions } from '#platform/database/group-commit.ts';
import { addGauge } from './gauge.ts';
import type { Place, Tracing } from './tracing.ts';

/** Batches whose statements are measured, and seen in traces where those are kept. */
export function measuredBatches(registry: Registry, tracing: Tracing | undefined): BatchFactory {
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
  const made = new Map<string, { readonly waiting: number }>();
  addGauge({
    name: 'database_batch_waiting',
    help: 'Callers that wait for the next statement of a batch',
    labelNames: ['batch'],
    registers,
    collect() {
      for (const [batch, { waiting }] of made) this.set({ batch }, waiting);
    },
  });

  return <Item extends object, Outcome>(name: string, options: BatchOptions<Item, Outcome>) => {
    const size = sizes.labels({ batch: name });
    const duration = durations.labels({ batch: name });
    const measured: BatchOptions<Item, Outcome> = {
      ...options,
      async run(lane, items) {
        const begun = performance.now();
        try {
          return await options.run(lane, items);
        } finally {
          size.observe(items.length);
          duration.observe((performance.now() - begun) / 1000);
        }
      },
    };
    const batch = tracing === undefined ? new Batch(measured) : new TracedBatch(name, measured, tracing);
    made.set(name, batch);
    return batch;
  };
}

/** Each caller sees how long it waited, and each statement names the callers it served. */
class TracedBatch<Item extends object, Outcome> extends Batch<Item, Outcome> {
  readonly #name: string;
  readonly #tracing: Tracing;
  readonly #places: WeakMap<Item, Place>;

  constructor(name: string, options: BatchOptions<Item, Outcome>, tracing: Tracing) {
    const places = new WeakMap<Item, Place>();
    super({
      ...options,
      run(lane, items) {
        const callers = items.flatMap((item) => places.get(item) ?? []);
        // What nobody keeps a trace of leaves none here either.
        if (callers.length === 0) return options.run(lane, items);
        const attributes = { 'db.system.name': 'postgresql', 'batch.items': items.length };
        return tracing.shared(`batch ${name}`, callers, attributes, () => options.run(lane, items));
      },
    });
    this.#name = name;
    this.#tracing = tracing;
    this.#places = places;
  }

  override add(item: Item): Promise<Outcome> {
    if (this.#tracing.here() === undefined) return super.add(item);
    return this.#tracing.span(`wait for batch ${this.#name}`, {}, () => {
      const place = this.#tracing.here();
      if (place !== undefined) this.#places.set(item, place);
      return super.add(item);
    });
  }
}
