import type { RequestOptions, Send } from './request.ts';

/** One page, as the gateway returned it. */
export interface Page<T> {
  readonly data: readonly T[];
  /** The number of records that match the filters, on all pages. */
  readonly count: number;
  /** More than `count` records match. */
  readonly countCapped?: true;
}

/**
 * The records that match a query. Requests pages while it is iterated:
 *
 *     for await (const transaction of vereda.transactions.list({ status: 'PAID' })) …
 */
export class List<T> implements AsyncIterable<T> {
  private readonly send: Send;
  private readonly path: string;
  private readonly query: object;
  private readonly options: RequestOptions | undefined;

  constructor(send: Send, path: string, query: object = {}, options?: RequestOptions) {
    this.send = send;
    this.path = path;
    this.query = query;
    this.options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Iterates pages of `take` records. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let query: object = this.query;
    for (;;) {
      const response = await this.send({ method: 'GET', path: this.path, query }, this.options);
      // Disputes and searches have their page in `data`.
      const page = toPage<T>(response);
      yield page;
      if (typeof page.nextCursor === 'string') {
        // `skip` would apply to the following page again.
        query = { ...this.query, skip: undefined, cursor: page.nextCursor };
      } else {
        const next = (page.skip ?? 0) + page.data.length;
        // Lists without pages have no `skip`.
        const isLast = page.nextCursor === null || page.skip === undefined || page.data.length === 0;
        if (isLast || (page.countCapped !== true && next >= page.count)) return;
        query = { ...query, skip: next };
      }
    }
  }

  /** All records as CSV, for lists that the API exports. */
  async csv(): Promise<string> {
    const query = { ...this.query, export: true };
    return String(await this.send({ method: 'GET', path: this.path, query, as: 'text' }, this.options));
  }

  /** The first `limit` records, in the order of the list. */
  async toArray(limit = 10_000): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}

interface AnyPage<T> extends Page<T> {
  readonly nextCursor?: string | null;
  readonly skip?: number;
}

function toPage<T>(response: unknown): AnyPage<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list, by the API
  const { data } = response as { data: unknown };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a page, by the API
  return (Array.isArray(data) ? response : data) as AnyPage<T>;
}
