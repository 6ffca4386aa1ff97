import { sql } from 'kysely';

/** The records of a transaction, whose mails name its payer. */
interface RelatedRecords {
  readonly sellerId: string;
  /** Of the transaction. Mails about its subscription name the payer, too. */
  readonly id: string;
  readonly recordIds: readonly string[];
}

/** The tables of mails with personal data of payers, as the privacy module describes tables. */
export const MAIL_PERSONAL_DATA = [
  {
    table: 'mails',
    key: ['id'],
    rows: ({ sellerId, id, recordIds }: RelatedRecords) => sql`x.record_id = ANY (
      ${[...recordIds]}::uuid[] || ARRAY(SELECT t.subscription_id FROM transactions t
        WHERE t.seller_id = ${sellerId} AND t.id = ${id} AND t.subscription_id IS NOT NULL))`,
    // A mail that was not sent yet would otherwise go to the placeholder.
    deleted: true,
    export: { member: 'mails', omit: ['encrypted_token', 'lease_until', 'leased_by'] },
  },
] as const;
