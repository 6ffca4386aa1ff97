import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { isProven } from './proofs.ts';
import { findEntriesFrom, hasEntryWithProof, type EntryRow, type LastEntryIds } from './store-chain.ts';

/** What is wrong with the next entries of a chain, and how many were read. */
export interface NextEntries {
  readonly entries: number;
  readonly problem: string | undefined;
}

/**
 * Reads the next entries that the chain of a seller does not cover. Each must have the proof of a
 * process that booked it, stand right after the entry before it, and have no proof that another
 * entry has.
 */
export async function verifyNextEntries(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  next: { readonly sellerId: string; readonly from: LastEntryIds; readonly limitPerOrigin: number },
): Promise<NextEntries> {
  const rows = await findEntriesFrom(trx, next);
  let entries = 0;
  for (const [origin, last] of lastIdsByOrigin(next.from)) {
    const balance = rows.filter((row) => row.origin === origin);
    const covered = last === null ? undefined : balance.shift();
    entries += balance.length;
    if (last !== null && covered?.id !== last) return { entries, problem: `entry ${last} is missing` };
    const problem = orderProblem(covered, balance, secrets);
    if (problem !== undefined) return { entries, problem };
    const copied = await findCopy(trx, covered, balance);
    if (copied) return { entries, problem: `an entry of ${origin} is the copy of another one` };
  }
  return { entries, problem: undefined };
}

const lastIdsByOrigin = ({ pix, boleto, card }: LastEntryIds) =>
  [
    ['PIX', pix],
    ['BOLETO', boleto],
    ['CARD', card],
  ] as const;

function orderProblem(
  covered: EntryRow | undefined,
  rows: readonly EntryRow[],
  secrets: SecretBox,
): string | undefined {
  let { position, availableAfter, blockedAfter } = covered ?? FIRST;
  for (const row of rows) {
    if (!isProven(secrets, row)) return `entry ${row.id} was not booked by the gateway`;
    position += 1;
    availableAfter += change(row, isAvailable);
    blockedAfter += change(row, isBlocked);
    const follows =
      row.position === position && row.availableAfter === availableAfter && row.blockedAfter === blockedAfter;
    if (!follows) return `entry ${row.id} does not follow from the entry before it`;
  }
  return undefined;
}

const FIRST = { position: 0, availableAfter: 0, blockedAfter: 0 };

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
