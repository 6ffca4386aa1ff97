import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { LEDGER_CHAIN_CONTEXT } from '#platform/crypto/encrypted-columns.ts';
import { findChainKeys } from '#platform/crypto/service.ts';
import { keyIdOf, type SecretBox } from '#platform/crypto/secret-box.ts';
import type { SellerRange } from './store-discrepancies.ts';
import {
  findChainHead,
  findChainStates,
  findRecomputedChainEntries,
  findSellersWithOtherHeadKey,
  hashUnchainedEntries,
  EMPTY_CONTENT_HASH,
  insertChainEntry,
  type ChainEntry,
} from './store-chain.ts';

/** The chain over each seller's entries, by which any later change to one of them shows. */

const SELLERS_PER_BATCH = 1_000;
const LEDGER_ENTRIES_PER_CHAIN_ENTRY = 5_000;
/** Each may vouch for thousands of entries, which are hashed with it. */
const CHAIN_ENTRIES_PER_READ = 20;
const MIN_UUID = '00000000-0000-0000-0000-000000000000';

export interface LedgerChainDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

/**
 * Seals entries, some sellers at each look, round and round; true while one of them has more. It takes no lock: the entries of a balance are
 * numbered under the lock of the wallet, so what a snapshot shows of them has no gap.
 */
export function createLedgerChainJob({ db, clock, secrets }: LedgerChainDeps): () => Promise<boolean> {
  let after = MIN_UUID;
  return async () => {
    const states = await findChainStates(db, after, SELLERS_PER_BATCH);
    let more = false;
    for (const { sellerId, booked, sealed } of states) {
      if (booked <= sealed) continue;
      more = (await appendChainEntry(db, secrets, sellerId, clock.now())) || more;
      failPoint('ledger-chain.committed');
    }
    const last = states.at(-1);
    // At the end it begins anew at the next look.
    const reachedEnd = states.length < SELLERS_PER_BATCH || last === undefined;
    if (!more) after = reachedEnd ? MIN_UUID : last.sellerId;
    return more;
  };
}

/** One seal over the next entries of a seller. True where it was full, so that more may wait. */
function appendChainEntry(db: Db, secrets: SecretBox, sellerId: string, at: Date): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const previous = await findChainHead(snapshot, sellerId);
      const ends = previous?.lastEntryIds ?? { pix: null, boleto: null, card: null };
      const next = await hashUnchainedEntries(snapshot, sellerId, ends, LEDGER_ENTRIES_PER_CHAIN_ENTRY);
      if (next === undefined) return false;
      const entry = {
        sellerId,
        number: (previous?.number ?? 0) + 1,
        lastEntryIds: next.lastEntryIds,
        entries: (previous?.entries ?? 0) + next.entries,
        contentHash: next.contentHash,
      };
      const mac = secrets.mac(macInputOf(entry, previous?.mac), LEDGER_CHAIN_CONTEXT);
      await insertChainEntry(snapshot, { ...entry, mac }, at);
      failPoint('ledger-chain.inserted');
      return next.entries >= LEDGER_ENTRIES_PER_CHAIN_ENTRY;
    });
}

/**
 * Puts a seal of the current key onto every chain whose last seal was made with another one, over new entries or over none. The
 * chain below hangs on it, so that the other key, once it is given up, can change nothing of it. Answers how many it took.
 */
export async function extendChainWithCurrentKey(db: Db, secrets: SecretBox, at: Date): Promise<number> {
  let extended = 0;
  for (;;) {
    const sellers = await findSellersWithOtherHeadKey(db, secrets.currentKeyId, SELLERS_PER_BATCH);
    for (const sellerId of sellers) await extendSellerChain(db, secrets, sellerId, at);
    extended += sellers.length;
    if (sellers.length === 0) return extended;
  }
}

