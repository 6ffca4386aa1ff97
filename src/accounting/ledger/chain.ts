import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { LEDGER_SEAL } from '#platform/crypto/encrypted-columns.ts';
import { chainKeys } from '#platform/crypto/service.ts';
import { keyIdOf, type SecretBox } from '#platform/crypto/secrets.ts';
import type { SellerRange } from './store-check.ts';
import {
  findLastSeal,
  findSealStates,
  findSealsWithContent,
  findSellersSealedOtherwise,
  hashUnsealed,
  HASH_OF_NOTHING,
  insertSeal,
  type Seal,
} from './store-chain.ts';

/** The chain over each seller's entries, by which any later change to one of them shows. */

const SELLERS_A_LOOK = 1_000;
const ENTRIES_A_SEAL = 5_000;
/** Each may vouch for thousands of entries, which are hashed with it. */
const SEALS_A_READ = 20;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export interface SealDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

/**
 * Seals entries, some sellers at each look, round and round; true while one of them has more. It takes no lock: the entries of a balance are
 * numbered under the lock of the wallet, so what a snapshot shows of them has no gap.
 */
export function createSealer({ db, clock, secrets }: SealDeps): () => Promise<boolean> {
  let after = BEFORE_ALL;
  return async () => {
    const states = await findSealStates(db, after, SELLERS_A_LOOK);
    let more = false;
    for (const { sellerId, booked, sealed } of states) {
      if (booked <= sealed) continue;
      more = (await sealNext(db, secrets, sellerId, clock.now())) || more;
      failPoint('seals.committed');
    }
    const last = states.at(-1);
    // At the end it begins anew at the next look.
    const round = states.length < SELLERS_A_LOOK || last === undefined;
    if (!more) after = round ? BEFORE_ALL : last.sellerId;
    return more;
  };
}

/** One seal over the next entries of a seller. True where it was full, so that more may wait. */
function sealNext(db: Db, secrets: SecretBox, sellerId: string, at: Date): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const before = await findLastSeal(snapshot, sellerId);
      const ends = before?.ends ?? { pix: null, boleto: null, card: null };
      const next = await hashUnsealed(snapshot, sellerId, ends, ENTRIES_A_SEAL);
      if (next === undefined) return false;
      const made = {
        sellerId,
        number: (before?.number ?? 0) + 1,
        ends: next.ends,
        entries: (before?.entries ?? 0) + next.entries,
        content: next.content,
      };
      const seal = secrets.mac(textOf(made, before?.seal), LEDGER_SEAL);
      await insertSeal(snapshot, { ...made, seal }, at);
      failPoint('seals.written');
      return next.entries >= ENTRIES_A_SEAL;
    });
}

/**
 * Puts a seal of the current key onto every chain whose last seal was made with another one, over new entries or over none. The
 * chain below hangs on it, so that the other key, once it is given up, can change nothing of it. Answers how many it took.
 */
export async function capChains(db: Db, secrets: SecretBox, at: Date): Promise<number> {
  let capped = 0;
  for (;;) {
    const sellers = await findSellersSealedOtherwise(db, secrets.currentId, SELLERS_A_LOOK);
    for (const sellerId of sellers) await cap(db, secrets, sellerId, at);
    capped += sellers.length;
    if (sellers.length === 0) return capped;
  }
}

function cap(db: Db, secrets: SecretBox, sellerId: string, at: Date): Promise<void> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const before = await findLastSeal(snapshot, sellerId);
      if (before === undefined) return;
      const next = await hashUnsealed(snapshot, sellerId, before.ends, ENTRIES_A_SEAL);
      const made = {
        sellerId,
        number: before.number + 1,
        ends: next?.ends ?? before.ends,
        entries: before.entries + (next?.entries ?? 0),
        content: next?.content ?? HASH_OF_NOTHING,
      };
      // Where a worker was first with this number, the next look shows whose key it sealed with.
      await insertSeal(snapshot, { ...made, seal: secrets.mac(textOf(made, before.seal), LEDGER_SEAL) }, at);
    });
}

/** What a seal vouches for: its own row and the seal before it. */
function textOf(
  { sellerId, number, ends, entries, content }: Omit<Seal, 'seal'>,
  before: string | undefined,
): string {
  return [before, sellerId, number, ends.pix, ends.boleto, ends.card, entries, content].join(' ');
}

export interface SealProblem {
  readonly sellerId: string;
  readonly message: string;
}

export interface SealCheck {
  readonly seals: number;
  readonly problems: readonly SealProblem[];
}

/** Verifies the chains of these sellers against the entries as they are now; names `most` problems, or a few more. */
export async function checkSeals(
  db: Db,
  secrets: SecretBox,
  range: SellerRange,
  most: number,
): Promise<SealCheck> {
  const problems: SealProblem[] = [];
  let seals = 0;
  const retired = await chainKeys(db, secrets);
  for (let after: string | undefined = range.after ?? BEFORE_ALL; after !== undefined;) {
    const states = await findSealStates(db, after, SELLERS_A_LOOK, range.upTo);
    for (const { sellerId, booked, sealed } of states) {
      if (problems.length >= most) return { seals, problems };
      if (booked < sealed) {
        problems.push({ sellerId, message: `${sealed} entries were sealed and the wallet counts ${booked}` });
      }
      if (sealed > 0) seals += await checkChain(db, secrets, retired, sellerId, problems);
    }
    after = states.length < SELLERS_A_LOOK ? undefined : states.at(-1)?.sellerId;
  }
  return { seals, problems };
}

async function checkChain(
  db: Db,
  secrets: SecretBox,
  retired: ReadonlyMap<string, Buffer>,
  sellerId: string,
  problems: SealProblem[],
): Promise<number> {
  const tell = (message: string): unknown => problems.push({ sellerId, message });
  let before: Seal | undefined;
  for (;;) {
    const next = (before?.number ?? 0) + 1;
    const found = await findSealsWithContent(db, sellerId, next, SEALS_A_READ);
    for (const seal of found) {
      const expected = (before?.number ?? 0) + 1;
      if (seal.number !== expected) tell(`seal ${expected} is missing`);
      const { foundContent, foundEntries } = seal;
      const entries = seal.entries - (before?.entries ?? 0);
      if (!secrets.macHolds(seal.seal, textOf(seal, before?.seal), LEDGER_SEAL, retired)) {
        tell(`seal ${seal.number} is not what the gateway wrote`);
      } else if (foundContent !== seal.content) {
        tell(
          foundEntries === entries
            ? `an entry under seal ${seal.number} was changed`
            : `seal ${seal.number} vouches for ${entries} entries and there are ${foundEntries}`,
        );
      }
      before = seal;
    }
    if (found.length < SEALS_A_READ) break;
  }
  // Whoever has a key that was given up could write a chain of their own with it: the last seal, on which all others hang, must be of a key in use.
  if (before !== undefined && !secrets.has(keyIdOf(before.seal))) {
    tell(`seal ${before.number} is the last one and was made with a key that is no longer in use`);
  }
  return before?.number ?? 0;
}
