import {
  FIRST_CURSOR,
  NOTHING_CHECKED,
  ROWS_PER_STEP,
  runStep,
  type Checked,
  type CheckCursor,
  type CheckDeps,
  type Discrepancy,
} from './check-steps.ts';

/** The result of a ledger check, as the API and the command line return it. */
export interface LedgerCheck {
  readonly balanced: boolean;
  readonly sellers: number;
  readonly entries: number;
  /** Verified entries of the ledger chains. */
  readonly chainEntries: number;
  readonly discrepancies: readonly Discrepancy[];
}

/** How far a check is. */
export interface CheckState {
  readonly checked: Checked;
  /** Undefined at the end. */
  readonly cursor: CheckCursor | undefined;
}

export const NEW_CHECK: CheckState = { checked: NOTHING_CHECKED, cursor: FIRST_CURSOR };

const MAX_DISCREPANCIES_PER_KIND = 1_000;

export interface CheckOptions {
  /** Where the check begins or continues. */
  readonly from?: CheckState;
  /**
   * Called after each step with its duration. A background check leaves capacity to others here. If
   * it resolves to false, the check ends before it is complete.
   */
  readonly afterStep?: (state: CheckState, workedMs: number) => Promise<boolean>;
  readonly rowsPerStep?: number;
}

/**
 * Recomputes every balance from its entries, every entry from its cause, the ledger chains, and the
 * stored transaction counts, step by step. Concurrent bookings do not disturb it.
 */
export async function checkLedger(
  deps: CheckDeps,
  { from = NEW_CHECK, afterStep, rowsPerStep = ROWS_PER_STEP }: CheckOptions = {},
): Promise<CheckState> {
  let { checked, cursor } = from;
  while (cursor !== undefined) {
    const startedMs = performance.now();
    const step = await runStep(deps, cursor, rowsPerStep);
    checked = add(checked, step.checked);
    cursor = step.next;
    const goesOn = await afterStep?.({ checked, cursor }, performance.now() - startedMs);
    if (goesOn === false) break;
  }
  return { checked, cursor };
}

export const add = (total: Checked, step: Checked): Checked => ({
  sellers: total.sellers + step.sellers,
  entries: total.entries + step.entries,
  chainEntries: total.chainEntries + step.chainEntries,
  rows: total.rows + step.rows,
  discrepancies: limited([...total.discrepancies, ...step.discrepancies]),
});

function limited(discrepancies: readonly Discrepancy[]): readonly Discrepancy[] {
  const byKind = Map.groupBy(discrepancies, ({ kind }) => kind);
  return [...byKind.values()].flatMap((ofKind) => ofKind.slice(0, MAX_DISCREPANCIES_PER_KIND));
}

/** Discrepancies are ordered by kind and seller. */
export function resultOf({ sellers, entries, chainEntries, discrepancies }: Checked): LedgerCheck {
  const balanced = discrepancies.length === 0;
  const inOrder = discrepancies.toSorted(
    (one, other) =>
      compare(KINDS.indexOf(one.kind), KINDS.indexOf(other.kind)) || compare(one.sellerId, other.sellerId),
  );
  return { balanced, sellers, entries, chainEntries, discrepancies: inOrder };
}

const KINDS: readonly Discrepancy['kind'][] = [
  'BALANCE',
  'ENTRY',
  'TRANSACTION',
  'WITHDRAWAL',
  'CHAIN',
  'COUNT',
];

const compare = <Value extends string | number>(one: Value, other: Value): number =>
  one < other ? -1 : one > other ? 1 : 0;
