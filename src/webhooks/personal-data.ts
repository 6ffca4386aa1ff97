import { sql } from 'kysely';

import { minIdAt } from '#platform/kit/ids.ts';

/** The id of an event starts with a time close to that of its change. */
const EVENT_ID_MARGIN_MS = 60_000;

/** The records of a transaction, whose events and deliveries may name its payer. */
interface RelatedRecords {
  readonly sellerId: string;
  readonly id: string;
  readonly recordIds: readonly string[];
  readonly changeTimes: readonly Date[];
}

const deliveriesOf = (column: 'id' | 'event_id', sellerId: string, recordIds: readonly string[]) => sql`
  SELECT d.${sql.ref(column)} FROM deliveries d
  WHERE d.seller_id = ${sellerId} AND d.record_id = ANY (${[...recordIds]}::uuid[])`;

/** Includes events without deliveries, which are found by their ids. */
function eventsOf({ sellerId, recordIds, changeTimes }: RelatedRecords) {
  const minIds = changeTimes.map((time) => minIdAt(time.getTime() - EVENT_ID_MARGIN_MS));
  const maxIds = changeTimes.map((time) => minIdAt(time.getTime() + EVENT_ID_MARGIN_MS));
  return sql`x.id IN (
    ${deliveriesOf('event_id', sellerId, recordIds)}
    UNION ALL
    SELECT e.id FROM unnest(${minIds}::uuid[], ${maxIds}::uuid[]) AS range (min_id, max_id)
    JOIN events e ON e.seller_id = ${sellerId} AND e.id >= range.min_id AND e.id < range.max_id
      AND e.record_id = ANY (${[...recordIds]}::uuid[]))`;
}

/** The tables of webhooks with personal data of payers, as the privacy module describes tables. */
export const WEBHOOK_PERSONAL_DATA = [
  {
    table: 'deliveries',
    key: ['id'],
    rows: ({ recordIds }: RelatedRecords) => sql`x.record_id = ANY (${[...recordIds]}::uuid[])`,
    texts: { url: 'url', endpoint: 'url' },
    export: { member: 'deliveries' },
  },
  {
    table: 'delivery_attempts',
    key: ['delivery_id', 'number'],
    rows: ({ sellerId, recordIds }: RelatedRecords) =>
      sql`x.delivery_id IN (${deliveriesOf('id', sellerId, recordIds)})`,
    texts: { response_body: 'text', error: 'text' },
    export: {
      member: 'deliveryAttempts',
      rows: ({ sellerId, id }: RelatedRecords) =>
        sql`x.delivery_id IN (${deliveriesOf('id', sellerId, [id])})`,
    },
  },
  {
    table: 'events',
    key: ['id'],
    rows: eventsOf,
    texts: { payload: 'json-text' },
    export: {
      member: 'events',
      rows: ({ sellerId, id }: RelatedRecords) => sql`x.id IN (${deliveriesOf('event_id', sellerId, [id])})`,
    },
  },
] as const;