function extendSellerChain(db: Db, secrets: SecretBox, sellerId: string, at: Date): Promise<void> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const previous = await findChainHead(snapshot, sellerId);
      if (previous === undefined) return;
      const next = await hashUnchainedEntries(
        snapshot,
        sellerId,
        previous.lastEntryIds,
        LEDGER_ENTRIES_PER_CHAIN_ENTRY,
      );
      const entry = {
        sellerId,
        number: previous.number + 1,
        lastEntryIds: next?.lastEntryIds ?? previous.lastEntryIds,
        entries: previous.entries + (next?.entries ?? 0),
        contentHash: next?.contentHash ?? EMPTY_CONTENT_HASH,
      };
      // Where a worker was first with this number, the next look shows whose key it sealed with.
      await insertChainEntry(
        snapshot,
        { ...entry, mac: secrets.mac(macInputOf(entry, previous.mac), LEDGER_CHAIN_CONTEXT) },
        at,
      );
    });
}

/** What a seal vouches for: its own row and the seal before it. */
function macInputOf(
  { sellerId, number, lastEntryIds, entries, contentHash }: Omit<ChainEntry, 'mac'>,
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
    contentHash,
  ].join(' ');
}

export interface ChainProblem {
  readonly sellerId: string;
  readonly message: string;
}

export interface ChainVerification {
  readonly seals: number;
  readonly problems: readonly ChainProblem[];
}

/** Verifies the chains of these sellers against the entries as they are now; names `most` problems, or a few more. */
export async function verifyChains(
  db: Db,
  secrets: SecretBox,
  range: SellerRange,
  maxProblems: number,
): Promise<ChainVerification> {
  const problems: ChainProblem[] = [];
  let seals = 0;
  const retired = await findChainKeys(db, secrets);
  for (let after: string | undefined = range.after ?? MIN_UUID; after !== undefined;) {
    const states = await findChainStates(db, after, SELLERS_PER_BATCH, range.upTo);
    for (const { sellerId, booked, sealed } of states) {
      if (problems.length >= maxProblems) return { seals, problems };
      if (booked < sealed) {
        problems.push({ sellerId, message: `${sealed} entries were sealed and the wallet counts ${booked}` });
      }
      if (sealed > 0) seals += await verifyChain(db, secrets, retired, sellerId, problems);
    }
    after = states.length < SELLERS_PER_BATCH ? undefined : states.at(-1)?.sellerId;
  }
  return { seals, problems };
}

async function verifyChain(
  db: Db,
  secrets: SecretBox,
  retired: ReadonlyMap<string, Buffer>,
  sellerId: string,
  problems: ChainProblem[],
): Promise<number> {
  const addProblem = (message: string): unknown => problems.push({ sellerId, message });
  let previous: ChainEntry | undefined;
  for (;;) {
    const next = (previous?.number ?? 0) + 1;
    const batch = await findRecomputedChainEntries(db, sellerId, next, CHAIN_ENTRIES_PER_READ);
    for (const entry of batch) {
      const expected = (previous?.number ?? 0) + 1;
      if (entry.number !== expected) addProblem(`seal ${expected} is missing`);
      const { recomputedHash, recomputedEntries } = entry;
      const entries = entry.entries - (previous?.entries ?? 0);
      if (!secrets.verifyMac(entry.mac, macInputOf(entry, previous?.mac), LEDGER_CHAIN_CONTEXT, retired)) {
        addProblem(`seal ${entry.number} is not what the gateway wrote`);
      } else if (recomputedHash !== entry.contentHash) {
        addProblem(
          recomputedEntries === entries
            ? `an entry under seal ${entry.number} was changed`
            : `seal ${entry.number} vouches for ${entries} entries and there are ${recomputedEntries}`,
        );
      }
      previous = entry;
    }
    if (batch.length < CHAIN_ENTRIES_PER_READ) break;
  }
  // Whoever has a key that was given up could write a chain of their own with it: the last seal, on which all others hang, must be of a key in use.
  if (previous !== undefined && !secrets.hasKey(keyIdOf(previous.mac))) {
    addProblem(`seal ${previous.number} is the last one and was made with a key that is no longer in use`);
  }
  return previous?.number ?? 0;
}
