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

  override nowMs(): number {
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

function claimAsAnother(clock: Clock): Promise<Date | undefined> {
  const now = clock.nowMs();
  return claimList(
    opened.db,
    { provider: 'bacen', list: 'pix' },
    {
      now: new Date(now),
      until: new Date(now + MINUTE_MS),
      maxClaimedUntil: new Date(now + 10 * MINUTE_MS),
      firstFrom: new Date(now),
    },
  );
}
