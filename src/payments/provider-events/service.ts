import type { EventDetail } from './details.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { Page } from '#platform/http/pagination.ts';
import { handleProviderEvent, type ProviderEventDeps } from './handler.ts';
import type { ProviderEventRecord } from './provider-event.ts';
import { insertUnmatchedEvent, type RecordKey } from './store.ts';
import { insertUnverifiedPayment, type ReportedPayment } from './store-unverified.ts';
import { countProviderEvents, findProviderEvents, type ProviderEventFilter } from './store-list.ts';
import { reversePayment } from './unapplied-events.ts';

export { findProviderEvent, insertProviderEvent } from './store.ts';
export { countUnmatchedEvents, PROVIDER_EVENT_COUNTS } from './store-list.ts';
export { countDueVerifications } from './store-unverified.ts';

export type ProviderEvents = ReturnType<typeof createProviderEvents>;

/** The events that providers report, whichever provider it is and however it reports them. */
export function createProviderEvents(deps: ProviderEventDeps) {
  return bindDeps(deps, {
    handle: handleProviderEvent,
    saveUnmatched,
    saveUnverified,
    reversePayment,
    list,
  });
}

/**
 * Stores an event that refers to no known record, for the operator. Returns false if it is already
 * stored.
 */
function saveUnmatched(
  { db, clock }: ProviderEventDeps,
  claimed: RecordKey,
  event: ProviderEventRecord,
  detail: EventDetail,
): Promise<boolean> {
  return insertUnmatchedEvent(db, { claimed, event, detail, receivedAt: clock.now() });
}

/**
 * Stores a payment that its provider has not confirmed, or that could not be applied. The worker
 * reads it from the provider.
 */
function saveUnverified({ db, clock }: ProviderEventDeps, payment: ReportedPayment): Promise<void> {
  return insertUnverifiedPayment(db, payment, clock.now());
}

/**
 * Lists the events of all providers, newest first; one more than a page if there is a next page.
 */
function list({ db }: ProviderEventDeps, filter: ProviderEventFilter, page: Page) {
  return countedPage(findProviderEvents(db, filter, page), countProviderEvents(db, filter));
}
