import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '#platform/http/idempotency.ts';
import {
  deleteExpiredKey,
  deleteKeysBefore,
  findKey,
  insertKey,
  saveResponse,
  type IdempotencyKey,
} from './store.ts';

export {
  deleteExpiredKey,
  findKey,
  saveResponse,
  type IdempotencyKey,
  type IdempotencyRecord,
} from './store.ts';

export type IdempotencyKeysService = ReturnType<typeof createIdempotencyKeysService>;

/** What is to be known of keys before there is anything to do for them. */
export function createIdempotencyKeysService(db: Db, clock: Clock) {
  return {
    /** Whether something was done for the key, whose life is not over. */
    async isUsed(name: IdempotencyKey): Promise<boolean> {
      const record = await findKey(db, name);
      return record !== undefined && record.createdAt.getTime() >= clock.nowMs() - IDEMPOTENCY_KEY_TTL_MS;
    },
  };
}

/** Deletes expired keys, at most `limit`. Returns how many it deleted. */
export const deleteExpiredKeys = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteKeysBefore(db, new Date(now.getTime() - IDEMPOTENCY_KEY_TTL_MS), limit);

export interface IdempotentRequest<Response> extends IdempotencyKey {
  readonly bodyHash: Buffer;
  /** Id of the record to be made. */
  readonly recordId: string;
  readonly now: Date;
  /** Recognises a kept answer, which has been through JSON. */
  readonly isResponse: (stored: unknown) => stored is Response;
}

export type IdempotentResult<Response, Failure> =
  | { readonly kind: 'done' | 'replayed'; readonly response: Response }
  /** The key was used with another body. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'refused'; readonly failure: Failure };

export type WorkResult<Response, Failure> =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Does something once for a key, in one transaction with the key: after any crash either both happened or neither.
 * A repeat gets the kept answer; one that arrives while the first is still running waits for it. Where the work is
 * refused, the transaction is undone and the key is free again. The answer must survive JSON unchanged.
 */
export async function runIdempotent<Response, Failure>(
  db: Db,
  request: IdempotentRequest<Response>,
  work: (trx: DatabaseTransaction) => Promise<WorkResult<Response, Failure>>,
): Promise<IdempotentResult<Response, Failure>> {
  for (;;) {
    const result = await attempt(db, request, work);
    if (result !== undefined) return result;
    const record = await findKey(db, request);
    const validSince = new Date(request.now.getTime() - IDEMPOTENCY_KEY_TTL_MS);
    if (record !== undefined && record.createdAt >= validSince) {
      if (!record.bodyHash.equals(request.bodyHash)) return { kind: 'reused' };
      if (!request.isResponse(record.response))
        throw new Error('an idempotency key keeps an answer of another form');
      return { kind: 'replayed', response: record.response };
    }
    // Its life is over, or it has just been cleaned away: the key is free, and the next round takes it.
    if (record !== undefined) await deleteExpiredKey(db, request, validSince);
  }
}

/** Undefined where the key is taken. */
async function attempt<Response, Failure>(
  db: Db,
  request: IdempotentRequest<Response>,
  work: (trx: DatabaseTransaction) => Promise<WorkResult<Response, Failure>>,
): Promise<IdempotentResult<Response, Failure> | undefined> {
  const { recordId, bodyHash, now } = request;
  let result: IdempotentResult<Response, Failure> | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      if (!(await insertKey(trx, request, { recordId, bodyHash, createdAt: now }))) return;
      const outcome = await work(trx);
      if (outcome.ok) {
        await saveResponse(trx, request, JSON.stringify(outcome.response));
        result = { kind: 'done', response: outcome.response };
      } else {
        result = { kind: 'refused', failure: outcome.failure };
        throw new RolledBack();
      }
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result;
}

/** Thrown to undo the transaction of a refused work. */
class RolledBack extends Error {}
