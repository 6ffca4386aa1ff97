import type { ChainProblemText } from './discrepancies.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { onEachShard, onShardOf } from '#platform/database/shards/each-shard.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { LEDGER_CHAIN_CONTEXT } from '#platform/crypto/encrypted-columns.ts';
import { isDeadlock } from '#platform/database/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { areProven } from './proofs.ts';
import { keyIdOf, type SecretBox } from '#platform/crypto/secret-box.ts';
import type { SellerRange } from './store-discrepancies.ts';
import {
  EMPTY_CONTENT_HASH,
  findChainHeads,
  findChainStates,
  findHolds,
  findRecomputedChainEntries,
  findSellersWithOtherHeadKey,
  findWithdrawalEntries,
  hashEntries,
  holdSeller,
  insertChainEntries,
  releaseSeller,
  type ChainEntry,
  type ChainHead,
  type ChainState,
  type LastEntryIds,
  type RecomputedChainEntry,
} from './store-chain.ts';
import { verifyNextEntries, type ChainEnd, type NextEntries } from './verify-entries.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/**
 * The hash chain over each seller's ledger entries. It covers entries with a proof only, and
 * reveals any later change to one of them.
 */

const SELLERS_PER_BATCH = 1_000;
/** How many sellers' chains one transaction extends. */
const SELLERS_PER_APPEND = 50;
/**
 * Ledger entries that one transaction covers, of each origin. Divided by the sellers of a
 * transaction, it must leave room for all entries of one change, which are proven together.
 */
const MAX_ENTRIES_PER_ORIGIN = 5_000;
/** Entries of one seller in a statement. Parsing their rows blocks requests for 3 ms. */
const MAX_ENTRIES_OF_SELLER = 1_000;
/** Ledger entries that are hashed again at a time. */
const COVERED_PER_SLICE = 20_000;
/** How often the entries of a held seller are verified again. */
const HOLD_CHECK_INTERVAL_MS = 60_000;
const EMPTY_CHAIN: ChainEnd = { lastEntryIds: { pix: null, boleto: null, card: null }, balances: '' };
/** How often a payout tries to extend the chain before it waits for its next turn. */
const MAX_APPENDS = 50;

export interface ChainDeps {
  readonly db: Db;
  readonly secrets: SecretBox;
}

/**
 * Returns the job that extends the chains. A run covers one batch of sellers; the next run
 * continues after it and starts over at the end. Resolves to true while a seller has more entries
 * to chain. The job takes no lock: the entries of a balance are numbered under the lock of the
 * wallet, so a snapshot of them has no gap. A seller with an unproven entry is held and reported.
 */
export function createLedgerChainJob({
  clock,
  log,
  ...deps
}: ChainDeps & { readonly clock: Clock; readonly log: Logger }): () => Promise<boolean> {
  let after = MIN_ID;
  return async () => {
    const states = await findChainStates(deps.db, after, SELLERS_PER_BATCH);
    const behind = states.filter(({ bookedEntries, chainedEntries }) => bookedEntries > chainedEntries);
    const holds = await findHolds(deps.db, SELLERS_PER_BATCH);
    const dueBefore = Date.now() - HOLD_CHECK_INTERVAL_MS;
    const isWaiting = (id: string): boolean => (holds.get(id)?.getTime() ?? -Infinity) > dueBefore;
    const due = [...new Set([...behind.map((state) => state.sellerId), ...holds.keys()])];
    const sellerIds = due.filter((id) => !isWaiting(id));
    let more = false;
    for (let from = 0; from < sellerIds.length; from += SELLERS_PER_APPEND) {
      const batch = sellerIds.slice(from, from + SELLERS_PER_APPEND);
      for (const [sellerId, appended] of await appendOrHold(deps, batch, clock.now())) {
        if (appended.kind === 'unproven') {
          log.fatal({ sellerId, problem: appended.problem }, 'unproven ledger entry; payouts are on hold');
        } else if (appended.kind === 'appended') {
          more ||= appended.more;
          if (holds.has(sellerId)) await releaseSeller(deps.db, sellerId);
        }
      }
      failPoint('ledger-chain.committed');
    }
    if (!more) after = states.length < SELLERS_PER_BATCH ? MIN_ID : (states.at(-1)?.sellerId ?? MIN_ID);
    return more;
  };
}

