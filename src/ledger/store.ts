import { sql, type SqlBool } from 'kysely';

import type { Db } from '#database/connect.ts';
import { ORIGINS, type LedgerAccount, type LedgerEntry, type Origin } from './entries.ts';

export interface WalletRow {
  readonly origin: Origin;
  readonly walletId: string;
  readonly available: number;
  readonly retained: number;
  readonly disputed: number;
  readonly reserved: number;
  readonly updatedAt: Date;
}

export async function insertWallets(db: Db, sellerId: string, walletId: string, now: Date): Promise<void> {
  const empty = { wallet_id: walletId, available: 0, retained: 0, disputed: 0, reserved: 0, updated_at: now };
  await db
    .insertInto('wallets')
    .values(ORIGINS.map((origin) => ({ seller_id: sellerId, origin, ...empty })))
    .execute();
}

export async function findWallets(db: Db, sellerId: string): Promise<readonly WalletRow[]> {
  const rows = await db.selectFrom('wallets').selectAll().where('seller_id', '=', sellerId).execute();
  return rows.map((row) => ({
    ...row,
    origin: originOf(row.origin),
    walletId: row.wallet_id,
    updatedAt: row.updated_at,
  }));
}

/** Entries of one record of one seller and origin, and how far they may take the available balance down. */
export interface Booking {
  readonly sellerId: string;
  readonly recordId: string;
  readonly origin: Origin;
  readonly entries: readonly LedgerEntry[];
  /** The available balance must not end below this where the booking lowers it; absent, it may end anywhere. */
  readonly floor?: number;
  readonly at: Date;
}

/**
 * Writes entries and the wallet they change; false where the available balance does not suffice, and then the caller
 * must undo its transaction. The wallet comes last, so that its row is locked for the shortest time.
 */
export async function insertBooking(db: Db, booking: Booking): Promise<boolean> {
  const { sellerId, recordId, origin, entries, floor, at } = booking;
  if (entries.length === 0) return true;
  await db
    .insertInto('ledger_entries')
    .values(
      entries.map(({ id, debit, credit, amount, cause }) => ({
        seller_id: sellerId,
        id,
        origin,
        debit,
        credit,
        amount,
        cause,
        record_id: recordId,
        created_at: at,
      })),
    )
    .execute();
  const delta = (account: LedgerAccount): number =>
    entries.reduce((sum, { debit, credit, amount }) => {
      if (credit === account) return sum + amount;
      return debit === account ? sum - amount : sum;
    }, 0);
  const available = delta('available');
  let update = db
    .updateTable('wallets')
    .set({
      available: sql`available + ${available}::bigint`,
      retained: sql`retained + ${delta('retained')}::bigint`,
      disputed: sql`disputed + ${delta('disputed')}::bigint`,
      reserved: sql`reserved + ${delta('reserved')}::bigint`,
      updated_at: at,
    })
    .where('seller_id', '=', sellerId)
    .where('origin', '=', origin);
  if (floor !== undefined && available < 0) {
    update = update.where(sql<SqlBool>`available + ${available}::bigint >= ${floor}::bigint`);
  }
  const changed = await update.returning('seller_id').executeTakeFirst();
  if (changed === undefined && floor === undefined) throw new Error('a booking found no wallet');
  return changed !== undefined;
}

/** A wallet whose kept balance is not the sum of its entries. */
export interface BalanceDifference {
  readonly sellerId: string;
  readonly origin: string;
  readonly account: string;
  readonly kept: number;
  readonly computed: number;
}

/** Every balance against the sum of its entries; both sides are read, so that a missing wallet row shows too. */
export async function findBalanceDifferences(db: Db, limit: number): Promise<readonly BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    WITH moved AS (
      SELECT seller_id, origin, debit AS account, -amount AS amount FROM ledger_entries
      UNION ALL
      SELECT seller_id, origin, credit, amount FROM ledger_entries
    ), computed AS (
      SELECT seller_id, origin, account, sum(amount)::bigint AS amount
      FROM moved WHERE account IN ('available', 'retained', 'disputed', 'reserved')
      GROUP BY seller_id, origin, account
    ), kept AS (
      SELECT s.id AS seller_id, o.origin, b.account, b.amount
      FROM sellers s CROSS JOIN unnest(${[...ORIGINS]}::text[]) AS o (origin)
      LEFT JOIN wallets w ON w.seller_id = s.id AND w.origin = o.origin CROSS JOIN LATERAL (VALUES
        ('available', w.available), ('retained', w.retained), ('disputed', w.disputed), ('reserved', w.reserved)
      ) AS b (account, amount)
    )
    SELECT seller_id AS "sellerId", origin, account,
      coalesce(k.amount, 0) AS kept, coalesce(c.amount, 0) AS computed
    FROM kept k FULL JOIN computed c USING (seller_id, origin, account)
    WHERE coalesce(k.amount, 0) <> coalesce(c.amount, 0) OR k.amount IS NULL
    ORDER BY seller_id, origin, account LIMIT ${limit}`.execute(db);
  return rows;
}

/** A payment that its entries do not bear out, or entries that no payment bears out. Amounts in cents. */
export interface PaymentDifference {
  readonly sellerId: string;
  readonly transactionId: string;
  readonly expectedNet: number;
  readonly bookedNet: number;
  readonly expectedFee: number;
  readonly bookedFee: number;
}

/** Every charge that was ever paid must have its net amount and fee booked once; no other may have any. */
export async function findPaymentDifferences(db: Db, limit: number): Promise<readonly PaymentDifference[]> {
  const { rows } = await sql<PaymentDifference>`
    WITH expected AS (
      SELECT seller_id, id AS transaction_id, amount - fee_amount AS net, fee_amount AS fee
      FROM transactions WHERE paid_at IS NOT NULL
    ), booked AS (
      SELECT seller_id, record_id AS transaction_id,
        sum(amount) FILTER (WHERE cause = 'PAYMENT')::bigint AS net,
        sum(amount) FILTER (WHERE cause = 'PAYMENT_FEE')::bigint AS fee
      FROM ledger_entries WHERE cause IN ('PAYMENT', 'PAYMENT_FEE')
      GROUP BY seller_id, record_id
    )
    SELECT seller_id AS "sellerId", transaction_id AS "transactionId",
      coalesce(e.net, 0) AS "expectedNet", coalesce(b.net, 0) AS "bookedNet",
      coalesce(e.fee, 0) AS "expectedFee", coalesce(b.fee, 0) AS "bookedFee"
    FROM expected e FULL JOIN booked b USING (seller_id, transaction_id)
    WHERE coalesce(e.net, 0) <> coalesce(b.net, 0) OR coalesce(e.fee, 0) <> coalesce(b.fee, 0)
    ORDER BY seller_id, transaction_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** A withdrawal whose entries are not those of its status. Amounts in cents. */
