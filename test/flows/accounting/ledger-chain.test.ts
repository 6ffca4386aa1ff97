import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.adminToken();
});
afterAll(async () => {
  await gateway.stop();
});

const sql = (text: string, values?: readonly unknown[]) =>
  gateway.database.query<Record<string, unknown>>(text, values);

async function pay(seller: TestSeller, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const { id } = (await gateway.charge({}, seller)).body.data;
    await gateway.post(`/sandbox/transactions/${id}/pay`, undefined, seller);
  }
}

/** Waits until the chain covers this many entries of the seller. */
async function waitForChain(seller: TestSeller, entries: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const rows = await sql(
        'SELECT entries FROM ledger_chain WHERE seller_id = $1 ORDER BY number DESC LIMIT 1',
        [seller.id],
      );
      expect(Number(rows[0]?.['entries'])).toBe(entries);
    },
    { timeout: 15_000, interval: 50 },
  );
}

async function check() {
  const response = await gateway.get('/admin/ledger/check', { token });
  expect(response.status).toBe(200);
  return response.body.data;
}

/** Sellers whose chains have three entries over two ledger entries each. */
async function sellersWithChain(count: number): Promise<readonly TestSeller[]> {
  const sellers = await Promise.all(Array.from({ length: count }, () => newSeller(gateway)));
  for (let payments = 1; payments <= 3; payments += 1) {
    await Promise.all(sellers.map((seller) => pay(seller, 1)));
    for (const seller of sellers) await waitForChain(seller, payments * 2);
  }
  return sellers;
}

describe('the ledger chain', () => {
  it('covers every entry within seconds, and the check verifies it', async () => {
    const before = await check();
    const [seller] = await sellersWithChain(1);
    expect(await check()).toMatchObject({ balanced: true, discrepancies: [] });
    const rows = await sql('SELECT number FROM ledger_chain WHERE seller_id = $1 ORDER BY number', [
      seller?.id,
    ]);
    expect(rows.map((row) => Number(row['number']))).toEqual([1, 2, 3]);
    expect((await check()).chainEntries).toBeGreaterThanOrEqual(before.chainEntries + 3);
  });

  it('stays valid under concurrent bookings', async () => {
    const sellers = await Promise.all(Array.from({ length: 3 }, () => newSeller(gateway)));
    await Promise.all(sellers.flatMap((seller) => Array.from({ length: 8 }, () => pay(seller, 5))));
    for (const seller of sellers) await waitForChain(seller, 80);
    expect(await check()).toMatchObject({ balanced: true, discrepancies: [] });
  });

  interface Damage {
    readonly name: string;
    readonly damage: string;
    readonly message: RegExp;
    /** Whether only the chain reveals the corruption. */
    readonly chainOnly?: boolean;
  }
  const damages: readonly Damage[] = [
    {
      name: 'a changed date of an entry, which nothing else reveals',
      damage: `UPDATE ledger_entries SET created_at = '2026-01-01T00:00:00Z'
        WHERE seller_id = $1 AND position = 3`,
      message: /^an entry covered by chain entry 2 was changed$/,
      chainOnly: true,
    },
    {
      name: 'an amount changed in the entry, the transaction and the wallet',
      damage: `WITH t AS (UPDATE transactions SET amount = 1600 WHERE seller_id = $1 AND id = (
          SELECT record_id FROM ledger_entries WHERE seller_id = $1 AND position = 5) RETURNING id),
        e AS (UPDATE ledger_entries SET amount = amount + CASE WHEN position = 5 THEN 100 ELSE 0 END,
          available_after = available_after + 100 WHERE seller_id = $1 AND position >= 5 RETURNING id)
        UPDATE wallets SET available = available + 100 WHERE seller_id = $1 AND origin = 'PIX'`,
      message: /^an entry covered by chain entry 3 was changed$/,
      chainOnly: true,
    },
    {
      name: 'deleted last entries, with the wallet and the payment changed to match',
      damage: `WITH e AS (DELETE FROM ledger_entries WHERE seller_id = $1 AND position >= 5
          RETURNING record_id),
        t AS (UPDATE transactions SET paid_at = NULL, status = 'FAILED' WHERE seller_id = $1
          AND id IN (SELECT record_id FROM e))
        UPDATE wallets SET available = available - 1485, entries = 4 WHERE seller_id = $1 AND origin = 'PIX'`,
      message: /^the chain covers 6 entries and the wallet counts 4$/,
      chainOnly: true,
    },
    {
      name: 'a missing chain entry',
      damage: 'DELETE FROM ledger_chain WHERE seller_id = $1 AND number = 2',
      message: /^chain entry 2 is missing$/,
      chainOnly: true,
    },
    {
      name: 'a chain entry forged without the key for a changed entry',
      damage: `WITH e AS (
          UPDATE ledger_entries SET created_at = '2026-01-01T00:00:00Z' WHERE seller_id = $1 AND position = 3)
        UPDATE ledger_chain SET content_hash = sha256('anything'), mac = 'v1.abc.def'
        WHERE seller_id = $1 AND number = 2`,
      message: /^chain entry 2 is not what the gateway wrote$/,
      chainOnly: true,
    },
    {
      name: 'an entry inserted into a covered range',
      damage: `INSERT INTO ledger_entries (seller_id, id, origin, debit, credit, amount, cause, record_id,
          created_at, position, available_after, blocked_after)
        SELECT seller_id, (left(id::text, 35) || '0')::uuid, origin, debit, credit, amount, cause, record_id,
          created_at, position, available_after, blocked_after
        FROM ledger_entries WHERE seller_id = $1 AND position = 3`,
      message: /^chain entry 2 covers 2 entries and there are 3$/,
    },
    {
      name: 'a chain entry of another seller',
      damage: `UPDATE ledger_chain SET mac = (
        SELECT mac FROM ledger_chain WHERE seller_id <> $1 ORDER BY created_at DESC LIMIT 1)
        WHERE seller_id = $1 AND number = 3`,
      message: /^chain entry 3 is not what the gateway wrote$/,
      chainOnly: true,
    },
  ];

  /** One for each damage, and a bystander. Made together, because each entry of a chain takes a second. */
  let sellers: readonly TestSeller[];
  beforeAll(async () => {
    sellers = await sellersWithChain(damages.length + 1);
  });

  function sellerAt(index: number): TestSeller {
    const seller = sellers.at(index);
    if (seller === undefined) throw new Error('there are fewer sellers than damages');
    return seller;
  }

  it.each(damages)('reveals $name', async ({ name, damage, message, chainOnly }) => {
    const seller = sellerAt(damages.findIndex((one) => one.name === name));
    await sql(damage, [seller.id]);
    const { balanced, discrepancies: all } = await check();
    expect(balanced).toBe(false);
    // The corrupted data does not keep the transaction counts correct.
    const discrepancies = all.filter((found: { kind: string }) => found.kind !== 'COUNT');
    const mine = discrepancies.filter((found: { sellerId: string }) => found.sellerId === seller.id);
    expect(discrepancies.filter((found: { sellerId: string }) => found.sellerId === sellerAt(-1).id)).toEqual(
      [],
    );
    const ofChain = mine.filter((found: { kind: string }) => found.kind === 'CHAIN');
    expect(ofChain.some((found: { message: string }) => message.test(found.message))).toBe(true);
    expect(mine.length === ofChain.length).toBe(chainOnly === true);
    // The corruption stays, so the seller is deleted before the next case.
    for (const table of ['ledger_chain', 'ledger_entries', 'wallets']) {
      await sql(`DELETE FROM ${table} WHERE seller_id = $1`, [seller.id]);
    }
  });
});
