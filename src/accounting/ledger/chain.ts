import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { LEDGER_CHAIN_CONTEXT } from '#platform/crypto/encrypted-columns.ts';
import { isDeadlock } from '#platform/database/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import { isProven } from './proofs.ts';
import { keyIdOf, type SecretBox } from '#platform/crypto/secret-box.ts';
import type { SellerRange } from './store-discrepancies.ts';
import {
  EMPTY_CONTENT_HASH,
  findChainHead,
  findChainStates,
  findHolds,
  findRecomputedChainEntries,
  findSellersWithOtherHeadKey,
  findWithdrawalEntries,
  hashUnchainedEntries,
  holdSeller,
  insertChainEntry,
  MIN_UUID,
  releaseSeller,
  type ChainEntry,
  type ChainHead,
  type ChainState,
  type RecomputedChainEntry,
} from './store-chain.ts';
import { verifyNextEntries, type ChainEnd } from './unproven.ts';

/**
 * The hash chain over each seller's ledger entries. It covers entries with a proof only, and
 * reveals any later change to one of them.
 */

const SELLERS_PER_BATCH = 1_000;
const LEDGER_ENTRIES_PER_CHAIN_ENTRY = 5_000;
/** A chain entry may cover thousands of ledger entries, which the same statement hashes. */
const CHAIN_ENTRIES_PER_READ = 20;
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
  let after = MIN_UUID;
  return async () => {
    const states = await findChainStates(deps.db, after, SELLERS_PER_BATCH);
    const behind = states.filter(({ bookedEntries, chainedEntries }) => bookedEntries > chainedEntries);
    const holds = await findHolds(deps.db, SELLERS_PER_BATCH);
    const dueBefore = Date.now() - HOLD_CHECK_INTERVAL_MS;
    const isWaiting = (id: string): boolean => (holds.get(id)?.getTime() ?? -Infinity) > dueBefore;
    let more = false;
    for (const sellerId of new Set([...behind.map((state) => state.sellerId), ...holds.keys()])) {
      if (isWaiting(sellerId)) continue;
      const appended = await appendOrHold(deps, sellerId, clock.now());
      if (appended.kind === 'unproven') {
        log.fatal({ sellerId, problem: appended.problem }, 'an unproven ledger entry; payouts are held');
      } else if (appended.kind === 'appended') {
        more ||= appended.entries >= LEDGER_ENTRIES_PER_CHAIN_ENTRY;
        if (holds.has(sellerId)) await releaseSeller(deps.db, sellerId);
      }
      failPoint('ledger-chain.committed');
    }
    if (!more) after = states.length < SELLERS_PER_BATCH ? MIN_UUID : (states.at(-1)?.sellerId ?? MIN_UUID);
    return more;
  };
}

/** Chains all proven entries, which a key that is about to be retired has proven. */
async function chainAll(deps: ChainDeps, at: Date): Promise<void> {
  for (let after: string | undefined = MIN_UUID; after !== undefined;) {
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
  await chainAll({ db, secrets }, at);
  let extended = 0;
  let after = MIN_UUID;
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
export async function isReservationProven(
  deps: ChainDeps,
  withdrawal: { readonly sellerId: string; readonly id: string; readonly amount: number },
  at: Date,
): Promise<boolean> {
  const { sellerId, id, amount } = withdrawal;
  const [reservation, ...others] = await findWithdrawalEntries(deps.db, sellerId, id);
  const isReserved =
    reservation?.cause === 'WITHDRAWAL_RESERVED' && reservation.amount === amount && others.length === 0;
  // A rotation may have retired the key meanwhile. New entries must be proven by a key in use.
  if (!isReserved || !isProven(deps.secrets, reservation, 'retired too')) return false;
  for (let attempt = 0; attempt < MAX_APPENDS; attempt += 1) {
    const result = await appendOrHold(deps, sellerId, at);
    if (result.kind === 'unproven') return false;
    if (result.kind === 'appended' && result.entries === 0) return true;
  }
  return false;
}

/** Holds a seller with an unproven entry. */
async function appendOrHold(deps: ChainDeps, sellerId: string, at: Date): Promise<AppendResult> {
  const result = await appendChainEntry(deps, sellerId, at);
  if (result.kind === 'unproven') await holdSeller(deps.db, sellerId, result.problem);
  return result;
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

type AppendResult =
  | { readonly kind: 'appended'; readonly entries: number }
  | { readonly kind: 'unproven'; readonly problem: string }
  /** Another process was first. The caller finds the new state on its next run. */
  | { readonly kind: 'conflict' };

/**
 * Appends one chain entry over the seller's next ledger entries, if all are proven, and returns how
 * many it covers. Without new ledger entries it appends nothing, or with `purpose` an entry that
 * covers none.
 */
async function appendChainEntry(
  deps: ChainDeps,
  sellerId: string,
  at: Date,
  purpose?: 'current key' | 'no entries',
): Promise<AppendResult> {
  try {
    return await tryAppend(deps, sellerId, at, purpose);
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return { kind: 'conflict' };
  }
}

function tryAppend(
  { db, secrets }: ChainDeps,
  sellerId: string,
  at: Date,
  purpose: 'current key' | 'no entries' | undefined,
): Promise<AppendResult> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx): Promise<AppendResult> => {
      const previous = await findChainHead(trx, sellerId);
      const headProblem = previous === undefined ? undefined : verifyHead(secrets, previous);
      if (headProblem !== undefined) return headProblem;
      const from = previous ?? EMPTY_CHAIN;
      const limit = { sellerId, limitPerOrigin: LEDGER_ENTRIES_PER_CHAIN_ENTRY };
      const covers = purpose !== 'no entries';
      const { problem, balances } = covers
        ? await verifyNextEntries(trx, secrets, { ...limit, from })
        : { problem: undefined, balances: from.balances };
      if (problem !== undefined) return { kind: 'unproven', problem };
      const { lastEntryIds } = from;
      const hashed = covers ? await hashUnchainedEntries(trx, { ...limit, after: lastEntryIds }) : undefined;
      const next = hashed ?? { lastEntryIds, entries: 0, contentHash: EMPTY_CONTENT_HASH };
      if (next.entries === 0 && purpose === undefined) return { kind: 'appended', entries: 0 };
      const entry = {
        sellerId,
        number: (previous?.number ?? 0) + 1,
        lastEntryIds: next.lastEntryIds,
        entries: (previous?.entries ?? 0) + next.entries,
        balances,
        contentHash: next.contentHash,
      };
      const mac = secrets.mac(macInputOf(entry, previous?.mac), LEDGER_CHAIN_CONTEXT);
      await insertChainEntry(trx, { ...entry, mac }, at);
      failPoint('ledger-chain.inserted');
      return { kind: 'appended', entries: next.entries };
    });
}

