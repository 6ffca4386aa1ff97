import { sql, type RawBuilder } from 'kysely';

/**
 * SQL for the record of a seller's provider event, as of a Pix payment by its end-to-end id. The id
 * is the last column of the primary key, after the provider, and a seller has few of them: the
 * first subquery skips from one to the next.
 */
export const recordsOfEvent = (sellerId: string | RawBuilder<unknown>, eventId: string) => sql`
  WITH RECURSIVE providers AS (
    (SELECT provider FROM provider_events WHERE seller_id = ${sellerId} ORDER BY provider LIMIT 1)
    UNION ALL
    SELECT (SELECT e.provider FROM provider_events e
      WHERE e.seller_id = ${sellerId} AND e.provider > p.provider ORDER BY e.provider LIMIT 1)
    FROM providers p WHERE p.provider IS NOT NULL
  )
  SELECT e.record_id FROM providers p
  JOIN provider_events e ON e.seller_id = ${sellerId} AND e.provider = p.provider
    AND e.provider_event_id = ${eventId}`;
