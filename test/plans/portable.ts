import { NoResultError } from 'kysely';

import { openDatabase, type DatabaseTransaction, type Db } from '#platform/database/connect.ts';
import { onShardOf } from '#platform/database/shards/each-shard.ts';
import { runStatementIn } from '#platform/database/statements.ts';
import { errorCode } from '#platform/kit/errors.ts';
import { CALLS } from './calls.ts';
import type { Call } from './call.ts';
import { LARGE } from './fill.ts';

/** The SQLSTATEs of what Citus does not support, and of wrong names. */
const REJECTED = /^(0A000|42|XX)/;

/** Functions that the gateway calls with the handle of a shard, of a job or of one seller. */
const ON_SHARD = new Set([
  'findDueSellers',
  'findDueSubscriptions',
  'findDueRetries',
  'findChangedOfSubscriptions',
  'deleteOldDeliveries',
  'deleteOldEvents',
  'findChainHeads',
  'findChainStates',
  'findEntriesFrom',
  'findHeads',
  'findImpossibleRecords',
  'findSellerRowCounts',
  'findSellersWithOtherHeadKey',
  'findSellersWithProofs',
  'findSummaries',
  'findUnindexed',
  'countNewEntries',
  'hashEntries',
  'verifySegments',
]);

/** Functions that are called with the handle of the whole database, and choose the shards. */
const CHOOSES_SHARD = new Set([
  'claimOperations',
  'claimPayouts',
  'claimReversals',
  'countByMetadata',
  'countLinks',
  'countProviderEvents',
  'countWithdrawals',
  'deleteKeysBefore',
  'findByMetadata',
  'findLinks',
  'findOperatorSummaries',
  'findProviderEvents',
  'findRelatives',
  'findSubscriptions',
  'findWithdrawals',
  'leaseAttempts',
  'leaseAuthorizations',
  'leaseMails',
  'markDeliveriesReady',
  'takeDebitsToRead',
]);

/** Prepared statements on tables that belong to no seller. */
const NAMED_ON_WHOLE = new Set(['loadPolicy', 'loadRoutes', 'loadStoredSettings']);

/** Runs a call as the gateway does. */
async function run(db: Db, { read, run: inTransaction, runOutside, isNamed }: Call): Promise<void> {
  const isOnShard = isNamed === true ? !NAMED_ON_WHOLE.has(read.name) : ON_SHARD.has(read.name);
  if (runOutside !== undefined) {
    await (isOnShard ? onShardOf(db, LARGE, async (shard) => runOutside(shard)) : runOutside(db));
  }
  if (inTransaction === undefined) return;
  const execute = async (trx: DatabaseTransaction) => {
    const result = await inTransaction(trx, runStatementIn(trx));
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      await Object(result)[Symbol.asyncIterator]().next();
  };
  if (CHOOSES_SHARD.has(read.name)) await inTransaction(asTransaction(db), runStatementIn(db));
  else if (isOnShard) await onShardOf(db, LARGE, (shard) => shard.transaction().execute(execute));
  else await db.transaction().execute(execute);
}

/** These functions take any handle; the calls have the type of those in transactions. */
const asTransaction = (db: unknown): DatabaseTransaction => Object(db);

/** Calls every function of every store. Returns those that a distributed database rejects. */
export async function findRejectedCalls(url: string): Promise<readonly string[]> {
  const database = openDatabase({ url, poolSize: 2, onError: () => undefined });
  const rejected: string[] = [];
  for (const call of CALLS) {
    try {
      await run(database.db, call);
    } catch (error) {
      if (error instanceof NoResultError) continue;
      if (REJECTED.test(errorCode(error) ?? 'XX')) rejected.push(`${call.read.name}: ${String(error)}`);
    }
  }
  await database.close();
  return rejected;
}
