import type { Action } from '#audit/actions.ts';
import type { Members } from '#audit/members.ts';
import { recordAudit } from '#audit/service.ts';
import { applicationContext, applicationDocumentContext } from '#platform/crypto/encrypted-columns.ts';
import { decryptFile, encryptFile } from '#platform/crypto/file-encryption.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { UploadedFile } from '#platform/http/uploads.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  missingParts,
  type Application,
  type ApplicationDetails,
  type ApplicationDocument,
  type DocumentKind,
} from './application.ts';
import {
  addMessage,
  decide,
  MAX_MESSAGES,
  readDetails,
  readWhole,
  recordStatus,
  type ApplicationFailure,
  type ApplicationsDeps,
  type IncompleteApplication,
  type WholeApplication,
} from './changes.ts';
import { deleteDocument, findDocument, findDocuments, insertDocument, updateApplication } from './store.ts';

export const MAX_DOCUMENTS = 10;

/** Changes the details that are set. */
export function change(
  deps: ApplicationsDeps,
  sellerId: string,
  changes: Partial<ApplicationDetails>,
  actor: AuditActor,
): Promise<WholeApplication | ApplicationFailure> {
  return decide(deps, sellerId, 'change', async (trx, before, status) => {
    const at = deps.clock.now();
    const details = { ...readDetails(deps, before), ...changes };
    const encryptedDetails = deps.secrets.encrypt(JSON.stringify(details), applicationContext(sellerId));
    const after = await updateApplication(trx, before, { status, encryptedDetails }, at);
    // What was stated is encrypted, so that the audit log names the members only.
    const members = { changed: Object.keys(changes) };
    await recordChange(trx, actor, after, { action: 'application.updated', after: members, at });
    return readWhole(deps, trx, after);
  });
}

/** Submits a complete application, with an answer to the operator's question if there is one. */
export function submit(
  deps: ApplicationsDeps,
  sellerId: string,
  message: string | undefined,
  actor: AuditActor,
): Promise<WholeApplication | IncompleteApplication | ApplicationFailure> {
  return decide(deps, sellerId, 'submit', async (trx, before, status) => {
    const at = deps.clock.now();
    const { details, documents, messages } = await readWhole(deps, trx, before);
    const missing = missingParts(before.documentType, details, documents);
    if (missing.details.length + missing.documents.length > 0) return { missing };
    if (message !== undefined) {
      if (messages.length >= MAX_MESSAGES) return 'FULL';
      await addMessage(trx, sellerId, { author: 'APPLICANT', text: message, at });
    }
    const after = await updateApplication(trx, before, { status, submittedAt: at }, at);
    await recordStatus(trx, actor, { action: 'application.submitted', before, after, at });
    const params = { organization: after.name, sellerId, message: message ?? '' };
    const notification = { kind: 'application-submitted', params, at } as const;
    await deps.notifier.notifyOperators(trx, 'operator:write', notification);
    return readWhole(deps, trx, after);
  });
}

/** Stores a file, encrypted with a key of its own. */
export function addDocument(
  deps: ApplicationsDeps,
  sellerId: string,
  { kind, file }: { readonly kind: DocumentKind; readonly file: UploadedFile },
  actor: AuditActor,
): Promise<ApplicationDocument | ApplicationFailure> {
  return decide(deps, sellerId, 'change', async (trx, before, status) => {
    const at = deps.clock.now();
    if ((await findDocuments(trx, sellerId)).length >= MAX_DOCUMENTS) return 'FULL';
    const { name, type, bytes } = file;
    const added = { id: newId(at.getTime()), kind, name, type, size: bytes.length, createdAt: at };
    const encrypted = encryptFile(deps.secrets, bytes, applicationDocumentContext(sellerId, added.id));
    await insertDocument(trx, sellerId, { ...added, ...encrypted });
    const after = await updateApplication(trx, before, { status }, at);
    const members = { attachmentId: added.id, bytes: bytes.length };
    await recordChange(trx, actor, after, { action: 'application.document-added', after: members, at });
    return added;
  });
}

export function removeDocument(
  deps: ApplicationsDeps,
  sellerId: string,
  id: string,
  actor: AuditActor,
): Promise<'DELETED' | ApplicationFailure> {
  if (!isUuid(id)) return Promise.resolve('UNKNOWN');
  return decide(deps, sellerId, 'change', async (trx, before, status) => {
    const at = deps.clock.now();
    if (!(await deleteDocument(trx, sellerId, id))) return 'UNKNOWN';
    const after = await updateApplication(trx, before, { status }, at);
    const members = { attachmentId: id.toLowerCase() };
    await recordChange(trx, actor, after, { action: 'application.document-deleted', after: members, at });
    return 'DELETED';
  });
}

/** A document and its decrypted content. */
export async function readDocument({ db, secrets }: ApplicationsDeps, sellerId: string, id: string) {
  const found = isUuid(sellerId) && isUuid(id) ? await findDocument(db, sellerId, id) : undefined;
  if (found === undefined) return undefined;
  const context = applicationDocumentContext(sellerId.toLowerCase(), id.toLowerCase());
  return { name: found.name, type: found.type, bytes: decryptFile(secrets, found, context) };
}

function recordChange(
  trx: DatabaseTransaction,
  actor: AuditActor,
  { sellerId }: Application,
  { action, after, at }: { readonly action: Action; readonly after: Members; readonly at: Date },
): Promise<void> {
  return recordAudit(trx, actor, {
    action,
    recordType: 'application',
    recordId: sellerId,
    sellerId,
    before: null,
    after,
    at,
  });
}
