import { sql, type RawBuilder } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { DueCondition } from '#platform/jobs/due-job-reader.ts';
import { SUBSCRIPTION_COLUMNS } from './store.ts';
import type { Subscription } from './subscription.ts';

/** A subscription whose card is to be checked. The expiry of a deleted card is null. */
export interface CardCheck extends Subscription {
  readonly expirationMonth: number | null;
  readonly expirationYear: number | null;
}

const inOrderOfCheck = (now: RawBuilder<unknown>) => sql`
  card_check_at <= ${now} AND card_check_at IS NOT NULL ORDER BY card_check_at`;

/** Whether cards are to be checked. */
export const CARD_CHECKS_DUE: DueCondition = (now) =>
  sql`(SELECT 1 FROM subscriptions WHERE ${inOrderOfCheck(now)} LIMIT 1)`;

/** Subscriptions whose cards are to be checked, the longest overdue first. */
export async function findDueCardChecks(db: Db, now: Date, limit: number): Promise<readonly CardCheck[]> {
  const { rows } = await sql<CardCheck>`
    SELECT ${SUBSCRIPTION_COLUMNS}, c.expiration_month AS "expirationMonth",
      c.expiration_year AS "expirationYear"
    FROM (
      SELECT * FROM subscriptions WHERE ${inOrderOfCheck(sql`${now}`)} LIMIT ${limit}) s
    LEFT JOIN card_tokens c ON c.seller_id = s.seller_id AND c.id = s.card_token_id`.execute(db);
  return rows;
}

/** Records that cards can pay the next cycle. A subscription that has changed is checked again. */
export async function recordChecked(db: Db, checked: readonly Subscription[]): Promise<void> {
  const keys = checked.map(({ sellerId, id, version }) => ({ seller_id: sellerId, id, version }));
  await sql`
    UPDATE subscriptions s SET card_checked_cycle = s.next_cycle, card_check_at = NULL
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k (seller_id uuid, id uuid, version integer)
    WHERE s.seller_id = k.seller_id AND s.id = k.id AND s.version = k.version`.execute(db);
}
