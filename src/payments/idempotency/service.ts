import type { Clock } from '#platform/kit/clock.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import { IDEMPOTENCY_KEY_TTL_MS } from '#platform/http/idempotency.ts';
import {
  deleteExpiredKey,
  deleteKeysBefore,
  findKey,
  insertKey,
  saveResponse,
  type IdempotencyKey,
} from './store.ts';

interface IdempotencyDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type IdempotencyKeysService = ReturnType<typeof createIdempotencyKeysService>;

export const createIdempotencyKeysService = (deps: IdempotencyDeps) => bindDeps(deps, { isUsed });

/** Whether a request with this key has succeeded and the key has not expired. */
async function isUsed({ db, clock }: IdempotencyDeps, key: IdempotencyKey): Promise<boolean> {
  const record = await findKey(db, key);
  return record !== undefined && record.createdAt.getTime() >= clock.nowMs() - IDEMPOTENCY_KEY_TTL_MS;
}

/** Deletes expired keys, at most `limit`. Returns how many it deleted. */
export const deleteExpiredKeys = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteKeysBefore(db, new Date(now.getTime() - IDEMPOTENCY_KEY_TTL_MS), limit);

export interface IdempotentRequest<Response> extends IdempotencyKey {
  readonly bodyHash: Buffer;
  /** Id of the record that the request creates. */
  readonly recordId: string;
  readonly now: Date;
  /** Checks a stored response, which is parsed JSON. */
  readonly isResponse: (stored: unknown) => stored is Response;
}

type WorkFailure<Failure> = { readonly kind: 'refused'; readonly failure: Failure };

export type IdempotentResult<Response, Failure> =
  | { readonly kind: 'done' | 'replayed'; readonly response: Response }
  /** The key was used with another body. */
  | { readonly kind: 'reused' }
  | WorkFailure<Failure>;

export type WorkResult<Response, Failure> =
  | { readonly kind: 'done'; readonly response: Response }
  | WorkFailure<Failure>;

type Work<Response, Failure> = (trx: DatabaseTransaction) => Promise<WorkResult<Response, Failure>>;

/**
 * Runs `work` once for a key, in the database transaction that inserts the key. A repeated request
 * returns the stored response; one that arrives while the first is running waits for it. Refused
 * work is rolled back and leaves the key unused. The response must survive a JSON round trip
 * unchanged.
 */
export async function runIdempotent<Response, Failure>(
  db: Db,
  request: IdempotentRequest<Response>,
  work: Work<Response, Failure>,
): Promise<IdempotentResult<Response, Failure>> {
  for (;;) {
    const result = await attempt(db, request, work);
    if (result.kind !== 'key-exists') return result;
    const replay = await findReplay(db, request);
    if (replay !== undefined) return replay;
    // The key has expired or was deleted meanwhile: the next iteration can insert it.
    await deleteExpiredKey(db, request, validSince(request.now));
  }
}

const validSince = (now: Date): Date => new Date(now.getTime() - IDEMPOTENCY_KEY_TTL_MS);

/**
 * The result of an earlier request with the key; undefined if there is none. Called first where a
 * request is checked against what changes by time.
 */
export async function findReplay<Response>(
  db: Db,
  request: Omit<IdempotentRequest<Response>, 'recordId'>,
): Promise<Exclude<IdempotentResult<Response, never>, { kind: 'done' | 'refused' }> | undefined> {
  const record = await findKey(db, request);
  if (record === undefined || record.createdAt < validSince(request.now)) return undefined;
  if (!record.bodyHash.equals(request.bodyHash)) return { kind: 'reused' };
  if (!request.isResponse(record.response))
    throw new Error('the stored response of an idempotency key has an unknown format');
  return { kind: 'replayed', response: record.response };
}

type AttemptResult<Response, Failure> = WorkResult<Response, Failure> | { readonly kind: 'key-exists' };

async function attempt<Response, Failure>(
  db: Db,
  request: IdempotentRequest<Response>,
  work: Work<Response, Failure>,
): Promise<AttemptResult<Response, Failure>> {
  const { recordId, bodyHash, now } = request;
  return transactionWithRollback<AttemptResult<Response, Failure>>(db, async (trx) => {
    if (!(await insertKey(trx, request, { recordId, bodyHash, createdAt: now })))
      return { kind: 'key-exists' };
    const result = await work(trx);
    if (result.kind === 'refused') return rollback(result);
    await saveResponse(trx, request, JSON.stringify(result.response));
    return result;
  });
}
