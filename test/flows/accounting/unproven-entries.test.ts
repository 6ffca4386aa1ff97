import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import {
  newSeller,
  readWithdrawal,
  withdrawalThatIs,
  withdrawn,
  type TestSeller,
} from '#test/support/withdrawals.ts';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.adminToken();
});
afterAll(async () => {
  await gateway.stop();
});

const sql = (text: string, values: readonly unknown[]) =>
  gateway.database.query<Record<string, unknown>>(text, values);

/** A payment as the gateway writes it, in every table that contains it. */
const FORGED_PAYMENT = `
  WITH paid AS (
    UPDATE transactions SET status = 'PAID', version = version + 1, paid_at = now(), amount = 500000
    WHERE seller_id = $1 AND id = $2 RETURNING *
  ), history AS (
    INSERT INTO transaction_history (seller_id, transaction_id, position, from_status, to_status, actor, at)
    SELECT seller_id, id, version, 'PENDING', 'PAID', 'PROVIDER', paid_at FROM paid
  ), event AS (
    INSERT INTO provider_events (seller_id, id, provider, provider_event_id, kind, record_id, amount,
      occurred_at, received_at, outcome)
    SELECT seller_id, gen_random_uuid(), 'sandbox', 'E' || id, 'PAYMENT', id, amount, paid_at, paid_at,
      'APPLIED'
    FROM paid
  ), counted AS (
    INSERT INTO transaction_counts (seller_id, method, status, writer, count)
    SELECT $1, 'PIX', status, 0, count FROM (VALUES ('PENDING', -1), ('PAID', 1)) AS c (status, count)
  ), wallet AS (
    UPDATE wallets SET available = available + 500000, entries = entries + 1
    WHERE seller_id = $1 AND origin = 'PIX' RETURNING *
  )
  INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id,
    available_after, blocked_after, created_at, proof)
  SELECT w.seller_id, 'PIX', (left(ms, 8) || '-' || right(ms, 4) || '-4000-8000-'
      || lpad(to_hex(w.entries), 12, '0'))::uuid, w.entries, 'provider', 'available', 500000, 'PAYMENT', p.id,
    w.available, w.retained + w.disputed + w.reserved, p.paid_at,
    (SELECT proof FROM ledger_entries WHERE seller_id = $1 AND cause = 'PAYMENT' LIMIT 1)
  FROM wallet w, paid p, lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') AS ms`;

/** The only payment again: the entry with its proof, and a transaction of twice the amount. */
const COPIED_PAYMENT = `
  WITH doubled AS (
    UPDATE transactions SET amount = amount * 2 WHERE seller_id = $1 AND status = 'PAID' RETURNING id
  ), wallet AS (
    UPDATE wallets SET available = available + 1000, entries = entries + 1
    WHERE seller_id = $1 AND origin = 'PIX' RETURNING *
  )
  INSERT INTO ledger_entries (seller_id, origin, id, position, debit, credit, amount, cause, record_id,
    available_after, blocked_after, created_at, proof)
  SELECT e.seller_id, e.origin, (left(e.id::text, 35) || 'f')::uuid, w.entries, e.debit, e.credit, e.amount,
    e.cause, e.record_id, w.available, e.blocked_after, e.created_at, e.proof
  FROM wallet w JOIN ledger_entries e ON e.seller_id = w.seller_id WHERE e.cause = 'PAYMENT' AND $2 <> ''`;

const attacks = [
  { name: 'a payment that no provider reported', attack: FORGED_PAYMENT, amount: 400_000 },
  { name: 'a second entry for one payment', attack: COPIED_PAYMENT, amount: 1_500 },
  {
    name: 'a changed entry at the end of the chain',
    attack: `WITH entry AS (
        UPDATE ledger_entries SET amount = 500000, available_after = 500000 WHERE seller_id = $1 AND $2 <> ''
      )
      UPDATE wallets SET available = 500000 WHERE seller_id = $1 AND origin = 'PIX'`,
    amount: 400_000,
  },
  {
    name: 'a changed end of the chain',
    attack: `WITH entry AS (
        UPDATE ledger_entries SET available_after = 500000 WHERE seller_id = $1 AND $2 <> ''
      ), chain AS (
        UPDATE ledger_chain SET balances = regexp_replace(balances, ':[0-9]+:0', ':500000:0')
        WHERE seller_id = $1
      )
      UPDATE wallets SET available = 500000 WHERE seller_id = $1 AND origin = 'PIX'`,
    amount: 400_000,
  },
  {
    name: 'a raised balance',
    attack: `UPDATE wallets SET available = 500000 WHERE seller_id = $1 AND origin = 'PIX' AND $2 <> ''`,
    amount: 400_000,
  },
];