/** Appends all proven entries to the chains, before the key that proved them is retired. */
async function chainAll(deps: ChainDeps, at: Date): Promise<void> {
  for (let after: string | undefined = MIN_ID; after !== undefined;) {
    const states: readonly ChainState[] = await findChainStates(deps.db, after, SELLERS_PER_BATCH);
    for (const { sellerId, bookedEntries, chainedEntries } of states) {
      let isBehind = bookedEntries > chainedEntries;
      while (isBehind) {
        const appended = await appendChainEntry(deps, sellerId, at);
        isBehind = appended.kind === 'conflict' || (appended.kind === 'appended' && appended.entries > 0);
      }
    }
    after = states.length < SELLERS_PER_BATCH ? undefined : states.at(-1)?.sellerId;
  }
}

/**
 * Appends an entry of the current key to every chain whose last entry was made with another key, so
 * that a retired key cannot change what is below. Returns the number of chains it extended.
 */
export async function extendChainWithCurrentKey(db: Db, secrets: SecretBox, at: Date): Promise<number> {
  const extended = await onEachShard(db, (shard) => extendOnShard(shard, secrets, at));
  return extended.reduce((sum, count) => sum + count, 0);
}

async function extendOnShard(db: Db, secrets: SecretBox, at: Date): Promise<number> {
  await chainAll({ db, secrets }, at);
  let extended = 0;
  let after = MIN_ID;
  for (;;) {
    const sellers = await findSellersWithOtherHeadKey(db, secrets.currentKeyId, after, SELLERS_PER_BATCH);
    for (const sellerId of sellers) {
      if (await appendKeyChange({ db, secrets }, sellerId, at)) extended += 1;
    }
    if (sellers.length < SELLERS_PER_BATCH) return extended;
    after = sellers.at(-1) ?? after;
  }
}

/**
 * Whether the whole ledger of a seller is proven, and has a proven reservation of this amount in
 * cents for a withdrawal, which was not returned or paid. Otherwise the withdrawal must not be paid
 * out now.
 */
export const isReservationProven = (deps: ChainDeps, withdrawal: Reservation, at: Date): Promise<boolean> =>
  onShardOf(deps.db, withdrawal.sellerId, (db) => isProvenOnShard({ ...deps, db }, withdrawal, at));

interface Reservation {
  readonly sellerId: string;
  readonly id: string;
  readonly amount: number;
}

async function isProvenOnShard(deps: ChainDeps, withdrawal: Reservation, at: Date): Promise<boolean> {
  const { sellerId, id, amount } = withdrawal;
  const [reservation, ...others] = await findWithdrawalEntries(deps.db, sellerId, id);
  const isReserved =
    reservation?.cause === 'WITHDRAWAL_RESERVED' && reservation.amount === amount && others.length === 0;
  // A rotation may have retired the key meanwhile. New entries must be proven by a key in use.
  if (!isReserved || !areProven(deps.secrets, [reservation], 'retired too')) return false;
  for (let attempt = 0; attempt < MAX_APPENDS; attempt += 1) {
    const result = (await appendOrHold(deps, [sellerId], at)).get(sellerId);
    if (result?.kind === 'unproven') return false;
    if (result?.kind === 'appended' && result.entries === 0) return true;
  }
  return false;
}

/** Holds the sellers with an unproven entry. */
async function appendOrHold(
  deps: ChainDeps,
  sellerIds: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, AppendResult>> {
  const results = await appendChainEntries(deps, sellerIds, at);
  for (const [sellerId, result] of results) {
    if (result.kind === 'unproven') await holdSeller(deps.db, sellerId, result.problem);
  }
  return results;
}

/**
 * Appends an entry of the current key, which covers no ledger entries if the next ones are
 * unproven. A chain whose last entry was changed stays as it is, for the ledger check.
 */
async function appendKeyChange(deps: ChainDeps, sellerId: string, at: Date): Promise<boolean> {
  const result = await appendChainEntry(deps, sellerId, at, 'current key');
  if (result.kind !== 'unproven') return result.kind === 'appended';
  return (await appendChainEntry(deps, sellerId, at, 'no entries')).kind === 'appended';
}

type AppendPurpose = 'current key' | 'no entries';

type AppendResult =
  | { readonly kind: 'appended'; readonly entries: number; readonly more: boolean }
  | { readonly kind: 'unproven'; readonly problem: ChainProblemText }
  | { readonly kind: 'conflict' };

/** Another process was first. The caller finds the new state on its next run. */
const CONFLICT: AppendResult = { kind: 'conflict' };

async function appendChainEntry(
  deps: ChainDeps,
  sellerId: string,
  at: Date,
  purpose?: AppendPurpose,
): Promise<AppendResult> {
  return (await appendChainEntries(deps, [sellerId], at, purpose)).get(sellerId) ?? CONFLICT;
}

/**
 * Appends one chain entry over the next ledger entries of each seller, if all are proven. For a
 * seller without new ledger entries it appends nothing, or with `purpose` an entry that covers
 * none. One transaction, so that the number of statements does not grow with the sellers.
 */
async function appendChainEntries(
  { db, secrets }: ChainDeps,
  sellerIds: readonly string[],
  at: Date,
  purpose?: AppendPurpose,
): Promise<ReadonlyMap<string, AppendResult>> {
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => tryAppend(trx, secrets, sellerIds, { at, purpose }));
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return new Map(sellerIds.map((sellerId) => [sellerId, CONFLICT]));
  }
}

