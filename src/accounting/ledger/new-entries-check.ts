import { add } from './check.ts';
import {
  NOTHING_CHECKED,
  ROWS_PER_STEP,
  runSellerStep,
  type Checked,
  type CheckDeps,
  type SellerCursor,
} from './check-steps.ts';
import { deleteMark, findMarks, saveMark, type SellerMark } from './store-check-marks.ts';
import { EMPTY_SUMS } from './store-entry-differences.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

const SELLERS_PER_READ = 500;

/** Called after each step, as `CheckOptions.afterStep`. */
type AfterStep = (checked: Checked, workedMs: number) => Promise<boolean>;

export interface NewEntriesCheck {
  readonly checked: Checked;
  /** The seller before the next one; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * Checks the entries that were booked since the last check of their seller, with their records,
 * chain and balances, of sellers with an id after `from`. Ends early if `afterStep` resolves to
 * false; the next call continues with the same seller.
 */
export async function checkNewEntries(
  deps: CheckDeps,
  from: string,
  afterStep: AfterStep,
): Promise<NewEntriesCheck> {
  let checked = NOTHING_CHECKED;
  let done = from;
  for (;;) {
    const sellers = await findMarks(deps.db, done, SELLERS_PER_READ);
    for (const seller of sellers) {
      const { checked: ofSeller, isComplete } = seller.isBehind
        ? await checkSeller(deps, seller, (step, workedMs) => afterStep(add(checked, step), workedMs))
        : UP_TO_DATE;
      checked = add(checked, ofSeller);
      if (!isComplete) return { checked, next: done };
      done = seller.sellerId;
    }
    if (sellers.length < SELLERS_PER_READ) return { checked, next: undefined };
  }
}

interface CheckedSeller {
  readonly checked: Checked;
  readonly isComplete: boolean;
}

const UP_TO_DATE: CheckedSeller = { checked: NOTHING_CHECKED, isComplete: true };

async function checkSeller(
  { db, secrets }: CheckDeps,
  { sellerId, mark }: SellerMark,
  afterStep: AfterStep,
): Promise<CheckedSeller> {
  const { sums = EMPTY_SUMS, chain } = mark ?? {};
  let cursor: SellerCursor = { id: sellerId, part: 'new entries', record: MIN_ID, sums, chain };
  let checked: Checked = { ...NOTHING_CHECKED, sellers: 1 };
  let goesOn = true;
  // Stored counts of transactions have nothing to do with new entries.
  while (goesOn && cursor.part !== 'counts') {
    const startedMs = performance.now();
    const step = await runSellerStep({ db, secrets }, cursor, ROWS_PER_STEP);
    checked = add(checked, step.checked);
    cursor = step.next ?? cursor;
    // Entries that are repaired are summed again from the first one.
    if (checked.discrepancies.length > 0) await deleteMark(db, sellerId);
    else await saveMark(db, sellerId, { sums: cursor.sums, chain: cursor.chain });
    goesOn = await afterStep(checked, performance.now() - startedMs);
  }
  return { checked, isComplete: cursor.part === 'counts' };
}
