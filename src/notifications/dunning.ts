import { sql } from 'kysely';

import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { MailParams } from './templates/template.ts';

type DunningTemplate = 'payment-failed' | 'subscription-past-due' | 'subscription-canceled';

export interface DunningMail {
  readonly sellerId: string;
  /** The failed one, whose payer gets the mail. */
  readonly transactionId: string;
  readonly template: DunningTemplate;
  /** Without `seller`, which is the name that payers know. */
  readonly params: Omit<MailParams['payment-failed'], 'seller'>;
  readonly at: Date;
}

/**
 * Writes a mail to the payer of a charge that failed, if its seller wants mails to payers and the
 * payer has not unsubscribed, as receipts are written (`receipts.ts`).
 */
export async function writeDunningMail(
  trx: DatabaseTransaction,
  { sellerId, transactionId, template, params, at }: DunningMail,
): Promise<void> {
  await sql`
    INSERT INTO mails (seller_id, id, template, locale, recipient, params, record_id, status, attempts,
      due_at, created_at, updated_at)
    SELECT s.id, ${newId(at.getTime())}::uuid, ${template}, p.payer_language, lower(c.email),
      ${JSON.stringify(params)}::jsonb || jsonb_build_object('seller', coalesce(p.display_name, s.name)),
      c.transaction_id, 'PENDING', 0, ${at}, ${at}, ${at}
    FROM sellers s
    JOIN seller_settings p ON p.seller_id = s.id AND p.payer_emails
    JOIN transaction_customers c ON c.seller_id = s.id AND c.transaction_id = ${transactionId}
      AND c.erased_at IS NULL
    LEFT JOIN mail_opt_outs o ON o.seller_id = s.id
      AND o.email_hash = sha256(convert_to(lower(c.email), 'UTF8'))
    WHERE s.id = ${sellerId} AND o.seller_id IS NULL`.execute(trx);
}
