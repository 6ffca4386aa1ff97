import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import { attachmentContext } from '#platform/crypto/encrypted-columns.ts';
import { decryptFile, encryptFile } from '#platform/crypto/file-encryption.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { UploadedFile } from '#platform/http/uploads.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { Dispute, DisputeKey } from './dispute.ts';
import { findDispute, lockDispute } from './store.ts';
import {
  findAttachment,
  findAttachments,
  findMessages,
  insertAttachment,
  insertMessage,
  type Attachment,
  type DisputeMessage,
} from './store-evidence.ts';

export const MAX_ATTACHMENTS = 10;
export const MAX_MESSAGES = 20;

interface EvidenceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

export type EvidenceService = ReturnType<typeof createEvidenceService>;

/** What a seller presents in a dispute besides its appeal, for whoever decides it. */
export const createEvidenceService = (deps: EvidenceDeps) =>
  bindDeps(deps, { addAttachment, addMessage, list, readAttachment });

export type AddResult<Added> =
  | { readonly kind: 'added'; readonly added: Added }
  | { readonly kind: 'unknown' }
  /** The dispute has ended, or its deadline has passed. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'full' };

/** Stores a file, encrypted with a key of its own. */
function addAttachment(
  deps: EvidenceDeps,
  key: DisputeKey,
  { name, type, bytes }: UploadedFile,
  actor: AuditActor,
): Promise<AddResult<Attachment>> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const added: Attachment = { id, name, type, size: bytes.length, createdBy: actor, createdAt: now };
  return addEvidence(deps, key, now, async (trx, dispute) => {
    if ((await findAttachments(trx, dispute)).length >= MAX_ATTACHMENTS) return { kind: 'full' };
    const encrypted = encryptFile(deps.secrets, bytes, attachmentContext(dispute.sellerId, id));
    await insertAttachment(trx, dispute, { ...added, ...encrypted });
    const members = { attachmentId: id, bytes: bytes.length };
    await recordEvidence(trx, actor, dispute, { action: 'dispute.attachment-added', members, at: now });
    return { kind: 'added', added };
  });
}

function addMessage(
  deps: EvidenceDeps,
  key: DisputeKey,
  text: string,
  actor: AuditActor,
): Promise<AddResult<DisputeMessage>> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const added: DisputeMessage = { id, text, createdBy: actor, createdAt: now };
  return addEvidence(deps, key, now, async (trx, dispute) => {
    if ((await findMessages(trx, dispute)).length >= MAX_MESSAGES) return { kind: 'full' };
    await insertMessage(trx, dispute, added);
    const members = { messageId: id };
    await recordEvidence(trx, actor, dispute, { action: 'dispute.message-added', members, at: now });
    return { kind: 'added', added };
  });
}

/** Adds to a dispute, under its lock, so that concurrent requests respect the limits. */
async function addEvidence<Added>(
  { db }: EvidenceDeps,
  key: DisputeKey,
  now: Date,
  add: (trx: DatabaseTransaction, dispute: Dispute) => Promise<AddResult<Added>>,
): Promise<AddResult<Added>> {
  if (!isUuid(key.id)) return { kind: 'unknown' };
  return db.transaction().execute(async (trx) => {
    const dispute = await lockDispute(trx, key);
    if (dispute === undefined) return { kind: 'unknown' };
    const isUndecided = dispute.status === 'OPEN' || dispute.status === 'UNDER_REVIEW';
    if (!isUndecided || dispute.appealUntil <= now) return { kind: 'closed' };
    return add(trx, dispute);
  });
}

/** The attachments and messages of a dispute, oldest first. Undefined without the dispute. */
async function list({ db }: EvidenceDeps, key: DisputeKey) {
  if (!isUuid(key.id) || (await findDispute(db, key)) === undefined) return undefined;
  return { attachments: await findAttachments(db, key), messages: await findMessages(db, key) };
}

/** An attachment and its decrypted content. */
async function readAttachment({ db, secrets }: EvidenceDeps, key: DisputeKey, id: string) {
  const found = isUuid(key.id) && isUuid(id) ? await findAttachment(db, key, id) : undefined;
  if (found === undefined) return undefined;
  const bytes = decryptFile(secrets, found, attachmentContext(key.sellerId, id.toLowerCase()));
  return { name: found.name, type: found.type, bytes };
}

function recordEvidence(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { sellerId, id }: DisputeKey,
  {
    action,
    members,
    at,
  }: {
    readonly action: 'dispute.attachment-added' | 'dispute.message-added';
    readonly members: Members;
    readonly at: Date;
  },
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'dispute',
    recordId: id,
    sellerId,
    before: null,
    after: members,
    at,
  });
}
