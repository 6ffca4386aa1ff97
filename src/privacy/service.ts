import { audit } from '#audit/service.ts';
import type { Author } from '#platform/http/author.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { retryingDeadlocks } from '#platform/database/lanes.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { scrubberOf, scrubJson, scrubUrl, type Scrub } from './redaction.ts';
import type { Sought } from './search-query.ts';
import {
  erasePayer,
  findHeld,
  findTexts,
  lockCharge,
  lookForPayer,
  replaceText,
  type ChargeKey,
  type FoundText,
  type Reason,
} from './store.ts';

export type { ChargeKey, Reason } from './store.ts';

/** Payers that one statement looks at, and charges that one request works on. */
const LOOKED_AT = 20_000;
const MOST_CHARGES = 50;
/** After this a request answers how far it has come. */
const PATIENCE_MS = 5_000;

export interface HeldCharge extends ChargeKey {
  readonly held: Readonly<Record<string, unknown>>;
}

export interface KeptCharge extends ChargeKey {
  readonly status: string;
  readonly reason: Reason;
}

/** What a request has done, and where the next one goes on; undefined at the end. */
export interface Portion<Done> {
  readonly done: Done;
  readonly next: ChargeKey | undefined;
}

export interface Erased {
  readonly erased: number;
  readonly kept: readonly KeptCharge[];
}

export type PayersService = ReturnType<typeof createPayersService>;

const told = (
  within: Db,
  author: Author,
  action: 'payer.exported' | 'payer.erased',
  after: Readonly<Record<string, number>>,
  at: Date,
) =>
  // Whose data it was is not written down: that would be to keep it.
  audit(within, author, {
    action,
    recordType: 'payer',
    recordId: null,
    sellerId: null,
    before: null,
    after,
    at,
  });

/** What a payer may ask of whoever keeps their data (LGPD, articles 18 and 16): to have it, and to be forgotten. */
export function createPayersService(db: Db, clock: Clock) {
  async function look(sought: Sought, from: ChargeKey | undefined) {
    const end = performance.now() + PATIENCE_MS;
    for (let after = from; ;) {
      const looked = await lookForPayer(db, sought, after, { rows: LOOKED_AT, most: MOST_CHARGES });
      if (looked.found.length > 0 || looked.next === undefined || performance.now() > end) return looked;
      after = looked.next;
    }
  }

  return {
    /** What is kept of a payer, of some charges at a time. */
    async export(
      sought: Sought,
      after: ChargeKey | undefined,
      author: Author,
    ): Promise<Portion<readonly HeldCharge[]>> {
      const { found, next } = await look(sought, after);
      const done: HeldCharge[] = [];
      for (const key of found) done.push({ ...key, held: await findHeld(db, key) });
      if (found.length > 0) await told(db, author, 'payer.exported', { charges: found.length }, clock.now());
      return { done, next };
    },

    /**
     * Puts marks in the place of what names a payer, in some charges at a time. Each charge is a transaction of its own, with
     * its row of the audit log: a payment waits for one charge at most, and what was cut off goes on where it was.
     */
    async erase(sought: Sought, after: ChargeKey | undefined, author: Author): Promise<Portion<Erased>> {
      const { found, next } = await look(sought, after);
      const at = clock.now();
      const kept: KeptCharge[] = [];
      let erased = 0;
      for (const key of found) {
        // A payment that arrives meanwhile may hold what we come to next, and wait for what we hold.
        const outcome = await retryingDeadlocks(() =>
          db.transaction().execute(async (within) => {
            const of = await eraseCharge(within, key, at);
            if (of === 'erased') await told(within, author, 'payer.erased', { charges: 1, kept: 0 }, at);
            return of;
          }),
        );
        if (outcome === 'erased') erased += 1;
        else if (outcome !== undefined) kept.push({ ...key, ...outcome });
      }
      if (erased > 0 && kept.length > 0)
        await told(db, author, 'payer.erased', { charges: 0, kept: kept.length }, at);
      const done = { erased, kept };
      return { done, next };
    },
  };
}

async function eraseCharge(
  within: Db,
  key: ChargeKey,
  at: Date,
): Promise<'erased' | { readonly status: string; readonly reason: Reason } | undefined> {
  const charge = await lockCharge(within, key);
  if (charge === undefined) return undefined;
  const { status, reason, person, documentType } = charge;
  if (reason !== null) return { status, reason };
  const type = documentType === 'CNPJ' ? 'CNPJ' : 'CPF';
  const scrub = scrubberOf(person, maskDocument(type, person.document));
  for (const found of await findTexts(within, key)) {
    const text = scrubbed(found, scrub);
    if (text !== found.text) await replaceText(within, key.sellerId, found, text);
  }
  await erasePayer(within, key, documentType, at);
  return 'erased';
}

function scrubbed({ kind, text }: FoundText, scrub: Scrub): string {
  if (kind === 'url') return scrubUrl(text, scrub);
  if (kind === 'text') return scrub(text);
  const value: unknown = JSON.parse(text);
  const clean = scrubJson(value, scrub);
  // What names nobody stays byte for byte.
  return JSON.stringify(clean) === JSON.stringify(value) ? text : JSON.stringify(clean);
}
