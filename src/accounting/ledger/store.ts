import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
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

export async function insertWallets(
  trx: DatabaseTransaction,
  sellerId: string,
  walletId: string,
  now: Date,
): Promise<void> {
  const empty = { wallet_id: walletId, available: 0, retained: 0, disputed: 0, reserved: 0, updated_at: now };
  await trx
    .insertInto('wallets')
    .values(ORIGINS.map((origin) => ({ seller_id: sellerId, origin, ...empty })))
    .execute();
}

/**
 * Locks the wallets of a seller in the order in which bookings lock them. Returns the sum of their
 * available balances in cents.
 */
export async function lockWallets(trx: DatabaseTransaction, sellerId: string): Promise<number> {
  const rows = await trx
    .selectFrom('wallets')
    .select('available')
    .where('seller_id', '=', sellerId)
    .orderBy('origin')
    .forNoKeyUpdate()
    .execute();
  return rows.reduce((total, { available }) => total + available, 0);
}

export async function findWallets(db: Db, sellerId: string): Promise<readonly WalletRow[]> {
  return (
    db
      .selectFrom('wallets')
      .select(['origin', 'wallet_id as walletId', 'available', 'retained', 'disputed', 'reserved'])
      .select('updated_at as updatedAt')
      .where('seller_id', '=', sellerId)
      // The table's CHECK admits no other value.
      .$narrowType<{ origin: Origin }>()
      .execute()
  );
}