async function tryAppend(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  sellerIds: readonly string[],
  { at, purpose }: { readonly at: Date; readonly purpose: AppendPurpose | undefined },
): Promise<ReadonlyMap<string, AppendResult>> {
  const heads = await findChainHeads(trx, sellerIds);
  const results = new Map<string, AppendResult>();
  const ends = new Map<string, ChainEnd>();
  for (const sellerId of sellerIds) {
    const head = heads.get(sellerId);
    const problem = head === undefined ? undefined : verifyHead(secrets, head);
    if (problem === undefined) ends.set(sellerId, head ?? EMPTY_CHAIN);
    else results.set(sellerId, problem);
  }
  const limitPerOrigin = Math.min(
    MAX_ENTRIES_OF_SELLER,
    Math.ceil(MAX_ENTRIES_PER_ORIGIN / sellerIds.length),
  );
  const next =
    purpose === 'no entries'
      ? new Map<string, NextEntries>()
      : await verifyNextEntries(trx, secrets, ends, limitPerOrigin);
  const extended: ChainExtension[] = [];
  for (const [sellerId, end] of ends) {
    const { problem, ...covered } = next.get(sellerId) ?? {
      ...end,
      entries: 0,
      problem: undefined,
      more: false,
    };
    if (problem !== undefined) results.set(sellerId, { kind: 'unproven', problem });
    else results.set(sellerId, { kind: 'appended', entries: covered.entries, more: covered.more });
    if (problem === undefined && (covered.entries > 0 || purpose !== undefined)) {
      extended.push({ sellerId, after: end.lastEntryIds, covered });
    }
  }
  await insertChainEntries(trx, await newChainEntries(trx, secrets, heads, extended), at);
  failPoint('ledger-chain.inserted');
  return results;
}

interface ChainExtension {
  readonly sellerId: string;
  readonly after: LastEntryIds;
  readonly covered: Omit<NextEntries, 'problem'>;
}

async function newChainEntries(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  heads: ReadonlyMap<string, ChainHead>,
  extended: readonly ChainExtension[],
): Promise<readonly ChainEntry[]> {
  const ranges = extended.map(({ sellerId, after, covered }) => ({
    sellerId,
    after,
    upTo: covered.lastEntryIds,
  }));
  const hashes = await hashEntries(trx, ranges);
  return extended.map(({ sellerId, covered }) => {
    const head = heads.get(sellerId);
    const entry = {
      sellerId,
      number: (head?.number ?? 0) + 1,
      lastEntryIds: covered.lastEntryIds,
      entries: (head?.entries ?? 0) + covered.entries,
      balances: covered.balances,
      contentHash: hashes.get(sellerId) ?? EMPTY_CONTENT_HASH,
    };
    return { ...entry, mac: secrets.mac(macInputOf(entry, head?.mac), LEDGER_CHAIN_CONTEXT) };
  });
}

/**
 * Why a chain was not extended. A key that this process lacks may be one that another process has
 * just begun to use.
 */
function verifyHead(secrets: SecretBox, head: ChainHead): AppendResult | undefined {
  if (!secrets.hasKey(keyIdOf(head.mac))) return { kind: 'conflict' };
  if (secrets.verifyMac(head.mac, macInputOf(head, head.previousMac), LEDGER_CHAIN_CONTEXT)) return undefined;
  return { kind: 'unproven', problem: `chain entry ${head.number} is not what the gateway wrote` };
}

/**
 * The text that a chain entry's MAC authenticates: its own row and the MAC of the entry before it.
 */
function macInputOf(
  { sellerId, number, lastEntryIds, entries, balances, contentHash }: Omit<ChainEntry, 'mac'>,
  previousMac: string | undefined,
): string {
  return [
    previousMac,
    sellerId,
    number,
    lastEntryIds.pix,
    lastEntryIds.boleto,
    lastEntryIds.card,
    entries,
    balances,
    contentHash,
  ].join(' ');
}

export interface ChainProblem {
  readonly sellerId: string;
  readonly message: ChainProblemText;
}

/**
 * Verifies the chains of a range of sellers against their current ledger entries. Stops after the
 * seller with whom the problems reach `maxProblems`.
 */
