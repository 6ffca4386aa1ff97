import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { networkOf } from '#platform/kit/network.ts';
import {
  completeAttempt,
  countDeclinesOfAddress,
  countDeclinesOfLink,
  countUnpaid,
  deleteAttemptsBefore,
  insertAttempt,
  lockScope,
} from './store.ts';

/** How many attempts the payment page allows in an hour. */
interface CheckoutLimits {
  readonly unpaidPerHour: number;
  readonly declinesPerAddress: number;
  readonly declinesPerLink: number;
}

export interface AttemptDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** An operator can change them. */
  readonly getLimits: () => Promise<CheckoutLimits>;
}

const WINDOW_MS = 3_600_000;
export const WINDOW_SECONDS = WINDOW_MS / 1_000;

export interface Attempt {
  readonly sellerId: string;
  readonly id: string;
}

export type AttemptResult =
  | { readonly kind: 'allowed'; readonly attempt: Attempt }
  | { readonly kind: 'too-many-unpaid' | 'too-many-declined' };

export interface AttemptRequest {
  readonly sellerId: string;
  readonly linkId: string;
  readonly address: string;
  readonly isCard: boolean;
}

/**
 * Records an attempt to pay, unless its address or link has too many. A card counts as declined
 * until it is accepted, so that concurrent attempts cannot pass the limit.
 */
export async function beginAttempt(
  { db, clock, secrets, getLimits }: AttemptDeps,
  { sellerId, linkId, address, isCard }: AttemptRequest,
): Promise<AttemptResult> {
  const limits = await getLimits();
  const now = clock.now();
  const since = new Date(now.getTime() - WINDOW_MS);
  const addressMac = secrets.mac(networkOf(address), 'checkout address');
  const attempt = { sellerId, id: newId(now.getTime()) };
  return transactionWithRollback<AttemptResult>(db, async (trx) => {
    await lockScope(trx, isCard ? [linkId, addressMac] : [addressMac]);
    if (isCard) {
      const ofAddress = await countDeclinesOfAddress(trx, addressMac, since);
      const ofLink = await countDeclinesOfLink(trx, { sellerId, id: linkId }, since);
      if (ofAddress >= limits.declinesPerAddress || ofLink >= limits.declinesPerLink)
        return rollback({ kind: 'too-many-declined' });
    } else if ((await countUnpaid(trx, { sellerId, linkId, addressMac }, since)) >= limits.unpaidPerHour) {
      return rollback({ kind: 'too-many-unpaid' });
    }
    await insertAttempt(trx, { ...attempt, linkId, addressMac, declined: isCard, createdAt: now });
    return { kind: 'allowed', attempt };
  });
}

/**
 * Records the outcome of an attempt. Null: nothing was created, and the attempt no longer counts.
 */
export const endAttempt = (
  { db }: Pick<AttemptDeps, 'db'>,
  attempt: Attempt,
  outcome: { readonly transactionId: string; readonly declined: boolean } | null,
): Promise<void> => completeAttempt(db, attempt, outcome);

/** Deletes attempts that no limit counts. Returns how many. */
export const deleteOldAttempts = (db: Db, now: Date, limit: number): Promise<number> =>
  deleteAttemptsBefore(db, new Date(now.getTime() - WINDOW_MS), limit);
