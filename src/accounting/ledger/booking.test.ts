import { randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it } from 'vitest';

import type { Db } from '#platform/database/connect.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import type { EntryCause, LedgerAccount, LedgerEntry, Origin } from './entries.ts';
import { checkLedger } from './check.ts';
import { bookEntries, getWallet, type Booking } from './service.ts';

const opened = useDatabase(10);
let sellerId: string;

beforeEach(async () => {
  sellerId = await writeSeller(opened.db);
  await bookAlone({ entries: [entry('provider', 'available', 1_000)] });
});

/** A cause that requires no payment. */
const CAUSE: EntryCause = 'RELEASE';

function entry(
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: number,
  origin: Origin = 'PIX',
): LedgerEntry {
  return { origin, debit, credit, amount, cause: CAUSE };
}

const secrets = new SecretBox([Buffer.alloc(32)]);

const booking = (changes: Partial<Booking>): Booking => ({
  sellerId,
  recordId: randomUUID(),
  origin: 'PIX',
  entries: [],
  at: new Date(),
  ...changes,
});

/**
 * In its own transaction, which is rolled back if the booking is rejected, as every caller must do.
 */
async function bookAlone(changes: Partial<Booking>, db: Db = opened.db): Promise<boolean> {
  const wanted = booking(changes);
  try {
    return await db.transaction().execute(async (transaction) => {
      if (!(await bookEntries(transaction, secrets, wanted))) throw new Refused();
      return true;
    });
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

class Refused extends Error {}

async function entriesOf(): Promise<number> {
  const rows = await opened.query<{ count: string }>(
    'SELECT count(*) FROM ledger_entries WHERE seller_id = $1',
    [sellerId],
  );
  return Number(rows[0]?.count);
}

async function expectBalances(available: number, blocked: number): Promise<void> {
  expect((await getWallet(opened.db, sellerId)).byOrigin.PIX).toEqual({
    availableBalance: available,
    blockedBalance: blocked,
    totalBalance: available + blocked,
  });
  const secrets = new SecretBox([Buffer.alloc(32)]);
  const { discrepancies } = (await checkLedger({ db: opened.db, secrets })).checked;
  expect(discrepancies.filter((found) => found.sellerId === sellerId && found.kind === 'BALANCE')).toEqual(
    [],
  );
}

describe('bookEntries', () => {
  it('changes the wallet by the sum of the entries', async () => {
    const entries = [
      entry('available', 'reserved', 300),
      entry('available', 'disputed', 200),
      entry('provider', 'retained', 50),
      entry('reserved', 'provider', 100),
    ];
    expect(await bookAlone({ entries })).toBe(true);
    expect(await entriesOf()).toBe(1 + entries.length);
    await expectBalances(500, 450);
  });

  it('changes nothing if there are no entries', async () => {
    expect(await bookAlone({ entries: [], floor: 5_000 })).toBe(true);
    expect(await entriesOf()).toBe(1);
  });

  it.each([
    { take: 1_000, floor: 0, taken: true },
    { take: 1_001, floor: 0, taken: false },
    { take: 1_500, floor: -500, taken: true },
    { take: 1_501, floor: -500, taken: false },
    { take: 100, floor: 900, taken: true },
    { take: 101, floor: 900, taken: false },
  ])('accepts $take with a floor of $floor: $taken', async ({ take, floor, taken }) => {
    expect(await bookAlone({ entries: [entry('available', 'reserved', take)], floor })).toBe(taken);
    await expectBalances(taken ? 1_000 - take : 1_000, taken ? take : 0);
    expect(await entriesOf()).toBe(taken ? 2 : 1);
  });

  it('may take the balance below zero if there is no floor', async () => {
    expect(await bookAlone({ entries: [entry('available', 'disputed', 4_000)] })).toBe(true);
    await expectBalances(-3_000, 4_000);
  });

  it('accepts entries that raise a balance below its floor', async () => {
    await bookAlone({ entries: [entry('available', 'disputed', 4_000)] });
    expect(await bookAlone({ entries: [entry('provider', 'available', 10)], floor: 0 })).toBe(true);
    await expectBalances(-2_990, 4_000);
  });

  it('requires no balance for entries that net to zero', async () => {
    const entries = [entry('available', 'reserved', 9_000), entry('reserved', 'available', 9_000)];
    expect(await bookAlone({ entries, floor: 0 })).toBe(true);
    await expectBalances(1_000, 0);
  });

  it('changes the balance of its origin only', async () => {
    const entries = [entry('available', 'reserved', 1, 'CARD')];
    expect(await bookAlone({ origin: 'CARD', entries, floor: 0 })).toBe(false);
    await expectBalances(1_000, 0);
  });

  it('rejects a debit above the blocked amount', async () => {
    await expect(bookAlone({ entries: [entry('reserved', 'provider', 1)] })).rejects.toThrow(/reserved/);
    await expectBalances(1_000, 0);
    expect(await entriesOf()).toBe(1);
  });

  it('accepts as many concurrent bookings as the balance covers', async () => {
    const taken = await Promise.all(
      Array.from({ length: 40 }, () =>
        bookAlone({ entries: [entry('available', 'reserved', 150)], floor: 0 }),
      ),
    );
    expect(taken.filter(Boolean)).toHaveLength(6);
    await expectBalances(100, 900);
    expect(await entriesOf()).toBe(7);
  });

  it('throws for a seller without a wallet', async () => {
    await opened.query('DELETE FROM wallets WHERE seller_id = $1', [sellerId]);
    await expect(bookAlone({ entries: [entry('provider', 'available', 1)] })).rejects.toThrow(/wallet/);
    expect(await entriesOf()).toBe(1);
  });
});