export async function verifyChains(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  range: SellerRange,
  maxProblems: number,
): Promise<{ readonly chainEntries: number; readonly problems: readonly ChainProblem[] }> {
  const problems: ChainProblem[] = [];
  let chainEntries = 0;
  for (let after: string | undefined = MIN_ID; after !== undefined;) {
    const states: readonly ChainState[] = await findChainStates(trx, after, SELLERS_PER_BATCH, range);
    for (const state of states) {
      if (problems.length >= maxProblems) return { chainEntries, problems };
      let slice = await verifyChainOf(trx, secrets, state, undefined);
      problems.push(...slice.problems);
      while (!slice.isLast) {
        slice = await verifyChainOf(trx, secrets, state, slice.end);
        problems.push(...slice.problems);
      }
      chainEntries += slice.end?.number ?? 0;
    }
    after = states.length < SELLERS_PER_BATCH ? undefined : states.at(-1)?.sellerId;
  }
  return { chainEntries, problems };
}

/** The next entries of a chain. */
export interface ChainSlice {
  readonly problems: readonly ChainProblem[];
  /** The last one; the one before the slice if it is empty. */
  readonly end: ChainEntry | undefined;
  readonly isLast: boolean;
}

/**
 * Verifies the next entries of a seller's chain, which cover about `COVERED_PER_SLICE` ledger
 * entries. With the last ones it verifies where the chain ends.
 */
export async function verifyChainSlice(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  sellerId: string,
  previous: ChainEntry | undefined,
): Promise<ChainSlice> {
  const [state] = await findChainStates(trx, MIN_ID, 1, { only: sellerId });
  // Without a wallet, which is a discrepancy of its own, no count can be compared.
  if (state === undefined) return { problems: [], end: previous, isLast: true };
  return verifyChainOf(trx, secrets, state, previous);
}

async function verifyChainOf(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  state: ChainState,
  previous: ChainEntry | undefined,
): Promise<ChainSlice> {
  const { sellerId, lastNumber } = state;
  const messages: ChainProblemText[] = [];
  let end = previous;
  if (lastNumber > (previous?.number ?? 0)) {
    for (const entry of await findRecomputedChainEntries(trx, sellerId, previous, COVERED_PER_SLICE)) {
      messages.push(...chainEntryProblems(entry, end, secrets));
      end = entry;
    }
  }
  const isLast = (end?.number ?? 0) >= lastNumber;
  if (isLast) messages.push(...(await findEndProblems(trx, secrets, state, end)));
  return { problems: messages.map((message) => ({ sellerId, message })), end, isLast };
}

/** Returns the problem of the end of a chain or of the entries after it. */
async function findEndProblems(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  { sellerId, bookedEntries, chainedEntries }: ChainState,
  end: ChainEntry | undefined,
): Promise<readonly ChainProblemText[]> {
  const messages: ChainProblemText[] = [];
  // With a retired key that leaked, an attacker could write a chain of their own. All entries
  // depend on the last one, so that one must be made with a key in use.
  if (end !== undefined && !secrets.hasKey(keyIdOf(end.mac))) {
    messages.push(
      `chain entry ${end.number} is the last one and was made with a key that is no longer in use`,
    );
  }
  if (bookedEntries < chainedEntries) {
    messages.push(`the chain covers ${chainedEntries} entries and the wallet counts ${bookedEntries}`);
  }
  if (bookedEntries > chainedEntries) {
    const from = new Map([[sellerId, end ?? EMPTY_CHAIN]]);
    const next = await verifyNextEntries(trx, secrets, from, MAX_ENTRIES_PER_ORIGIN);
    const problem = next.get(sellerId)?.problem;
    if (problem !== undefined) messages.push(problem);
  }
  return messages;
}

function chainEntryProblems(
  entry: RecomputedChainEntry,
  previous: ChainEntry | undefined,
  secrets: SecretBox,
): readonly ChainProblemText[] {
  const expectedNumber = (previous?.number ?? 0) + 1;
  const missing: ChainProblemText[] =
    entry.number === expectedNumber ? [] : [`chain entry ${expectedNumber} is missing`];
  if (!secrets.verifyMac(entry.mac, macInputOf(entry, previous?.mac), LEDGER_CHAIN_CONTEXT, 'retired too')) {
    return [...missing, `chain entry ${entry.number} is not what the gateway wrote`];
  }
  if (entry.recomputedHash === entry.contentHash) return missing;
  const covered = entry.entries - (previous?.entries ?? 0);
  const problem: ChainProblemText =
    entry.recomputedEntries === covered
      ? `an entry covered by chain entry ${entry.number} was changed`
      : `chain entry ${entry.number} covers ${covered} entries and there are ${entry.recomputedEntries}`;
  return [...missing, problem];
}
