import { sql } from 'kysely';

/** The records of a transaction, whose mails name its payer. */
interface RelatedRecords {
  readonly recordIds: readonly string[];
}

/** The tables of mails with personal data of payers, as the privacy module describes tables. */
export const MAIL_PERSONAL_DATA = [
  {
    table: 'mails',
    key: ['id'],
    rows: ({ recordIds }: RelatedRecords) => sql`x.record_id = ANY (${[...recordIds]}::uuid[])`,
    texts: { recipient: 'text', params: 'json' },
    export: { member: 'mails', omit: ['encrypted_token', 'lease_until', 'leased_by'] },
  },
] as const;
