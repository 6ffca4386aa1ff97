import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { MailParams } from './templates/template.ts';

type Template = 'subscription-created' | 'card-required';

/** A mail to the payer of a subscription. */
export type SubscriptionMail = {
  [T in Template]: {
    readonly sellerId: string;
    readonly subscriptionId: string;
    readonly template: T;
    /** Without `seller`, which is the name that payers know. */
    readonly params: Omit<MailParams[T], 'seller'>;
    readonly at: Date;
  };
}[Template];

/**
 * Writes a mail to the payer of a subscription, if its seller wants mails to payers and the payer
 * has not unsubscribed or was erased.
 */
export async function writeSubscriptionMail(
  trx: DatabaseTransaction,
  { sellerId, subscriptionId, template, params, at }: SubscriptionMail,
): Promise<void> {
  await sql`
    INSERT INTO mails (seller_id, id, template, locale, recipient, params, record_id, status, attempts,
      due_at, created_at, updated_at)
    SELECT s.id, ${newId(at.getTime())}::uuid, ${template}, p.payer_language, x.email,
      ${JSON.stringify(params)}::jsonb || jsonb_build_object('seller', coalesce(p.display_name, s.name)),
      x.id, 'PENDING', 0, ${at}, ${at}, ${at}
    FROM sellers s
    JOIN seller_settings p ON p.seller_id = s.id AND p.payer_emails
    JOIN (
      SELECT b.seller_id, b.id, lower(coalesce(b.customer->>'email', c.email)) AS email FROM subscriptions b
      LEFT JOIN customers c ON c.seller_id = b.seller_id AND c.id = b.customer_id
      WHERE b.seller_id = ${sellerId} AND b.id = ${subscriptionId}) x ON x.seller_id = s.id
    LEFT JOIN mail_opt_outs o ON o.seller_id = s.id
      AND o.email_hash = sha256(convert_to(x.email, 'UTF8'))
    WHERE s.id = ${sellerId} AND o.seller_id IS NULL AND x.email LIKE '%@%'`.execute(trx);
}
