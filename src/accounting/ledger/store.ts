import type { Db } from '#platform/database/connect.ts';
import { ORIGINS, type Origin } from './entries.ts';

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

/** The table's CHECK admits no other text. */
function originOf(text: string): Origin {
  return ORIGINS.find((origin) => origin === text) ?? 'PIX';
}
