import { randomUUID } from 'node:crypto';

import { expect, it } from 'vitest';

import { useDatabase } from '#test/support/opened-database.ts';
import {
  insertAuthorization,
  isReadDue,
  leaseAuthorizations,
  recordAuthorization,
  requestRead,
} from './store-authorizations.ts';

const store = useDatabase();

it('reads an authorization again if that was requested while it was being read', async () => {
  const { db } = store;
  const now = new Date();
  const key = { sellerId: randomUUID(), id: randomUUID() };
  const authorization = {
    sellerId: key.sellerId,
    subscriptionId: key.id,
    provider: 'bacen',
    journey: 2 as const,
    idRec: 'RR1',
    status: 'CRIADA' as const,
    code: null,
    firstTransactionId: null,
    payerAccount: null,
  };
  await db.transaction().execute((trx) => insertAuthorization(trx, authorization, now));
  const lease = async () => {
    const at = new Date(now.getTime() + 10);
    const leaseUntil = new Date(now.getTime() + 60_000);
    return (await leaseAuthorizations(db, { now: at, leaseUntil, leasedBy: randomUUID(), limit: 1 }))[0];
  };
  const record = (done: NonNullable<Awaited<ReturnType<typeof lease>>>) =>
    db.transaction().execute((trx) => recordAuthorization(trx, key, { status: 'CRIADA' }, { done, now }));
  await requestRead(db, key, { dueAt: now, now });
  const first = await lease();
  if (first === undefined) throw new Error('nothing is due');
  // In the same millisecond.
  await requestRead(db, key, { dueAt: now, now });
  await record(first);
  // The next planned reading does not delay it.
  await requestRead(db, key, { dueAt: new Date(now.getTime() + 60_000), now });
  expect(await isReadDue(db, key, new Date(now.getTime() + 10))).toBe(true);
  const second = await lease();
  if (second === undefined) throw new Error('the second reading is lost');
  await record(second);
  expect(await lease()).toBeUndefined();
});