describe('entries that the gateway did not book', () => {
  it.each(attacks)('are reported and not paid out after $name', async ({ attack, amount }) => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    const honest = await newSeller(gateway, { balance: 1_000 });
    const pending = await gateway.charge({ amount: 500 }, { apiKey: seller.apiKey });
    await untilChained(seller);
    await sql(attack, [seller.id, pending.body.data.id]);
    const id = await withdrawn(gateway, seller, { amount });
    const approved = await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token });
    expect(approved.status).toBe(200);
    await withdrawalThatIs(gateway, honest, 'PAID');
    await vi.waitFor(async () => {
      expect(await sql('SELECT 1 FROM ledger_holds WHERE seller_id = $1', [seller.id])).toHaveLength(1);
    });
    expect((await readWithdrawal(gateway, seller, id)).status).toBe('APPROVED');
    const { discrepancies } = (await gateway.get('/admin/ledger/check', { token })).body.data;
    const found = discrepancies.filter((one: { sellerId: string }) => one.sellerId === seller.id);
    expect(found).toContainEqual(
      expect.objectContaining({ kind: 'CHAIN', message: expect.stringMatching(PROBLEM) }),
    );
    expect(discrepancies.filter((one: { sellerId: string }) => one.sellerId === honest.id)).toEqual([]);
    const metrics = await (await fetch(new URL('/metrics', gateway.baseUrl))).text();
    expect(metrics).toMatch(/^ledger_held_sellers \d+$/m);
  });

  it('do not increase the payout above the reserved amount', async () => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    const id = await withdrawn(gateway, seller, { amount: 1_000 });
    await sql('UPDATE withdrawals SET amount = 900000 WHERE seller_id = $1 AND id = $2', [seller.id, id]);
    await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token });
    await withdrawalThatIs(gateway, await newSeller(gateway, { balance: 1_000 }), 'PAID');
    expect((await readWithdrawal(gateway, seller, id)).status).toBe('APPROVED');
  });

  it('do not allow a payout from the reservation of another withdrawal', async () => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    const large = await withdrawn(gateway, seller, { amount: 900 });
    const small = await withdrawn(gateway, seller, { amount: 100 });
    await sql('UPDATE withdrawals SET amount = 1000, fee_amount = 0 WHERE seller_id = $1 AND id = $2', [
      seller.id,
      small,
    ]);
    const rejected = await gateway.post(`/admin/withdrawals/${small}/reject`, { reason: 'test' }, { token });
    expect(rejected.status).toBe(200);
    const again = await withdrawn(gateway, seller, { amount: 1_000 });
    for (const id of [large, again]) {
      expect((await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token })).status).toBe(200);
    }
    await untilHeld(seller);
    await withdrawalThatIs(gateway, await newSeller(gateway, { balance: 1_000 }), 'PAID');
    expect((await readWithdrawal(gateway, seller, large)).status).toBe('APPROVED');
    expect((await readWithdrawal(gateway, seller, again)).status).toBe('APPROVED');
  });

  it('do not allow a payout of a payment that was booked twice', async () => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    const created = await gateway.charge({ amount: 5_000 }, { apiKey: seller.apiKey });
    const { id } = created.body.data;
    const pay = () => gateway.post(`/sandbox/transactions/${id}/pay`, undefined, { apiKey: seller.apiKey });
    expect((await pay()).status).toBe(200);
    await untilChained(seller);
    await sql(`UPDATE transactions SET status = 'PENDING', paid_at = NULL WHERE seller_id = $1 AND id = $2`, [
      seller.id,
      id,
    ]);
    await sql('DELETE FROM provider_events WHERE seller_id = $1 AND record_id = $2', [seller.id, id]);
    expect((await pay()).status).toBe(200);
    const withdrawal = await withdrawn(gateway, seller, { amount: 8_000 });
    await gateway.post(`/admin/withdrawals/${withdrawal}/approve`, undefined, { token });
    await untilHeld(seller);
    await withdrawalThatIs(gateway, await newSeller(gateway, { balance: 1_000 }), 'PAID');
    expect((await readWithdrawal(gateway, seller, withdrawal)).status).toBe('APPROVED');
  });

  it('include a paid Pix without its provider event', async () => {
    const seller = await newSeller(gateway, { balance: 1_000 });
    await sql('DELETE FROM provider_events WHERE seller_id = $1', [seller.id]);
    const { discrepancies } = (await gateway.get('/admin/ledger/check', { token })).body.data;
    const found = discrepancies.filter((one: { sellerId: string }) => one.sellerId === seller.id);
    expect(found).toEqual([
      expect.objectContaining({
        kind: 'TRANSACTION',
        message: expect.stringMatching(/provider event should be 1 and is 0/),
      }),
    ]);
  });
});

const PROBLEM = new RegExp(
  [
    'was not booked by the gateway',
    'not follow from the entry before it',
    'copy of another one',
    'was changed',
    'not what the gateway',
  ].join('|'),
);

async function untilHeld(seller: TestSeller): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(await sql('SELECT 1 FROM ledger_holds WHERE seller_id = $1', [seller.id])).toHaveLength(1),
    { timeout: 10_000 },
  );
}

async function untilChained(seller: TestSeller): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(await sql('SELECT 1 FROM ledger_chain WHERE seller_id = $1', [seller.id])).not.toEqual([]),
    { timeout: 10_000 },
  );
}
