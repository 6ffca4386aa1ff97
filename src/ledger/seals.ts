import type { Clock } from '#clock.ts';
import type { Db } from '#database/connect.ts';
import type { SecretBox } from '#secrets.ts';
import {
  findLastSeal,
  findSealStates,
  findSealsWithContent,
  hashUnsealed,
  insertSeal,
  type Seal,
} from './store-seals.ts';

/** The chain over each seller's entries, by which any later change to one of them shows. */

const SELLERS_A_LOOK = 1_000;
const ENTRIES_A_SEAL = 5_000;
const SEALS_A_READ = 500;
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
      if (booked > sealed) more = (await sealNext(db, secrets, sellerId, clock.now())) || more;
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
      const seal = secrets.mac(textOf(made, before?.seal), SEAL_CONTEXT);
      await insertSeal(snapshot, { ...made, seal }, at);
      return next.entries >= ENTRIES_A_SEAL;
    });
}

const SEAL_CONTEXT = 'ledger seal';

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

/** Verifies the chain of every seller against the entries as they are now; names `most` problems at most. */
export async function checkSeals(db: Db, secrets: SecretBox, most: number): Promise<SealCheck> {
  const problems: SealProblem[] = [];
  let seals = 0;
  for (let after: string | undefined = BEFORE_ALL; after !== undefined;) {
    const states = await findSealStates(db, after, SELLERS_A_LOOK);
    for (const { sellerId, booked, sealed } of states) {
      if (problems.length >= most) return { seals, problems };
      if (booked < sealed) {
        problems.push({ sellerId, message: `${sealed} entries were sealed and the wallet counts ${booked}` });
      }
      if (sealed > 0) seals += await checkChain(db, secrets, sellerId, problems);
    }
    after = states.length < SELLERS_A_LOOK ? undefined : states.at(-1)?.sellerId;
  }
  return { seals, problems };
}

async function checkChain(
  db: Db,
  secrets: SecretBox,
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
      if (!secrets.macHolds(seal.seal, textOf(seal, before?.seal), SEAL_CONTEXT)) {
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
    if (found.length < SEALS_A_READ) return before?.number ?? 0;
  }
}
