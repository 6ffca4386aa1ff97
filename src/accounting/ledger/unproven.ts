import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { isProven } from './proofs.ts';
import {
  findEntriesFrom,
  findImpossibleRecord,
  hasEntryWithProof,
  type EntryRow,
  type LastEntryIds,
} from './store-chain.ts';

/** Position and balances after the last entry of an origin, in cents. */
interface BalanceState {
  readonly position: number;
  readonly availableAfter: number;
  readonly blockedAfter: number;
}

/** What is wrong with the next entries of a chain, how many were read, and what they lead to. */
export interface NextEntries {
  readonly entries: number;
  readonly problem: string | undefined;
  /** The states after them, as a chain entry stores them. */
  readonly balances: string;
}

/** The end of a chain, by its last entry. */
export interface ChainEnd {
  readonly lastEntryIds: LastEntryIds;
  readonly balances: string;
}

/**
 * Reads the next entries that the chain of a seller does not cover. Each must have the proof of a
 * process that booked it, follow from the state at the end of the chain, have no proof that another
 * entry has, and be possible beside the other entries of its record.
 */
export async function verifyNextEntries(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  next: { readonly sellerId: string; readonly from: ChainEnd; readonly limitPerOrigin: number },
): Promise<NextEntries> {
  const { sellerId, from, limitPerOrigin } = next;
  const rows = await findEntriesFrom(trx, { sellerId, from: from.lastEntryIds, limitPerOrigin });
  const states = parseBalances(from.balances);
  const unchained: EntryRow[] = [];
  const failed = (problem: string): NextEntries => ({ entries: unchained.length, problem, balances: '' });
  for (const [origin, last] of lastIdsByOrigin(from.lastEntryIds)) {
    const balance = rows.filter((row) => row.origin === origin);
    const covered = last === null ? undefined : balance.shift();
    unchained.push(...balance);
    if (last !== null && covered?.id !== last) return failed(`entry ${last} is missing`);
    const start = states.get(origin) ?? FIRST;
    if (covered !== undefined && !isAfter(covered, start)) return failed(`entry ${covered.id} was changed`);
    const { end, problem } = verifyOrder(start, balance, secrets);
    if (problem !== undefined) return failed(problem);
    const copied = await findCopy(trx, covered, balance);
    if (copied) return failed(`an entry of ${origin} is the copy of another one`);
    if (end.position > 0) states.set(origin, end);
  }
  const recordIds = new Set(unchained.map(({ recordId }) => recordId));
  const impossible =
    recordIds.size > 0 ? await findImpossibleRecord(trx, sellerId, [...recordIds]) : undefined;
  if (impossible !== undefined) return failed(`the entries of record ${impossible} contradict each other`);
  return { entries: unchained.length, problem: undefined, balances: formatBalances(states) };
}

const lastIdsByOrigin = ({ pix, boleto, card }: LastEntryIds) =>
  [
    ['PIX', pix],
    ['BOLETO', boleto],
    ['CARD', card],
  ] as const;

/** The state after entries that are proven and follow from each other, or the first problem. */
function verifyOrder(
  start: BalanceState,
  rows: readonly EntryRow[],
  secrets: SecretBox,
): { readonly end: BalanceState; readonly problem?: string } {
  let end = start;
  for (const row of rows) {
    if (!isProven(secrets, row)) return { end, problem: `entry ${row.id} was not booked by the gateway` };
    end = {
      position: end.position + 1,
      availableAfter: end.availableAfter + change(row, isAvailable),
      blockedAfter: end.blockedAfter + change(row, isBlocked),
    };
    if (!isAfter(row, end)) {
      return { end, problem: `entry ${row.id} does not follow from the entry before it` };
    }
  }
  return { end };
}

const FIRST: BalanceState = { position: 0, availableAfter: 0, blockedAfter: 0 };

const isAfter = (row: EntryRow, { position, availableAfter, blockedAfter }: BalanceState): boolean =>
  row.position === position && row.availableAfter === availableAfter && row.blockedAfter === blockedAfter;

const formatBalances = (states: ReadonlyMap<string, BalanceState>): string =>
  [...states]
    .map(([origin, state]) => [origin, state.position, state.availableAfter, state.blockedAfter].join(':'))
    .toSorted()
    .join(' ');

const parseBalances = (balances: string): Map<string, BalanceState> =>
  new Map(
    balances.split(' ').flatMap((part) => {
      const [origin = '', position, available, blocked] = part.split(':');
      if (origin === '') return [];
      const [at, availableAfter, blockedAfter] = [Number(position), Number(available), Number(blocked)];
      return [[origin, { position: at, availableAfter, blockedAfter }] as const];
    }),
  );

const isAvailable = (account: string): boolean => account === 'available';
const isBlocked = (account: string): boolean => ['retained', 'disputed', 'reserved'].includes(account);

const change = ({ debit, credit, amount }: EntryRow, belongs: (account: string) => boolean): number =>
  (belongs(credit) ? amount : 0) - (belongs(debit) ? amount : 0);

/** Whether two entries have one proof: two of the new ones, or a new one and a covered one. */
async function findCopy(
  trx: DatabaseTransaction,
  covered: EntryRow | undefined,
  rows: readonly EntryRow[],
): Promise<boolean> {
  if (new Set(rows.map(({ proof }) => proof)).size < rows.length) return true;
  if (covered === undefined) return false;
  // The id of an entry is never before its time, which the proof states. So only entries that are
  // older than the last covered one can be copies of covered ones.
  const older = rows.filter(({ at }) => minIdAt(at.getTime()) <= covered.id);
  if (older.length === 0) return false;
  const from = minIdAt(Math.min(...older.map(({ at }) => at.getTime())));
  const proofs = older.flatMap(({ proof }) => proof ?? []);
  return hasEntryWithProof(trx, covered, { from, to: covered.id }, proofs);
}
