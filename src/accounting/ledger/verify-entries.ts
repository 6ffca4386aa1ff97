import type { ChainProblemText } from './discrepancies.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { yieldEvery } from '#platform/kit/event-loop.ts';
import { areProven, groupByChange } from './proofs.ts';
import {
  findEntriesFrom,
  findImpossibleRecords,
  findSellersWithProofs,
  ORIGIN_MEMBERS,
  type EntryRow,
  type LastEntryIds,
  type ProofRange,
} from './store-chain.ts';

/** Changes verified before other work of the event loop runs, about half a millisecond. */
const CHANGES_PER_TURN = 32;

interface Verification {
  readonly secrets: SecretBox;
  readonly afterChange: () => Promise<void> | undefined;
}

/** Position and balances after the last entry of an origin, in cents. */
interface BalanceState {
  readonly position: number;
  readonly availableAfter: number;
  readonly blockedAfter: number;
}

/** The verified next entries of a chain, up to the first problem. */
export interface NextEntries {
  readonly entries: number;
  readonly problem: ChainProblemText | undefined;
  readonly lastEntryIds: LastEntryIds;
  /** The states after them, as a chain entry stores them. */
  readonly balances: string;
  /** Whether entries beyond the limit follow. */
  readonly more: boolean;
}

/** The end of a chain, by its last entry. */
export interface ChainEnd {
  readonly lastEntryIds: LastEntryIds;
  readonly balances: string;
}

/**
 * Reads the next entries that the chains of some sellers do not cover. Each must have the proof of
 * a process that booked it, follow from the state at the end of the chain, have no proof that
 * another entry has, and be possible beside the other entries of its record.
 */
export async function verifyNextEntries(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  ends: ReadonlyMap<string, ChainEnd>,
  limitPerOrigin: number,
): Promise<ReadonlyMap<string, NextEntries>> {
  const lastIds = new Map([...ends].map(([sellerId, { lastEntryIds }]) => [sellerId, lastEntryIds]));
  const rows = await findEntriesFrom(trx, lastIds, limitPerOrigin);
  const verification: Verification = { secrets, afterChange: yieldEvery(CHANGES_PER_TURN) };
  const verified: { readonly sellerId: string; readonly next: SellerEntries }[] = [];
  for (const [sellerId, end] of ends) {
    const next = await verifySeller(verification, end, rows.get(sellerId) ?? [], limitPerOrigin);
    verified.push({ sellerId, next });
  }
  const copied = await findSellersWithProofs(
    trx,
    verified.flatMap(({ next }) => next.possibleCopies),
  );
  const records = verified.flatMap(({ sellerId, next }) =>
    [...next.recordIds].map((recordId) => ({ sellerId, recordId })),
  );
  const impossible = await findImpossibleRecords(trx, records);
  return new Map(
    verified.map(({ sellerId, next }) => {
      const record = impossible.get(sellerId);
      const contradiction: ChainProblemText | undefined =
        record === undefined ? undefined : `the entries of record ${record} contradict each other`;
      const copy = copied.has(sellerId) ? COPY : undefined;
      return [sellerId, { ...next, problem: next.problem ?? copy ?? contradiction }];
    }),
  );
}

const COPY = 'an entry is the copy of another one';

/** The next entries of a seller, and what the database must still show of them. */
interface SellerEntries extends NextEntries {
  readonly possibleCopies: readonly ProofRange[];
  readonly recordIds: ReadonlySet<string>;
}

