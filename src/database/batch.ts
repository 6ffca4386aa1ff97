/**
 * Group commit. Callers that arrive while a lane is busy are gathered into its next set-based statement, so that
 * under load one commit serves many; an idle lane takes a batch of one at once, so that no one waits for company.
 */

export interface BatchOptions<Item, Outcome> {
  /** Runs one batch; answers the outcome of each item, in the order of the items. Must be safe to repeat. */
  readonly run: (lane: number, items: readonly Item[]) => Promise<readonly Outcome[]>;
  readonly lanes: number;
  /** Items of one statement, at most. */
  readonly maxItems?: number;
  /** Items waiting, at most; past it callers are refused at once instead of piling up in memory. */
  readonly maxWaiting?: number;
}

/** More callers wait than the database can serve. */
export class OverloadError extends Error {
  override readonly name = 'OverloadError';
  constructor() {
    super('too many callers wait for the database');
  }
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class Batch<Item, Outcome> {
  readonly #run: BatchOptions<Item, Outcome>['run'];
  readonly #maxItems: number;
  readonly #maxWaiting: number;
  readonly #idleLanes: number[];
  #waiting: Waiting<Item, Outcome>[] = [];

  constructor(options: BatchOptions<Item, Outcome>) {
    this.#run = options.run;
    this.#maxItems = options.maxItems ?? 256;
    this.#maxWaiting = options.maxWaiting ?? 10_000;
    this.#idleLanes = Array.from({ length: options.lanes }, (_, lane) => lane);
  }

  add(item: Item): Promise<Outcome> {
    if (this.#waiting.length >= this.#maxWaiting) return Promise.reject(new OverloadError());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    if (this.#waiting.length === 0) return;
    const lane = this.#idleLanes.pop();
    if (lane === undefined) return;
    void this.#drive(lane);
  }

  async #drive(lane: number): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxItems);
      await this.#settle(lane, batch);
    }
    this.#idleLanes.push(lane);
  }

  /** One poisonous item must not fail its neighbours: a batch that fails is halved until the item stands alone. */
  async #settle(lane: number, batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#run(
        lane,
        batch.map((waiting) => waiting.item),
      );
      for (const [index, waiting] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) waiting.reject(new Error('a batch answered fewer outcomes than items'));
        else waiting.resolve(outcome);
      }
    } catch (error) {
      if (batch.length === 1 || !isWorthSplitting(error)) {
        for (const waiting of batch) waiting.reject(error);
        return;
      }
      const middle = batch.length >> 1;
      await this.#settle(lane, batch.slice(0, middle));
      await this.#settle(lane, batch.slice(middle));
    }
  }
}

/** Data (22), constraint (23) and program limit (54) errors come from an item; anything else would hit the halves too. */
function isWorthSplitting(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(22|23|54)/.test(error.code)
  );
}
