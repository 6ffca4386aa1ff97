import { sql } from 'kysely';

import type { PersonalDataTable } from '#privacy/personal-data.ts';

/** The tables of payouts with personal data of payers. */
export const PAYOUT_PERSONAL_DATA: readonly PersonalDataTable[] = [
  {
    table: 'payment_reversals',
    key: ['id'],
    rows: ({ id }) => sql`x.transaction_id = ${id}`,
    texts: { detail: 'text', note: 'text', provider_event_id: 'id' },
    export: { member: 'reversals' },
  },
];
