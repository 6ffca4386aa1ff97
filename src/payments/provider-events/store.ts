import type { EventDetail } from './details.ts';
import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { ProviderEventOutcome, ProviderEventRecord } from './provider-event.ts';

/** The transaction or withdrawal that a provider event is about. */
export interface RecordKey {
  readonly sellerId: string;
  readonly id: string;
}

export interface ProcessedEvent {
  readonly outcome: Exclude<ProviderEventOutcome, 'UNMATCHED' | 'PENDING'>;
  /** Why the event was not applied. */
  readonly detail: EventDetail | null;
  readonly receivedAt: Date;
}

/**
 * Stores a provider event with its outcome. Returns false, and changes nothing, if its id is
 * already stored.
 */
export async function insertProviderEvent(
  db: Db,
  key: RecordKey,
  event: ProviderEventRecord,
  { outcome, detail, receivedAt }: ProcessedEvent,
): Promise<boolean> {
  const row = await db
    .insertInto('provider_events')
    .values({
      seller_id: key.sellerId,
      id: newId(receivedAt.getTime()),
      provider: event.provider,
      provider_event_id: event.eventId,
      kind: event.kind,
      record_id: key.id,
      amount: event.amount,
      occurred_at: event.occurredAt,
      received_at: receivedAt,
      outcome,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface KnownEvent {
  readonly outcome: string;
  readonly kind: string;
  readonly recordId: string;
  readonly amount: number | null;
}

/** Finds a stored provider event by the provider's event id. */
export async function findProviderEvent(
  db: Db,
  sellerId: string,
  { provider, eventId }: Pick<ProviderEventRecord, 'provider' | 'eventId'>,
): Promise<KnownEvent | undefined> {
  return db
    .selectFrom('provider_events')
    .select(['outcome', 'kind', 'record_id as recordId', 'amount'])
    .where((eb) => eb.and({ seller_id: sellerId, provider, provider_event_id: eventId }))
    .executeTakeFirst();
}

export interface UnmatchedEvent {
  /** The record that the event claims to be about. */
  readonly claimed: RecordKey;
  readonly event: ProviderEventRecord;
  readonly detail: EventDetail;
  readonly receivedAt: Date;
}

/**
 * Stores an event that refers to no known record. Returns false, and changes nothing, if the
 * same event is already stored.
 */
export async function insertUnmatchedEvent(
  db: Db,
  { claimed, event, detail, receivedAt }: UnmatchedEvent,
): Promise<boolean> {
  const row = await db
    .insertInto('unmatched_provider_events')
    .values({
      provider: event.provider,
      provider_event_id: event.eventId,
      kind: event.kind,
      claimed_seller: claimed.sellerId,
      claimed_record: claimed.id,
      id: newId(receivedAt.getTime()),
      amount: event.amount,
      occurred_at: event.occurredAt,
      received_at: receivedAt,
      detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
