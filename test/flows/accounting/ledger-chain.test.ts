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

async function sealed(seller: TestSeller, entries: number): Promise<number> {
  return vi.waitFor(
    async () => {
      const rows = await sql(
        'SELECT number, entries FROM ledger_chain WHERE seller_id = $1 ORDER BY number DESC LIMIT 1',
        [seller.id],
      );
      expect(Number(rows[0]?.['entries'])).toBe(entries);
      return Number(rows[0]?.['number']);
    },
    { timeout: 15_000, interval: 50 },
  );
}

async function check() {
  const answer = await gateway.get('/admin/ledger/check', { token });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** A seller with three seals over two entries each. */
async function sealedSeller(): Promise<TestSeller> {
  const seller = await newSeller(gateway);
  for (let payments = 1; payments <= 3; payments += 1) {
    await pay(seller, 1);
    await sealed(seller, payments * 2);
  }
  return seller;
}

describe('the chain of seals', () => {
  it('covers every entry within seconds and is verified by the check (C9, C13)', async () => {
    const before = await check();
    const seller = await sealedSeller();
    expect(await check()).toMatchObject({ balanced: true, discrepancies: [] });
    const rows = await sql('SELECT number FROM ledger_chain WHERE seller_id = $1 ORDER BY number', [
      seller.id,
    ]);
    expect(rows.map((row) => Number(row['number']))).toEqual([1, 2, 3]);
    expect((await check()).seals).toBeGreaterThanOrEqual(before.seals + 3);
  });

  it('holds while many book at once (C9)', async () => {
    const sellers = await Promise.all(Array.from({ length: 3 }, () => newSeller(gateway)));
    await Promise.all(sellers.flatMap((seller) => Array.from({ length: 8 }, () => pay(seller, 5))));
    for (const seller of sellers) await sealed(seller, 80);
    expect(await check()).toMatchObject({ balanced: true, discrepancies: [] });
  });

  interface Damage {
    readonly name: string;
    readonly damage: string;
    readonly tells: RegExp;
    /** Whether the damage shows by the seals alone. */
    readonly alone?: boolean;
  }
  const damages: readonly Damage[] = [
    {
      name: 'a sealed entry dated otherwise, which nothing else would show',
      damage: `UPDATE ledger_entries SET created_at = created_at - interval '1 day' WHERE seller_id = $1 AND position = 3`,
      tells: /^an entry under seal 2 was changed$/,
      alone: true,
    },
    {
      name: 'a payment and its row, wallet and all changed alike',
      damage: `WITH t AS (UPDATE transactions SET amount = 1600 WHERE seller_id = $1 AND id = (
          SELECT record_id FROM ledger_entries WHERE seller_id = $1 AND position = 5) RETURNING id),
        e AS (UPDATE ledger_entries SET amount = amount + CASE WHEN position = 5 THEN 100 ELSE 0 END,
          available_after = available_after + 100 WHERE seller_id = $1 AND position >= 5 RETURNING id)
        UPDATE wallets SET available = available + 100 WHERE seller_id = $1 AND origin = 'PIX'`,
      tells: /^an entry under seal 3 was changed$/,
      alone: true,
    },
    {
      name: 'sealed entries that are gone from the end, wallet and payment with them',
      damage: `WITH e AS (DELETE FROM ledger_entries WHERE seller_id = $1 AND position >= 5 RETURNING record_id),
        t AS (UPDATE transactions SET paid_at = NULL, status = 'FAILED' WHERE seller_id = $1
          AND id IN (SELECT record_id FROM e))
        UPDATE wallets SET available = available - 1485, entries = 4 WHERE seller_id = $1 AND origin = 'PIX'`,
      tells: /^6 entries were sealed and the wallet counts 4$/,
      alone: true,
    },
    {
      name: 'a seal that is missing',
      damage: 'DELETE FROM ledger_chain WHERE seller_id = $1 AND number = 2',
      tells: /^seal 2 is missing$/,
      alone: true,
    },
    {
      name: 'a seal made anew without the key, over a changed entry',
      damage: `WITH e AS (
          UPDATE ledger_entries SET created_at = created_at - interval '1 day' WHERE seller_id = $1 AND position = 3)
        UPDATE ledger_chain SET content_hash = sha256('anything'), mac = 'v1.abc.def'
        WHERE seller_id = $1 AND number = 2`,
      tells: /^seal 2 is not what the gateway wrote$/,
      alone: true,
    },
    {
      name: 'an entry slipped in under a seal',
      damage: `INSERT INTO ledger_entries
        SELECT seller_id, (left(id::text, 35) || '0')::uuid, origin, debit, credit, amount, cause, record_id, created_at,
          position, available_after, blocked_after
        FROM ledger_entries WHERE seller_id = $1 AND position = 3`,
      tells: /^seal 2 vouches for 2 entries and there are 3$/,
    },
    {
      name: 'a seal of another seller',
      damage: `UPDATE ledger_chain SET mac = (
        SELECT mac FROM ledger_chain WHERE seller_id <> $1 ORDER BY created_at DESC LIMIT 1) WHERE seller_id = $1 AND number = 3`,
      tells: /^seal 3 is not what the gateway wrote$/,
      alone: true,
    },
  ];

  it.each(damages)('shows $name (C9, C13)', async ({ damage, tells, alone }) => {
    const [seller, bystander] = [await sealedSeller(), await newSeller(gateway)];
    await pay(bystander, 1);
    await sealed(bystander, 2);
    await sql(damage, [seller.id]);
    const { balanced, discrepancies: all } = await check();
    expect(balanced).toBe(false);
    // How many charges there are of a status is another matter.
    const discrepancies = all.filter((found: { kind: string }) => found.kind !== 'COUNT');
    const mine = discrepancies.filter((found: { sellerId: string }) => found.sellerId === seller.id);
    expect(discrepancies.filter((found: { sellerId: string }) => found.sellerId === bystander.id)).toEqual(
      [],
    );
    const seals = mine.filter((found: { kind: string }) => found.kind === 'SEAL');
    expect(seals.some((found: { message: string }) => tells.test(found.message))).toBe(true);
    expect(mine.length === seals.length).toBe(alone === true);
    // The damage stays where it is: what follows must not be blamed on others, so this seller goes.
    for (const table of ['ledger_chain', 'ledger_entries', 'wallets']) {
      await sql(`DELETE FROM ${table} WHERE seller_id = $1`, [seller.id]);
    }
  });
});