export interface WithdrawalDifference {
  readonly sellerId: string;
  readonly withdrawalId: string;
  readonly status: string | null;
  readonly reserved: number;
  readonly returned: number;
  readonly paid: number;
  readonly fee: number;
}

/**
 * Every withdrawal has its amount set aside once; what was REJECTED or FAILED has it back, and what is PAID has its net amount
 * and its fee taken out. No other record has such entries, and all of them are of the balance that pays.
 */
export async function findWithdrawalDifferences(
  db: Db,
  limit: number,
): Promise<readonly WithdrawalDifference[]> {
  const { rows } = await sql<WithdrawalDifference>`
    WITH expected AS (
      SELECT seller_id, id AS withdrawal_id, origin, status, amount AS reserved,
        CASE WHEN status IN ('REJECTED', 'FAILED') THEN amount ELSE 0 END AS returned,
        CASE WHEN status = 'PAID' THEN amount - fee_amount ELSE 0 END AS paid,
        CASE WHEN status = 'PAID' THEN fee_amount ELSE 0 END AS fee
      FROM withdrawals
    ), booked AS (
      SELECT seller_id, record_id AS withdrawal_id, origin,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RESERVED'), 0)::bigint AS reserved,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_RETURNED'), 0)::bigint AS returned,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_PAID'), 0)::bigint AS paid,
        coalesce(sum(amount) FILTER (WHERE cause = 'WITHDRAWAL_FEE'), 0)::bigint AS fee
      FROM ledger_entries
      WHERE cause IN ('WITHDRAWAL_RESERVED', 'WITHDRAWAL_RETURNED', 'WITHDRAWAL_PAID', 'WITHDRAWAL_FEE')
      GROUP BY seller_id, record_id, origin
    )
    SELECT seller_id AS "sellerId", withdrawal_id AS "withdrawalId", e.status,
      coalesce(b.reserved, 0) AS reserved, coalesce(b.returned, 0) AS returned,
      coalesce(b.paid, 0) AS paid, coalesce(b.fee, 0) AS fee
    FROM expected e FULL JOIN booked b USING (seller_id, withdrawal_id, origin)
    WHERE (e.reserved, e.returned, e.paid, e.fee) IS DISTINCT FROM (b.reserved, b.returned, b.paid, b.fee)
    ORDER BY seller_id, withdrawal_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** A kept number of charges that is not the number of charges. */
export interface CountDifference {
  readonly sellerId: string;
  readonly method: string;
  readonly status: string;
  readonly kept: number;
  readonly computed: number;
}

/** Every seller's charges by method and status against the kept counts, which lists answer. */
export async function findCountDifferences(db: Db, limit: number): Promise<readonly CountDifference[]> {
  const { rows } = await sql<CountDifference>`
    WITH kept AS (
      SELECT seller_id, method, status, sum(count)::bigint AS number FROM transaction_counts
      GROUP BY seller_id, method, status
    ), computed AS (
      SELECT seller_id, method, status, count(*) AS number FROM transactions GROUP BY seller_id, method, status
    )
    SELECT seller_id AS "sellerId", method, status, coalesce(k.number, 0) AS kept, coalesce(c.number, 0) AS computed
    FROM kept k FULL JOIN computed c USING (seller_id, method, status)
    WHERE coalesce(k.number, 0) <> coalesce(c.number, 0)
    ORDER BY seller_id, method, status LIMIT ${limit}`.execute(db);
  return rows;
}

export async function countLedger(db: Db): Promise<{ readonly sellers: number; readonly entries: number }> {
  const { rows } = await sql<{ sellers: number; entries: number }>`
    SELECT (SELECT count(*) FROM sellers) AS sellers, (SELECT count(*) FROM ledger_entries) AS entries`.execute(
    db,
  );
  return rows[0] ?? { sellers: 0, entries: 0 };
}

/** The table's CHECK admits no other text. */
function originOf(text: string): Origin {
  return ORIGINS.find((origin) => origin === text) ?? 'PIX';
}