async function verifySeller(
  verification: Verification,
  from: ChainEnd,
  rows: readonly EntryRow[],
  limitPerOrigin: number,
): Promise<SellerEntries> {
  const states = parseBalances(from.balances);
  const lastEntryIds = { ...from.lastEntryIds };
  const recordIds = new Set<string>();
  const possibleCopies: ProofRange[] = [];
  let [entries, more] = [0, false];
  let problem: ChainProblemText | undefined;
  for (const [origin, name] of ORIGIN_MEMBERS) {
    const start = states.get(origin) ?? FIRST;
    const balance = rows.filter((row) => row.origin === origin);
    const next = await verifyBalance(verification, from.lastEntryIds[name], start, {
      balance,
      limitPerOrigin,
    });
    entries += next.unchained.length;
    more ||= next.isCut;
    problem ??= next.problem;
    if (next.end.position > 0) states.set(origin, next.end);
    lastEntryIds[name] = next.unchained.at(-1)?.id ?? lastEntryIds[name];
    for (const { recordId } of next.unchained) recordIds.add(recordId);
    possibleCopies.push(...next.possibleCopies);
  }
  const balances = formatBalances(states);
  return { entries, problem, lastEntryIds, balances, more, recordIds, possibleCopies };
}

interface BalanceEntries {
  readonly unchained: readonly EntryRow[];
  /** Whether the limit has cut entries off. */
  readonly isCut: boolean;
  readonly end: BalanceState;
  readonly possibleCopies: readonly ProofRange[];
  readonly problem?: ChainProblemText | undefined;
}

/** Verifies the entries of one origin. The first is the last covered one, if there is one. */
async function verifyBalance(
  verification: Verification,
  last: string | null,
  start: BalanceState,
  rows: { readonly balance: readonly EntryRow[]; readonly limitPerOrigin: number },
): Promise<BalanceEntries> {
  const covered = last === null ? undefined : rows.balance[0];
  const following = last === null ? rows.balance : rows.balance.slice(1);
  const failed = (problem: ChainProblemText): BalanceEntries => ({
    unchained: [],
    isCut: false,
    end: start,
    possibleCopies: [],
    problem,
  });
  if (last !== null && covered?.id !== last) return failed(`entry ${last} is missing`);
  if (covered !== undefined && !isAfter(covered, start)) return failed(`entry ${covered.id} was changed`);
  const isCut = following.length >= rows.limitPerOrigin;
  const changes = wholeChanges(following, isCut);
  const unchained = changes.flat();
  const { end, problem } = await verifyOrder(start, changes, verification);
  if (problem !== undefined) return failed(problem);
  if (new Set(unchained.map(({ proof }) => proof)).size < unchained.length) return failed(COPY);
  return { unchained, isCut, end, possibleCopies: copiesOf(covered, unchained) };
}

/**
 * The limit may have cut the last change of the entries, which can then be proven next time only.
 */
function wholeChanges(entries: readonly EntryRow[], isCut: boolean): readonly (readonly EntryRow[])[] {
  const changes = groupByChange(entries);
  return isCut && changes.length > 1 ? changes.slice(0, -1) : changes;
}

/** The state after changes that are proven and follow from each other, or the first problem. */
async function verifyOrder(
  start: BalanceState,
  changes: readonly (readonly EntryRow[])[],
  { secrets, afterChange }: Verification,
): Promise<{ readonly end: BalanceState; readonly problem?: ChainProblemText }> {
  let end = start;
  for (const entries of changes) {
    await afterChange();
    if (!areProven(secrets, entries)) {
      return { end, problem: `entry ${entries[0]?.id} was not booked by the gateway` };
    }
    for (const row of entries) {
      end = {
        position: end.position + 1,
        availableAfter: end.availableAfter + change(row, isAvailable),
        blockedAfter: end.blockedAfter + change(row, isBlocked),
      };
      if (!isAfter(row, end)) {
        return { end, problem: `entry ${row.id} does not follow from the entry before it` };
      }
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

/** The range of covered entries that new ones can be copies of, and what they would show. */
function copiesOf(covered: EntryRow | undefined, rows: readonly EntryRow[]): readonly ProofRange[] {
  if (covered === undefined) return [];
  // The id of an entry is never before its time, which the proof states. So only entries that are
  // older than the last covered one can be copies of covered ones.
  const older = rows.filter(({ at }) => minIdAt(at.getTime()) <= covered.id);
  if (older.length === 0) return [];
  const { sellerId, origin, id: to } = covered;
  const from = minIdAt(Math.min(...older.map(({ at }) => at.getTime())));
  return [{ sellerId, origin, from, to, proofs: older.flatMap(({ proof }) => proof ?? []) }];
}