/**
 * What keeps a chain from being extended. A key that this process does not have may be one that
 * another process has begun to use.
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
  readonly message: string;
}

export interface ChainVerification {
  readonly chainEntries: number;
  readonly problems: readonly ChainProblem[];
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
): Promise<ChainVerification> {
  const problems: ChainProblem[] = [];
  let chainEntries = 0;
  for (let after: string | undefined = range.after ?? MIN_UUID; after !== undefined;) {
    const states = await findChainStates(trx, after, SELLERS_PER_BATCH, range.upTo);
    for (const { sellerId, bookedEntries, chainedEntries } of states) {
      if (problems.length >= maxProblems) return { chainEntries, problems };
      if (bookedEntries < chainedEntries) {
        const message = `the chain covers ${chainedEntries} entries and the wallet counts ${bookedEntries}`;
        problems.push({ sellerId, message });
      }
      if (bookedEntries > chainedEntries) {
        const problem = await findUnproven(trx, secrets, sellerId);
        if (problem !== undefined) problems.push({ sellerId, message: problem });
      }
      if (chainedEntries === 0) continue;
      const chain = await verifyChain(trx, secrets, sellerId);
      problems.push(...chain.messages.map((message) => ({ sellerId, message })));
      chainEntries += chain.length;
    }
    after = states.length < SELLERS_PER_BATCH ? undefined : states.at(-1)?.sellerId;
  }
  return { chainEntries, problems };
}

/** What is wrong with the entries after the chain, up to the limit of a chain entry. */
async function findUnproven(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  sellerId: string,
): Promise<string | undefined> {
  const from = (await findChainHead(trx, sellerId)) ?? EMPTY_CHAIN;
  const next = { sellerId, from, limitPerOrigin: LEDGER_ENTRIES_PER_CHAIN_ENTRY };
  return (await verifyNextEntries(trx, secrets, next)).problem;
}

async function verifyChain(
  trx: DatabaseTransaction,
  secrets: SecretBox,
  sellerId: string,
): Promise<{ readonly length: number; readonly messages: readonly string[] }> {
  const messages: string[] = [];
  let previous: ChainEntry | undefined;
  for (;;) {
    const from = (previous?.number ?? 0) + 1;
    const batch = await findRecomputedChainEntries(trx, sellerId, from, CHAIN_ENTRIES_PER_READ);
    for (const entry of batch) {
      messages.push(...chainEntryProblems(entry, previous, secrets));
      previous = entry;
    }
    if (batch.length < CHAIN_ENTRIES_PER_READ) break;
  }
  // With a retired key that leaked, an attacker could write a chain of their own. All entries
  // depend on the last one, so that one must be made with a key in use.
  if (previous !== undefined && !secrets.hasKey(keyIdOf(previous.mac))) {
    messages.push(
      `chain entry ${previous.number} is the last one and was made with a key that is no longer in use`,
    );
  }
  return { length: previous?.number ?? 0, messages };
}

function chainEntryProblems(
  entry: RecomputedChainEntry,
  previous: ChainEntry | undefined,
  secrets: SecretBox,
): readonly string[] {
  const expectedNumber = (previous?.number ?? 0) + 1;
  const missing = entry.number === expectedNumber ? [] : [`chain entry ${expectedNumber} is missing`];
  if (!secrets.verifyMac(entry.mac, macInputOf(entry, previous?.mac), LEDGER_CHAIN_CONTEXT, 'retired too')) {
    return [...missing, `chain entry ${entry.number} is not what the gateway wrote`];
  }
  if (entry.recomputedHash === entry.contentHash) return missing;
  const covered = entry.entries - (previous?.entries ?? 0);
  const problem =
    entry.recomputedEntries === covered
      ? `an entry covered by chain entry ${entry.number} was changed`
      : `chain entry ${entry.number} covers ${covered} entries and there are ${entry.recomputedEntries}`;
  return [...missing, problem];
}
