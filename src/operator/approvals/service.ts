import { recordAudit } from '#audit/service.ts';
import type { ApiKeysService } from '#identity/api-keys/service.ts';
import { tooManyApiKeys } from '#identity/api-keys/errors.ts';
import { requireInvited } from '#identity/users/invitation-schema.ts';
import { RESET_FAILURES, viewReset } from '#identity/second-factor-resets/schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { approvalContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import type { SettingsService } from '#sellers/settings/service.ts';
import type { SellersService } from '#sellers/service.ts';
import { parseRequest, summarize, type ApprovalRequest } from './request.ts';
import {
  countApprovals,
  decideApproval,
  findApprovals,
  insertApproval,
  lockApproval,
  type ApprovalRow,
  type ApprovalStatus,
} from './store.ts';

const LIFETIME_MS = 7 * 86_400_000;

interface ApprovalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly users: UsersService;
  readonly apiKeys: ApiKeysService;
  readonly sellers: SellersService;
  readonly settings: SettingsService;
}

export interface Approval {
  readonly id: string;
  readonly row: ApprovalRow;
  readonly status: ApprovalStatus;
}

/** What the executed operation returned. */
type ApprovalResult = Readonly<Record<string, unknown>> | null;

export type ApprovalsService = ReturnType<typeof createApprovalsService>;

export const createApprovalsService = (deps: ApprovalDeps) =>
  bindDeps(deps, { request, approve, reject, list, requireSettled });

/**
 * Stores a request that a second ADMIN must approve. Returns undefined if there is no second one:
 * the caller then executes it at once.
 */
async function request(
  { db, clock, secrets, users }: ApprovalDeps,
  requested: ApprovalRequest,
  author: Caller,
): Promise<Approval | undefined> {
  if (!(await users.hasSecondAdmin(author.id))) return undefined;
  const at = clock.now();
  const id = newId(at.getTime());
  const row: ApprovalRow = {
    id,
    action: requested.action,
    seller_id: 'sellerId' in requested ? requested.sellerId : null,
    summary: summarize(requested),
    encrypted_request: secrets.encrypt(JSON.stringify(requested), approvalContext(id)),
    status: 'PENDING',
    requested_by: author.id,
    requester_name: author.name,
    decided_by: null,
    reason: null,
    expires_at: new Date(at.getTime() + LIFETIME_MS),
    created_at: at,
    decided_at: null,
  };
  await db.transaction().execute(async (trx) => {
    await insertApproval(trx, row);
    await recordAudit(trx, author, {
      ...auditTarget(row, at),
      action: 'approval.requested',
      before: null,
      after: { request: row.action, ...summarize(requested) },
    });
  });
  return { id, row, status: 'PENDING' };
}

/** Executes a request, in the transaction that records its approval. */
async function approve(
  deps: ApprovalDeps,
  id: string,
  author: Caller,
): Promise<Approval & { readonly result: ApprovalResult }> {
  await requireSettled(deps, author);
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockPending(deps, trx, id);
    if (row.requested_by === author.id) throw new HttpError('approval_own_request');
    if (!(await deps.users.withTransaction(trx).isAdmin(row.requested_by)))
      throw new HttpError('approval_not_pending');
    const requested = parseRequest(deps.secrets.decrypt(row.encrypted_request, approvalContext(row.id)));
    const requester = { ...author, id: row.requested_by, name: row.requester_name };
    const result = await execute(deps, trx, requested, requester);
    const decision = {
      status: 'APPROVED',
      decided_by: author.id,
      decided_at: deps.clock.now(),
      reason: null,
    };
    await recordDecision(trx, row, decision, author);
    return { id: row.id, row: { ...row, ...decision }, status: 'APPROVED', result };
  });
}

/** Rejects a request. The ADMIN who made it can withdraw it this way. */
async function reject(deps: ApprovalDeps, id: string, author: Caller, reason: string): Promise<Approval> {
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockPending(deps, trx, id);
    const decision = { status: 'REJECTED', decided_by: author.id, decided_at: deps.clock.now(), reason };
    await recordDecision(trx, row, decision, author);
    return { id: row.id, row: { ...row, ...decision }, status: 'REJECTED' };
  });
}

