import { expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import type { BacenClient } from './client.ts';
import { reconciliationJobs } from './reconciliation.ts';
import { claimList } from './store.ts';

const PAGES = 4;
const PAGE_MS = 100_000;
const MINUTE_MS = 60_000;

const opened = useDatabase();

/** A clock of the machine that tests move. */
class MovedClock extends Clock {
  movedMs = 0;

  override wallClockMs(): number {
    return Date.now() + this.movedMs;
  }
}

const handlePayments = () => Promise.resolve();

it('keeps its claim of a list that takes longer than the claim', async () => {
  const clock = new MovedClock();
  const claimedByOthers: unknown[] = [];
  const client: BacenClient = {
    async request() {
      claimedByOthers.push(await claimAsAnother(clock));
      clock.movedMs += PAGE_MS;
      return { status: 200, body: { parametros: { paginacao: { quantidadeDePaginas: PAGES } } } };
    },
    close: () => Promise.resolve(),
  };
  const [job] = reconciliationJobs({ db: opened.db, clock, name: 'bacen', client, handlePayments });
  await job?.run();
  expect(claimedByOthers).toEqual(Array.from({ length: PAGES }));
  clock.movedMs += 2 * MINUTE_MS;
  expect(await claimAsAnother(clock)).toBeInstanceOf(Date);
});

/** A list with this many pages for periods of this length. Records the periods that were read. */
function clientOf(pagesOf: (spanMs: number) => number) {
  const spans: (readonly [number, number])[] = [];
  const client: BacenClient = {
    async request({ query = {} }) {
      const [from = 0, to = 0] = ['inicio', 'fim'].map((name) => Date.parse(query[name] ?? ''));
      const quantidadeDePaginas = pagesOf(to - from);
      if (quantidadeDePaginas === 1) spans.push([from, to]);
      return { status: 200, body: { parametros: { paginacao: { quantidadeDePaginas } } } };
    },
    close: () => Promise.resolve(),
  };
  return { client, spans };
}

it('reads a period with too many pages in parts, without a gap', async () => {
  const clock = new MovedClock();
  const { client, spans } = clientOf((spanMs) => (spanMs > 3 * MINUTE_MS ? 10_001 : 1));
  const [job] = reconciliationJobs({ db: opened.db, clock, name: 'parts', client, handlePayments });
  await job?.run();
  const starts = spans.slice(1).map(([from]) => from);
  expect(starts).toEqual(spans.slice(0, -1).map(([, to]) => to));
  const [[first] = [0]] = spans;
  expect((spans.at(-1)?.[1] ?? 0) - first).toBe(10 * MINUTE_MS);
});

it('fails and keeps its position if a second has too many pages', async () => {
  const clock = new MovedClock();
  const { client } = clientOf(() => 10_001);
  const [job] = reconciliationJobs({ db: opened.db, clock, name: 'full', client, handlePayments });
  const before = clock.nowMs();
  await expect(job?.run()).rejects.toThrow('has more than 10000 pages');
  const claimedAt = clock.nowMs();
  clock.movedMs += 3 * MINUTE_MS;
  const position = (await claimAsAnother(clock, 'full'))?.getTime();
  expect(position).toBeGreaterThanOrEqual(before);
  expect(position).toBeLessThanOrEqual(claimedAt);
});

function claimAsAnother(clock: Clock, provider = 'bacen'): Promise<Date | undefined> {
  const now = clock.nowMs();
  return claimList(
    opened.db,
    { provider, list: 'pix' },
    {
      now: new Date(now),
      until: new Date(now + MINUTE_MS),
      maxClaimedUntil: new Date(now + 10 * MINUTE_MS),
      firstFrom: new Date(now),
    },
  );
}
