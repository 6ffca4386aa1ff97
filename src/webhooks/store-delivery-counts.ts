import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { DeliveryStatus } from './delivery.ts';

/** The statuses of deliveries whose number is kept. */
export const ENDED_STATUSES = ['DELIVERED', 'FAILED'] as const;

/** Stands for the webhook of deliveries to a postbackUrl, because a key is never null. */
const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000';

/**
 * SQL: adds the deliveries of a FROM item to the counts, or subtracts them. Its columns are
 * `seller_id`, `webhook_id`, `created_at` and `status`. Rows are locked in order, so that two
 * statements cannot deadlock.
 */
export const addToDeliveryCounts = (source: string, sign: 1 | -1 = 1): string => `
      INSERT INTO delivery_counts AS c (seller_id, webhook_id, day, status, count)
      SELECT seller_id, coalesce(webhook_id, '${NO_WEBHOOK}'),
        (created_at AT TIME ZONE 'America/Sao_Paulo')::date, status, ${sign} * count(*)
      FROM ${source} WHERE status IN ('DELIVERED', 'FAILED')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
      ON CONFLICT (seller_id, webhook_id, day, status) DO UPDATE SET count = c.count + excluded.count`;

export interface EndedFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly webhookId?: string | undefined;
  readonly fromDay?: string | undefined;
  /** Exclusive. */
  readonly beforeDay?: string | undefined;
}

/** Counts the deliveries of a seller that have ended. */
export async function countEndedDeliveries(
  db: Db,
  sellerId: string,
  { status, webhookId, fromDay, beforeDay }: EndedFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT coalesce(sum(count), 0)::bigint AS count FROM delivery_counts
    WHERE seller_id = ${sellerId}
      AND (${status ?? null}::text IS NULL OR status = ${status ?? null})
      AND (${webhookId ?? null}::uuid IS NULL OR webhook_id = ${webhookId ?? null})
      AND day >= coalesce(${fromDay ?? null}::date, '-infinity')
      AND day < coalesce(${beforeDay ?? null}::date, 'infinity')`.execute(db);
  return rows[0]?.count ?? 0;
}
