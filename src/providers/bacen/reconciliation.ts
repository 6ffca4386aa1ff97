import type { ProviderContext } from '#providers/adapter.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { BacenClient } from './client.ts';
import type { PixPaymentHandler } from './pix-payments.ts';
import { PixPage, parseAs } from './messages.ts';
import { advanceList, claimList, type ListKey } from './store.ts';

const POLL_INTERVAL_MS = 2_000;
const LEASE_MS = 120_000;
const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 100;
const MAX_PAGES = 10_000;
const DAY_MS = 24 * 3_600_000;

interface ListOptions {
  readonly list: ListKey['list'];
  readonly everyMs: number;
  /** How far before the last reading it begins again: a payment may be listed later than it was made, and clocks differ. */
  readonly overlapMs: number;
  /** PSPs refuse spans that are too long; what lies further back is read span by span. */
  readonly spanMs: number;
  readonly query: Readonly<Record<string, string>>;
}

/** All payments with a txid, every minute. */
const PAYMENTS: ListOptions = {
  list: 'pix',
  everyMs: 60_000,
  overlapMs: 10 * 60_000,
  spanMs: DAY_MS,
  query: { txIdPresente: 'true' },
};

/** Payments are listed by when they were made, and money can go back for ninety days. */
const REFUNDED_PAYMENTS: ListOptions = {
  list: 'returned',
  everyMs: 6 * 3_600_000,
  overlapMs: 91 * DAY_MS,
  spanMs: 7 * DAY_MS,
  query: { txIdPresente: 'true', devolucaoPresente: 'true' },
};

/** Reads what the PSP has received, so that a payment is known though every callback of it was lost. */
export function reconciliationJobs(
  name: string,
  client: BacenClient,
  { db, clock }: ProviderContext,
  paymentHandler: PixPaymentHandler,
): readonly Job[] {
  /** The provider lives in the world's time, which the sandbox's clock may be ahead of. */
  const realTimeMs = (): number => clock.nowMs() - clock.offsetMs;

  async function readSpan(from: number, to: number, query: ListOptions['query']): Promise<void> {
    const span = { inicio: new Date(from).toISOString(), fim: new Date(to).toISOString() };
    const failures: unknown[] = [];
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const paging = {
        'paginacao.paginaAtual': String(page),
        'paginacao.itensPorPagina': String(PAGE_SIZE),
      };
      const request = { method: 'GET', path: '/pix', query: { ...span, ...query, ...paging } } as const;
      const response = await client.request(request, AbortSignal.timeout(TIMEOUT_MS));
      const parsed = response.status < 300 ? parseAs(PixPage, response.body) : undefined;
      if (parsed === undefined) {
        throw new Error(`the list of payments came in a form that is not known (HTTP ${response.status})`);
      }
      // What cannot be taken is told at the end, and looked at again next time: it must not hide what comes after it.
      await paymentHandler.handleAll(parsed.pix ?? []).catch((error: unknown) => failures.push(error));
      if (page + 1 >= parsed.parametros.paginacao.quantidadeDePaginas) break;
    }
    if (failures.length > 0) throw failures[0];
  }

  const jobOf = ({ list, everyMs, overlapMs, spanMs, query }: ListOptions): Job => ({
    name: `payments at ${name} (${list})`,
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      const key = { provider: name, list };
      const now = realTimeMs();
      const claim = {
        now: new Date(now),
        until: new Date(now + LEASE_MS),
        maxClaimedUntil: new Date(now + everyMs + LEASE_MS),
        firstFrom: new Date(now),
      };
      const readUntil = await claimList(db, key, claim);
      if (readUntil === undefined) return false;
      // Where the clock was set back, it has been read until a time that is still to come.
      for (let from = Math.min(readUntil.getTime(), now) - overlapMs; from < now; from += spanMs) {
        const to = Math.min(now, from + spanMs);
        await readSpan(from, to, query);
        // A long reading is claimed on, and what of it is done stays done.
        const done = {
          readUntil: new Date(Math.max(to, readUntil.getTime())),
          dueAt: new Date(realTimeMs() + LEASE_MS),
        };
        await advanceList(db, key, done);
      }
      await advanceList(db, key, { readUntil: new Date(now), dueAt: new Date(now + everyMs) });
      return false;
    },
  });

  return [jobOf(PAYMENTS), jobOf(REFUNDED_PAYMENTS)];
}
