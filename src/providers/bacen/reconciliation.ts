import type { ProviderContext, ProviderJob } from '#providers/adapter.ts';
import type { BacenClient } from './client.ts';
import type { PaymentsHandler } from './pix-payments.ts';
import { PixPage, parseAs } from './messages.ts';
import { advanceList, claimList, type ListKey } from './store.ts';

const POLL_INTERVAL_MS = 2_000;
const LEASE_MS = 120_000;
const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 100;
/** A period with more pages is read in parts. */
const MAX_PAGES = 10_000;
/** A period that is not divided any more. */
const MIN_SPAN_MS = 1_000;
const TOO_MANY_PAGES = `the provider's list of payments has more than ${MAX_PAGES} pages`;
const DAY_MS = 24 * 3_600_000;

interface ListOptions {
  readonly list: ListKey['list'];
  readonly everyMs: number;
  /** Time before the last position to read again: payments may be listed late. */
  readonly overlapMs: number;
  /** Longest period of one query. PSPs reject longer ones. */
  readonly spanMs: number;
  readonly query: Readonly<Record<string, string>>;
}

/** Payments with a txid, every minute. */
const PAYMENTS: ListOptions = {
  list: 'pix',
  everyMs: 60_000,
  overlapMs: 10 * 60_000,
  spanMs: DAY_MS,
  query: { txIdPresente: 'true' },
};

/** Payments are listed by their own time, and can be refunded for 90 days. */
const REFUNDED_PAYMENTS: ListOptions = {
  list: 'returned',
  everyMs: 6 * 3_600_000,
  overlapMs: 91 * DAY_MS,
  spanMs: 7 * DAY_MS,
  query: { txIdPresente: 'true', devolucaoPresente: 'true' },
};

export interface ReconciliationDeps extends Pick<ProviderContext, 'db' | 'clock'> {
  readonly name: string;
  readonly client: BacenClient;
  readonly handlePayments: PaymentsHandler;
}

/** Jobs that read the PSP's lists of payments, so that a lost callback loses no payment. */
export function reconciliationJobs(deps: ReconciliationDeps): readonly ProviderJob[] {
  return [PAYMENTS, REFUNDED_PAYMENTS].map((options) => ({
    name: `payments at ${deps.name} (${options.list})`,
    intervalMs: POLL_INTERVAL_MS,
    run: async () => {
      await readList(deps, options);
      return false;
    },
  }));
}

/** Reads a list from its last position if it is due and no other process reads it. */
async function readList(deps: ReconciliationDeps, options: ListOptions): Promise<void> {
  const { db } = deps;
  const { list, everyMs, overlapMs, spanMs, query } = options;
  const key = { provider: deps.name, list };
  const now = deps.clock.wallClockMs();
  const readUntil = await claimList(db, key, {
    now: new Date(now),
    until: new Date(now + LEASE_MS),
    maxClaimedUntil: new Date(now + everyMs + LEASE_MS),
    firstFrom: new Date(now),
  });
  if (readUntil === undefined) return;
  let position = readUntil.getTime();
  const saveProgress = (): Promise<void> =>
    advanceList(db, key, {
      readUntil: new Date(position),
      dueAt: new Date(deps.clock.wallClockMs() + LEASE_MS),
    });
  // After a clock rollback, the position is in the future.
  let from = Math.min(position, now) - overlapMs;
  let currentSpanMs = spanMs;
  while (from < now) {
    const to = Math.min(now, from + currentSpanMs);
    if (await readSpan(deps, { from, to }, query, saveProgress)) {
      position = Math.max(to, position);
      await saveProgress();
      from = to;
    } else {
      currentSpanMs = Math.ceil((to - from) / 2);
      if (currentSpanMs < MIN_SPAN_MS) throw new Error(TOO_MANY_PAGES);
    }
  }
  await advanceList(db, key, { readUntil: new Date(now), dueAt: new Date(now + everyMs) });
}

/**
 * Reads the payments of a period page by page, and calls `onPage` after each. Returns false, and reads
 * nothing, if there are too many pages.
 */
async function readSpan(
  { client, handlePayments }: ReconciliationDeps,
  { from, to }: { readonly from: number; readonly to: number },
  query: ListOptions['query'],
  onPage: () => Promise<void>,
): Promise<boolean> {
  const span = { inicio: new Date(from).toISOString(), fim: new Date(to).toISOString() };
  const failures: unknown[] = [];
  for (let page = 0; ; page += 1) {
    const paging = {
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(PAGE_SIZE),
    };
    const request = { method: 'GET', path: '/pix', query: { ...span, ...query, ...paging } } as const;
    const response = await client.request(request, AbortSignal.timeout(TIMEOUT_MS));
    const parsed = response.status < 300 ? parseAs(PixPage, response.body) : undefined;
    if (parsed === undefined) throw new Error(`malformed list of payments (HTTP ${response.status})`);
    const { quantidadeDePaginas: pageCount } = parsed.parametros.paginacao;
    if (pageCount > MAX_PAGES) {
      if (page === 0) return false;
      throw new Error(TOO_MANY_PAGES);
    }
    // A payment that can neither be applied nor stored must not hide later ones. Its failure is
    // thrown after the last page, and the span is read again.
    await handlePayments(parsed.pix ?? []).catch((error: unknown) => failures.push(error));
    if (page + 1 >= pageCount) break;
    // Extends the claim, which is shorter than a long list takes.
    await onPage();
  }
  if (failures.length > 0) throw failures[0];
  return true;
}
