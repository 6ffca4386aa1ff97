import type { Members } from '#audit/members.ts';
import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import { countedPage } from '#platform/database/pagination.ts';
import { webhookContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { holdPendingInChunks, SELLER_REASON } from './endpoint-health.ts';
import { newWebhookSecret, ROTATION_OVERLAP_MS } from './signature.ts';
import { findDisabledWithPending } from './store-endpoint-health.ts';
import { countAllWebhooks, findAllWebhooks, type OperatorWebhookFilter } from './store-operator.ts';
import * as store from './store.ts';
import {
  MAX_WEBHOOKS,
  type EventType,
  type Webhook,
  type WebhookChanges,
  type WebhookKey,
} from './webhook.ts';

/** Bounds the webhook-signature header, and still allows several rotations a day. */
const MAX_RETIRED_SECRETS = 4;

/** How long after a webhook was disabled the worker still searches for its pending deliveries. */
const HOLD_LOOKBACK_MS = 24 * 60 * 60 * 1000;

export interface EndpointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

export interface NewWebhook {
  readonly url: string;
  readonly eventType: EventType;
  readonly description: string | null;
}

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** In clear text. Returned only by the call that creates it. */
  readonly secret: string;
}

/** Creates a webhook. Returns undefined if the seller already has `MAX_WEBHOOKS`. */
export async function createWebhook(
  { db, clock, secrets }: EndpointDeps,
  sellerId: string,
  input: NewWebhook,
  actor: AuditActor,
): Promise<WebhookWithSecret | undefined> {
  const now = clock.now();
  const id = newId(now.getTime());
  const secret = newWebhookSecret();
  const webhook: Webhook = {
    id,
    sellerId,
    ...input,
    encryptedSecret: secrets.encrypt(secret, webhookContext(sellerId, id)),
    createdAt: now,
    disabledAt: null,
    disabledReason: null,
  };
  const isInserted = await db.transaction().execute(async (trx) => {
    if (!(await store.insertWebhook(trx, webhook, MAX_WEBHOOKS))) return false;
    await auditWebhook(trx, actor, { action: 'webhook.created', key: webhook, after: webhook, at: now });
    return true;
  });
  return isInserted ? { webhook, secret } : undefined;
}

/** The webhooks of all sellers, newest first, for the operator. */
export function listAllWebhooks({ db }: EndpointDeps, filter: OperatorWebhookFilter, page: Page) {
  return countedPage(findAllWebhooks(db, filter, page), countAllWebhooks(db, filter));
}

export const listWebhooks = ({ db }: EndpointDeps, sellerId: string): Promise<readonly Webhook[]> =>
  store.findWebhooks(db, sellerId);

export async function findWebhook({ db }: EndpointDeps, key: WebhookKey): Promise<Webhook | undefined> {
  return isUuid(key.id) ? store.findWebhook(db, key) : undefined;
}

/**
 * Changes a webhook. Disabling it holds its pending deliveries. Returns undefined if it does not
 * exist.
 */
export async function updateWebhook(
  { db, clock }: EndpointDeps,
  key: WebhookKey,
  changes: WebhookChanges,
  actor: AuditActor,
): Promise<Webhook | undefined> {
  if (!isUuid(key.id)) return undefined;
  const now = clock.now();
  const updated = await db.transaction().execute(async (trx) => {
    const result = await store.updateWebhook(trx, key, { ...changes, reason: SELLER_REASON }, now);
    if (result === undefined) return undefined;
    const { before, after } = result;
    await auditWebhook(trx, actor, { action: 'webhook.updated', key: after, before, after, at: now });
    return after;
  });
  if (updated !== undefined && changes.status === 'DISABLED') {
    failPoint('webhooks.disabled');
    await holdPendingInChunks(db, updated, now);
  }
  return updated;
}

/** Deletes a webhook and fails its pending deliveries. Returns false if it does not exist. */
export async function deleteWebhook(
  { db, clock }: EndpointDeps,
  key: WebhookKey,
  actor: AuditActor,
): Promise<boolean> {
  if (!isUuid(key.id)) return false;
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const before = await store.deleteWebhook(trx, key, now);
    if (before === undefined) return false;
    await auditWebhook(trx, actor, { action: 'webhook.deleted', key: before, before, at: now });
    return true;
  });
}

/**
 * Gives a webhook a new secret. The old secret signs in addition for `ROTATION_OVERLAP_MS`. Returns
 * undefined if the webhook does not exist.
 */
export async function rotateSecret(
  { db, clock, secrets }: EndpointDeps,
  key: WebhookKey,
  actor: AuditActor,
): Promise<WebhookWithSecret | undefined> {
  if (!isUuid(key.id)) return undefined;
  const now = clock.now();
  const secret = newWebhookSecret();
  const rotation = {
    encryptedSecret: secrets.encrypt(secret, webhookContext(key.sellerId, key.id.toLowerCase())),
    retired: { id: newId(now.getTime()), signsUntil: new Date(now.getTime() + ROTATION_OVERLAP_MS) },
    maxRetired: MAX_RETIRED_SECRETS,
    now,
  };
  const webhook = await db.transaction().execute(async (trx) => {
    const rotated = await store.rotateSecret(trx, key, rotation);
    if (rotated !== undefined) {
      await auditWebhook(trx, actor, { action: 'webhook.secret-rotated', key: rotated, at: now });
    }
    return rotated;
  });
  if (webhook === undefined) return undefined;
  failPoint('webhooks.rotated');
  return { webhook, secret };
}

/**
 * Holds deliveries that are still pending for disabled webhooks: the rest of a long backlog, and
 * those created while the webhook was being disabled. Returns true if more may remain.
 */
export async function holdRemaining({ db, clock }: EndpointDeps): Promise<boolean> {
  let more = false;
  const since = new Date(clock.nowMs() - HOLD_LOOKBACK_MS);
  for (const key of await findDisabledWithPending(db, since))
    more = !(await holdPendingInChunks(db, key, clock.now())) || more;
  return more;
}

interface WebhookAudit {
  readonly action: Extract<Action, `webhook.${string}`>;
  readonly key: WebhookKey;
  readonly before?: Webhook;
  readonly after?: Webhook;
  readonly at: Date;
}

/** Writes the audit log entry of a change. The secret is never part of it. */
function auditWebhook(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { action, key: { sellerId, id }, before, after, at }: WebhookAudit,
): Promise<void> {
  const change = { action, recordType: 'webhook', recordId: id, sellerId, at } as const;
  const isUpdate = before !== undefined && after !== undefined;
  const auditedMembers = (webhook: Webhook | undefined) =>
    webhook === undefined ? null : { ...inputOf(webhook), ...(isUpdate ? stateOf(webhook) : {}) };
  return recordAudit(trx, actor, {
    ...change,
    before: auditedMembers(before),
    after: auditedMembers(after),
  });
}

const inputOf = ({ url, eventType, description }: Webhook): Members => ({ url, eventType, description });

const stateOf = ({ disabledAt, disabledReason }: Webhook): Members => ({
  status: disabledAt === null ? 'ACTIVE' : 'DISABLED',
  disabledReason,
});
