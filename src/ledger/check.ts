import type { Db } from '#database/connect.ts';
import type { SecretBox } from '#secrets.ts';
import { checkSeals } from './seals.ts';
import {
  allowStatements,
  countLedger,
  findBalanceDifferences,
  findCountDifferences,
  findEntryDifferences,
  findTransactionDifferences,
  findWithdrawalDifferences,
} from './store-check.ts';

export interface LedgerCheck {
  readonly balanced: boolean;
  readonly sellers: number;
  readonly entries: number;
  /** Seals that were verified. */
  readonly seals: number;
  readonly discrepancies: readonly Discrepancy[];
}

export interface Discrepancy {
  readonly kind: 'BALANCE' | 'ENTRY' | 'TRANSACTION' | 'WITHDRAWAL' | 'SEAL' | 'COUNT';
  readonly sellerId: string;
  readonly message: string;
}

/** So many differences are named of each kind; one is enough to know that something is wrong. */
const NAMED_DIFFERENCES = 1_000;

/**
 * Recomputes every balance from its entries, every entry from its cause, the chain of seals, and the number of charges of each
 * status, all in one snapshot, so that payments that arrive meanwhile disturb nothing.
 *
 * @param patienceMs how long one statement may take, where that is not what the connection says.
 */
export async function checkLedger(db: Db, secrets: SecretBox, patienceMs?: number): Promise<LedgerCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      if (patienceMs !== undefined) await allowStatements(snapshot, patienceMs);
      const counted = await countLedger(snapshot);
      const balances = await findBalanceDifferences(snapshot, NAMED_DIFFERENCES);
      const entries = await findEntryDifferences(snapshot, NAMED_DIFFERENCES);
      const transactions = await findTransactionDifferences(snapshot, NAMED_DIFFERENCES);
      const withdrawals = await findWithdrawalDifferences(snapshot, NAMED_DIFFERENCES);
      const { seals, problems } = await checkSeals(snapshot, secrets, NAMED_DIFFERENCES);
      const counts = await findCountDifferences(snapshot, NAMED_DIFFERENCES);
      const discrepancies: readonly Discrepancy[] = [
        ...balances.map((found) => ({
          kind: 'BALANCE' as const,
          sellerId: found.sellerId,
          message: `${found.account} balance of origin ${found.origin} is ${found.kept}, its entries sum to ${found.computed}`,
        })),
        ...entries.map(({ sellerId, entryId, problem }) => ({
          kind: 'ENTRY' as const,
          sellerId,
          message: `entry ${entryId ?? '(none)'} ${problem}`,
        })),
        ...transactions.map((found) => ({
          kind: 'TRANSACTION' as const,
          sellerId: found.sellerId,
          message: `transaction ${found.transactionId}: ${found.part} should be ${found.expected} and is ${found.booked}`,
        })),
        ...withdrawals.map((found) => ({
          kind: 'WITHDRAWAL' as const,
          sellerId: found.sellerId,
          message:
            `withdrawal ${found.withdrawalId} is ${found.status ?? 'unknown'}, its entries sum to ${found.reserved} reserved, ` +
            `${found.returned} returned, ${found.paid} paid and ${found.fee} fee`,
        })),
        ...problems.map((problem) => ({ kind: 'SEAL' as const, ...problem })),
        ...counts.map((found) => ({
          kind: 'COUNT' as const,
          sellerId: found.sellerId,
          message: `${found.method} charges that are ${found.status} are counted as ${found.kept}, there are ${found.computed}`,
        })),
      ];
      return { balanced: discrepancies.length === 0, ...counted, seals, discrepancies };
    });
}
