import type { Db } from '#platform/database/connect.ts';
import { countList, paginateNewestFirst } from '#platform/database/pagination.ts';
import type { ListCount, Page } from '#platform/http/pagination.ts';

/** A webhook of any seller, as the operator sees it. */
export interface OperatorWebhook {
  readonly id: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly url: string;
  readonly eventType: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** When the attempts began to fail. Null if the last one succeeded. */
  readonly failingSince: Date | null;
}

export interface OperatorWebhookFilter {
  readonly disabled: boolean | undefined;
  readonly sellerId: string | undefined;
}

/** Newest first, with one extra row if there is a next page. */
export async function findAllWebhooks(
  db: Db,
  filter: OperatorWebhookFilter,
  page: Page,
): Promise<readonly OperatorWebhook[]> {
  return matching(db, filter)
    .innerJoin('sellers as s', 's.id', 'w.seller_id')
    .select([
      'w.id',
      'w.seller_id as sellerId',
      's.name as sellerName',
      'w.url',
      'w.event_type as eventType',
      'w.created_at as createdAt',
      'w.disabled_at as disabledAt',
      'w.disabled_reason as disabledReason',
      'w.failing_since as failingSince',
    ])
    .$call(paginateNewestFirst(page, 'w.id'))
    .execute();
}

export function countAllWebhooks(db: Db, filter: OperatorWebhookFilter): Promise<ListCount> {
  return countList(db, matching(db, filter), { isExact: filter.sellerId === undefined });
}

function matching(db: Db, { disabled, sellerId }: OperatorWebhookFilter) {
  let query = db.selectFrom('webhooks as w');
  if (disabled !== undefined) query = query.where('w.disabled_at', disabled ? 'is not' : 'is', null);
  if (sellerId !== undefined) query = query.where('w.seller_id', '=', sellerId);
  return query;
}
