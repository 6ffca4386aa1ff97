import { unformatOurNumber } from '#formats/boleto/agreement.ts';
import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { rollback, transactionWithRollback } from '#platform/database/transaction-with-rollback.ts';
import type { ApplyResult, Transaction } from '#payments/transactions/service.ts';
import type { BoletoPayment, PixPayment } from '#payments/transactions/transaction.ts';
import { endReviewed } from './cancel.ts';
import { captureWith, type CaptureResult } from './capture.ts';
import type { ProviderOperationDeps } from './deps.ts';
import type { PaymentProviders } from './payment-provider.ts';
import { insertBoleto, recordReview } from './store-reviews.ts';
import { insertPixPayment, insertSubmission } from './store.ts';

export type ReviewResult = CaptureResult | { readonly kind: 'not-in-review' };

export interface ReviewDeps extends ProviderOperationDeps {
  readonly providers: PaymentProviders;
}

export interface ReviewDecision {
  readonly decision: 'APPROVE' | 'REFUSE';
  readonly author: AuditActor;
  /** Of the seller, as payers read it. */
  readonly sellerName: string;
}

class NotInReviewError extends Error {}

/**
 * Decides a charge in review. An approved card is captured, if its seller wanted that; a refused
 * one is voided. An approved Pix or boleto gets its code, by which the payer can pay.
 */
export async function review(
  deps: ReviewDeps,
  transaction: Transaction,
  request: ReviewDecision,
): Promise<ReviewResult> {
  const isRefused = request.decision === 'REFUSE';
  const isCard = transaction.method === 'CREDIT_CARD';
  // The card's provider has to decide first.
  if (isCard && transaction.status !== 'AUTHORIZED') return { kind: 'not-in-review' };
  const before = (trx: DatabaseTransaction) => decide(deps, trx, transaction, request);
  try {
    if (isRefused) return await endReviewed(deps, transaction, before);
    if (!isCard) return await issue(deps, transaction, request);
    if (transaction.riskCapture === true)
      return await captureWith(deps, transaction, null, { author: request.author, before });
    return await release(deps, transaction, before);
  } catch (error) {
    if (error instanceof NotInReviewError) return { kind: 'not-in-review' };
    throw error;
  }
}

async function decide(
  { clock, transactions }: ReviewDeps,
  trx: DatabaseTransaction,
  transaction: Transaction,
  {
    decision,
    author,
    expiresAt,
  }: Pick<ReviewDecision, 'decision' | 'author'> & { readonly expiresAt?: Date },
): Promise<void> {
  const at = clock.now();
  await transactions.lock(trx, transaction);
  const status = decision === 'APPROVE' ? 'APPROVED' : 'REFUSED';
  const record = { status, at, ...(expiresAt !== undefined && { expiresAt }) } as const;
  if (!(await recordReview(trx, transaction, record))) throw new NotInReviewError();
  const { sellerId, id: recordId } = transaction;
  const action = decision === 'APPROVE' ? 'transaction.review-approved' : 'transaction.review-refused';
  const target = { recordType: 'transaction', recordId, sellerId } as const;
  await recordAudit(trx, author, { action, ...target, before: null, after: { status }, at });
}

/** Approves an authorization that its seller captures. */
function release(
  { db, transactions }: ReviewDeps,
  transaction: Transaction,
  before: (trx: DatabaseTransaction) => Promise<void>,
): Promise<ApplyResult> {
  return db.transaction().execute(async (trx) => {
    await before(trx);
    const current = await transactions.findInTransaction(trx, transaction);
    return { kind: 'nothing', transaction: current ?? transaction };
  });
}

interface Issued {
  readonly pix: PixPayment | undefined;
  readonly boleto: BoletoPayment | undefined;
  readonly expiresAt: Date;
}

/** Issues what the payer pays with, here or at the external Pix provider. */
async function issue(
  deps: ReviewDeps,
  transaction: Transaction,
  request: ReviewDecision,
): Promise<ApplyResult> {
  const { db, clock, transactions, providers } = deps;
  const now = clock.now();
  if (transaction.status !== 'PENDING' || transaction.expiresAt === null || transaction.expiresAt <= now)
    throw new NotInReviewError();
  const { pix, boleto, expiresAt } = await issueLocally(deps, transaction, request.sellerName);
  const terms = await transactions.termsOf(transaction.sellerId);
  const result = await transactionWithRollback<ApplyResult>(db, async (trx) => {
    await decide(deps, trx, transaction, { ...request, expiresAt });
    if (boleto !== undefined) {
      const bareNumber = unformatOurNumber(boleto.ourNumber);
      await insertBoleto(trx, transaction, boleto, { bareNumber, at: now });
    }
    if (pix !== undefined) await insertPixPayment(trx, transaction, pix, now);
    else if (providers.pix !== undefined) {
      const [first = deps.pix[0]] = await deps.routing.select('PIX', deps.pix);
      const provider = first?.name ?? '';
      await insertSubmission(trx, transaction, { provider, dueAt: now });
    }
    if (boleto === undefined) {
      const current = await transactions.findInTransaction(trx, transaction);
      return { kind: 'nothing', transaction: current ?? transaction };
    }
    const event = { kind: 'WAITING' } as const;
    const applied = await transactions.applyEventInTransaction(trx, transaction, {
      event,
      terms,
      actor: 'OPERATOR',
    });
    return applied.kind === 'applied' ? applied : rollback(applied);
  });
  transactions.notifyWorker();
  return result;
}

async function issueLocally(
  { providers, clock }: ReviewDeps,
  { id: transactionId, method, amount: amountCents, expiresAt }: Transaction,
  merchantName: string,
): Promise<Issued> {
  const nowMs = clock.nowMs();
  const until = expiresAt ?? new Date(nowMs);
  const request = { transactionId, amountCents, nowMs };
  const issued =
    method === 'BOLETO' ? await providers.boleto?.issue({ ...request, expiresAt: until }) : undefined;
  const validUntil = issued?.payableUntil ?? until;
  const issuer = providers.pix !== undefined && 'issue' in providers.pix ? providers.pix : undefined;
  return {
    pix: issuer?.issue({ ...request, expiresAt: validUntil, merchantName }),
    boleto: issued?.boleto,
    expiresAt: validUntil,
  };
}