/** @throws HttpError if the ADMIN was made by another one less than 24 hours ago. */
async function requireSettled({ users }: ApprovalDeps, { id }: Caller): Promise<void> {
  if (await users.isNewAdmin(id)) throw new HttpError('approver_too_new');
}

/** A page of the requests that match, newest first, and the number of all that match. */
async function list({ db, clock }: ApprovalDeps, status: ApprovalStatus | undefined, page: Page) {
  const now = clock.now();
  const filter = { status, now };
  const { items, count } = await countedPage(findApprovals(db, filter, page), countApprovals(db, filter));
  return { items: items.map((row): Approval => ({ id: row.id, row, status: statusOf(row, now) })), count };
}

function statusOf({ status, expires_at: expiresAt }: ApprovalRow, now: Date): ApprovalStatus {
  if (status === 'APPROVED' || status === 'REJECTED') return status;
  return expiresAt > now ? 'PENDING' : 'EXPIRED';
}

async function lockPending(
  { clock }: ApprovalDeps,
  trx: DatabaseTransaction,
  id: string,
): Promise<ApprovalRow> {
  const row = isUuid(id) ? await lockApproval(trx, id.toLowerCase()) : undefined;
  if (row === undefined) throw new HttpError('approval_not_found');
  if (statusOf(row, clock.now()) !== 'PENDING') throw new HttpError('approval_not_pending');
  return row;
}

async function recordDecision(
  trx: DatabaseTransaction,
  row: ApprovalRow,
  decision: Pick<ApprovalRow, 'status' | 'decided_by' | 'decided_at' | 'reason'>,
  author: Caller,
): Promise<void> {
  await decideApproval(trx, row.id, decision);
  await recordAudit(trx, author, {
    ...auditTarget(row, decision.decided_at ?? row.created_at),
    action: decision.status === 'APPROVED' ? 'approval.approved' : 'approval.rejected',
    before: { status: row.status, reason: row.reason },
    after: { status: decision.status, reason: decision.reason },
  });
}

const auditTarget = ({ id, seller_id: sellerId }: ApprovalRow, at: Date) =>
  ({ recordType: 'approval', recordId: id, sellerId, at }) as const;

/** Executes a request on behalf of the one who made it. */
async function execute(
  { users, apiKeys, sellers, settings, clock }: ApprovalDeps,
  trx: DatabaseTransaction,
  requested: ApprovalRequest,
  requester: Caller,
): Promise<ApprovalResult> {
  switch (requested.action) {
    case 'user.create': {
      const created = await users.withTransaction(trx).createHashed(requested, requester);
      if (!created.ok) throw new HttpError('email_taken');
      const { id, name, email, role } = created.user;
      return { id, name, email, role };
    }
    case 'user.invite': {
      const { id, email, role } = requireInvited(
        await users.withTransaction(trx).invite(requested, requester),
      );
      return { id, email, role };
    }
    case 'user.delete': {
      const outcome = await users.withTransaction(trx).removeOperatorUser(requested.id, requester);
      if (outcome === 'UNKNOWN') throw new HttpError('user_not_found');
      if (outcome === 'LAST_ADMIN') throw new HttpError('last_admin');
      return { id: requested.id };
    }
    case 'second-factor.reset': {
      const member = { sellerId: null, userId: requested.id };
      const reset = await users.withTransaction(trx).requestReset(member, requester);
      if (typeof reset === 'string') throw new HttpError(RESET_FAILURES[reset]);
      return viewReset(reset);
    }
    case 'settings.replace': {
      const { action: _action, ...changes } = requested;
      return { ...(await settings.withTransaction(trx).change(changes, requester)) };
    }
    case 'seller.update': {
      const origin = { actor: requester, at: clock.now() };
      const updated = await sellers
        .withTransaction(trx)
        .update(requested.sellerId, requested.changes, origin);
      if (updated === undefined) throw new HttpError('seller_not_found');
      return { id: updated.id, status: updated.status, autoApproveUpTo: updated.autoApproveUpTo };
    }
    case 'api-key.create': {
      const { sellerId, name, role } = requested;
      const created = await apiKeys.withTransaction(trx).create(sellerId, { name, role }, requester);
      if (created === undefined) throw tooManyApiKeys();
      const { id, prefix } = created.apiKey;
      return { id, name, prefix, role, key: created.key };
    }
  }
}
