import { randomInt } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import { customerExists } from '#payments/customers/service.ts';
import { runIdempotent, type IdempotentResult } from '#payments/idempotency/service.ts';
import type { ProviderOperations } from '#payments/operations/service.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import { GATEWAY_ACTOR, type AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { changeLink, type LinkChanges, type LinkInput, type LinkKey, type PaymentLink } from './link.ts';
import {
  closeCompleted,
  countLinks,
  findCompleted,
  findLink,
  findLinkKey,
  findLinks,
  findUnpaidCharges,
  insertLink,
  lockLink,
  updateLink,
  type CompletedLink,
  type LinkFilter,
} from './store.ts';
import { viewLink, type LinkView } from './views.ts';

export { COMPLETED_LINKS_DUE } from './store.ts';
export { PAYMENT_LINK_SOURCE } from './store-search.ts';
export { linkStatus, type LinkSubscription, type PaymentLink } from './link.ts';

export interface PaymentLinksDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly operations: Pick<ProviderOperations, 'cancel'>;
  readonly publicUrl: string;
}

export type PaymentLinksService = ReturnType<typeof createPaymentLinksService>;

export const createPaymentLinksService = (deps: PaymentLinksDeps) =>
  bindDeps(deps, { create, find, findByCode, list, update, cancelUnpaid });

export const CREATE_LINK_OPERATION = 'payment-links.create';

const CODE_LENGTH = 12;
const CODE_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 71 random bits: codes cannot be enumerated. */
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('');

interface CreateLinkRequest {
  readonly sellerId: string;
  readonly input: LinkInput;
  readonly idempotencyKey: string;
  readonly bodyHash: Buffer;
  readonly actor: AuditActor;
}

function create(
  { db, clock, publicUrl }: PaymentLinksDeps,
  { sellerId, input, idempotencyKey: key, bodyHash, actor }: CreateLinkRequest,
): Promise<IdempotentResult<LinkView, 'customer_not_found'>> {
  const now = clock.now();
  const id = newId(now.getTime());
  const link: PaymentLink = {
    ...input,
    sellerId,
    id,
    code: newCode(),
    status: 'ACTIVE',
    paymentsCount: 0,
    paidAmount: 0,
    createdAt: now,
    updatedAt: now,
  };
  const request = { sellerId, operation: CREATE_LINK_OPERATION, key, bodyHash, recordId: id, now };
  const options = { ...request, isResponse: isLinkView };
  return runIdempotent<LinkView, 'customer_not_found'>(db, options, async (trx) => {
    const { customerId } = input;
    if (customerId !== null && !(await customerExists(trx, { sellerId, id: customerId })))
      return { kind: 'refused', failure: 'customer_not_found' };
    await insertLink(trx, link);
    const { amount, status } = link;
    await audit(trx, actor, { link, before: null, after: { amount, status } });
    return { kind: 'done', response: viewLink(link, publicUrl, now) };
  });
}

const isLinkView = (stored: unknown): stored is LinkView =>
  typeof stored === 'object' && stored !== null && 'code' in stored;

async function find({ db }: PaymentLinksDeps, key: LinkKey): Promise<PaymentLink | undefined> {
  return isUuid(key.id) ? findLink(db, key) : undefined;
}

/** Finds the link of a public address. */
async function findByCode({ db }: PaymentLinksDeps, code: string): Promise<PaymentLink | undefined> {
  const key = code.length === CODE_LENGTH ? await findLinkKey(db, code) : undefined;
  return key === undefined ? undefined : findLink(db, key);
}

function list(
  { db, clock }: PaymentLinksDeps,
  sellerId: string,
  { status, search }: Omit<LinkFilter, 'now'>,
  page: Page,
) {
  const filter = { status, search, now: clock.now() };
  return countedPage(findLinks(db, sellerId, filter, page), countLinks(db, sellerId, filter));
}

/** Returns undefined if there is no such link. */
async function update(
  { db, clock }: PaymentLinksDeps,
  key: LinkKey,
  changes: LinkChanges,
  actor: AuditActor,
): Promise<PaymentLink | undefined> {
  if (!isUuid(key.id)) return undefined;
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const before = await lockLink(trx, key);
    if (before === undefined) return undefined;
    const link = changeLink(before, changes, now);
    await updateLink(trx, link);
    await audit(trx, actor, { link, before: { changed: [] }, after: { changed: Object.keys(changes) } });
    return link;
  });
}

interface LinkAudit {
  readonly link: PaymentLink;
  readonly before: { readonly changed: readonly string[] } | null;
  readonly after: { readonly changed: readonly string[] } | Pick<PaymentLink, 'amount' | 'status'>;
}

function audit(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { link: { sellerId, id, updatedAt: at }, before, after }: LinkAudit,
): Promise<void> {
  const action = before === null ? 'payment-link.created' : 'payment-link.updated';
  const record = { recordType: 'payment-link', recordId: id, sellerId } as const;
  return recordAudit(trx, actor, { action, ...record, before, after, at });
}

const LINKS_PER_RUN = 20;
/** A charge that was being created when the link was completed is committed by then. */
const SETTLED_AFTER_MS = 60_000;

/**
 * Cancels the unpaid charges of completed links, at most `limit` of each. Returns true if more may
 * remain.
 */
async function cancelUnpaid(deps: PaymentLinksDeps, limit: number): Promise<boolean> {
  const links = await findCompleted(deps.db, LINKS_PER_RUN);
  let more = false;
  for (const link of links) more = (await cancelChargesOf(deps, link, limit)) || more;
  return more;
}

async function cancelChargesOf(
  { db, clock, operations }: PaymentLinksDeps,
  link: CompletedLink,
  limit: number,
): Promise<boolean> {
  const charges = await findUnpaidCharges(db, link, limit);
  for (const id of charges) await operations.cancel({ sellerId: link.sellerId, id }, GATEWAY_ACTOR);
  const isSettled = clock.nowMs() - link.completedAt.getTime() > SETTLED_AFTER_MS;
  if (charges.length === 0 && isSettled) await closeCompleted(db, link);
  return charges.length === limit;
}
