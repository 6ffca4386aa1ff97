import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { IDEMPOTENCY_LIFE_MS } from '#platform/http/idempotency.ts';
import { deleteKeyOlderThan, findKey, insertKey, keepAnswer, type KeyName } from './store.ts';

export { deleteKeyOlderThan, findKey, keepAnswer, type KeyName, type KeyRow } from './store.ts';

export type KeysService = ReturnType<typeof createKeysService>;

/** What is to be known of keys before there is anything to do for them. */
export function createKeysService(db: Db, clock: Clock) {
  return {
    /** Whether something was done for the key, whose life is not over. */
    async isUsed(name: KeyName): Promise<boolean> {
      const known = await findKey(db, name);
      return known !== undefined && known.createdAt.getTime() >= clock.nowMs() - IDEMPOTENCY_LIFE_MS;
    },
  };
}

export interface OnceRequest<Answer> extends KeyName {
  readonly bodyHash: Buffer;
  /** Id of the record to be made. */
  readonly recordId: string;
  readonly now: Date;
  /** Recognises a kept answer, which has been through JSON. */
  readonly isAnswer: (kept: unknown) => kept is Answer;
}

export type OnceResult<Answer, Failure> =
  | { readonly kind: 'done' | 'replayed'; readonly answer: Answer }
  /** The key was used with another body. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'refused'; readonly failure: Failure };

export type Work<Answer, Failure> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Does something once for a key, in one transaction with the key: after any crash either both happened or neither.
 * A repeat gets the kept answer; one that arrives while the first is still running waits for it. Where the work is
 * refused, the transaction is undone and the key is free again. The answer must survive JSON unchanged.
 */
export async function once<Answer, Failure>(
  db: Db,
  request: OnceRequest<Answer>,
  work: (transaction: Db) => Promise<Work<Answer, Failure>>,
): Promise<OnceResult<Answer, Failure>> {
  for (;;) {
    const first = await attempt(db, request, work);
    if (first !== undefined) return first;
    const known = await findKey(db, request);
    const livingSince = new Date(request.now.getTime() - IDEMPOTENCY_LIFE_MS);
    if (known !== undefined && known.createdAt >= livingSince) {
      if (!known.bodyHash.equals(request.bodyHash)) return { kind: 'reused' };
      if (!request.isAnswer(known.answer))
        throw new Error('an idempotency key keeps an answer of another form');
      return { kind: 'replayed', answer: known.answer };
    }
    // Its life is over, or it has just been cleaned away: the key is free, and the next round takes it.
    if (known !== undefined) await deleteKeyOlderThan(db, request, livingSince);
  }
}

/** Undefined where the key is taken. */
async function attempt<Answer, Failure>(
  db: Db,
  request: OnceRequest<Answer>,
  work: (transaction: Db) => Promise<Work<Answer, Failure>>,
): Promise<OnceResult<Answer, Failure> | undefined> {
  const { recordId, bodyHash, now } = request;
  let result: OnceResult<Answer, Failure> | undefined;
  try {
    await db.transaction().execute(async (transaction) => {
      if (!(await insertKey(transaction, request, { recordId, bodyHash, createdAt: now }))) return;
      const done = await work(transaction);
      if (done.ok) {
        await keepAnswer(transaction, request, JSON.stringify(done.answer));
        result = { kind: 'done', answer: done.answer };
      } else {
        result = { kind: 'refused', failure: done.failure };
        throw new Undo();
      }
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return result;
}

/** Thrown to undo the transaction of a refused work. */
class Undo extends Error {}
