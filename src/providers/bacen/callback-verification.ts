import type { EventDetail } from '#payments/provider-events/details.ts';
import { createVerificationJob, type ReportedPayment } from '#payments/provider-events/verification.ts';
import type { ProviderContext, ProviderJob } from '#providers/adapter.ts';
import type { BacenClient } from './client.ts';
import { centsOf, describeProblem, parseAs, Pix } from './messages.ts';
import {
  applyPayment,
  findTransactionByTxid,
  forEachPayment,
  paymentTimeOf,
  type PaymentsHandler,
  type PixPaymentDeps,
} from './pix-payments.ts';

/** Deadline of all lookups of one callback. The worker retries those without a response. */
const CALLBACK_DEADLINE_MS = 8_000;
const POLL_INTERVAL_MS = 1_000;

interface VerificationDeps extends PixPaymentDeps, Pick<ProviderContext, 'db' | 'leaseHolder'> {
  readonly client: BacenClient;
}

export interface CallbackVerification {
  /** Reads each payment from the PSP and applies what the PSP returns. */
  readonly verifyPayments: PaymentsHandler;
  /**
   * Applies payments of a list of the PSP. One that cannot be applied is left to the job, so that
   * it does not stop the reading of the list.
   */
  readonly applyListed: PaymentsHandler;
  /** Reads the payments that could not be confirmed or applied, until they are. */
  readonly job: ProviderJob;
}

/**
 * A callback is a hint. The payment is read from the PSP, and the PSP's response is applied, never
 * the content of the callback. If the PSP is unavailable, the payment is stored and the worker
 * retries until there is a response.
 */
export function createCallbackVerification(deps: VerificationDeps): CallbackVerification {
  return {
    async verifyPayments(items) {
      const deadline = AbortSignal.timeout(CALLBACK_DEADLINE_MS);
      await forEachPayment(deps, items, (pix) => handleReported(deps, pix, deadline));
    },
    applyListed: (items) => forEachPayment(deps, items, (pix) => applyOrPostpone(deps, pix)),
    job: {
      name: `payment verification at ${deps.name}`,
      intervalMs: POLL_INTERVAL_MS,
      run: createVerificationJob(deps, {
        provider: deps.name,
        read: (reported, deadline) => readPayment(deps, reported.eventId, deadline),
        apply: (reported, found) => applyFound(deps, reported, found),
      }),
    },
  };
}

async function handleReported(deps: VerificationDeps, pix: Pix, deadline: AbortSignal): Promise<void> {
  const reported = reportedPayment(deps, pix);
  let found: Pix | 'absent';
  try {
    deadline.throwIfAborted();
    found = await readPayment(deps, pix.endToEndId, deadline);
  } catch (error) {
    deps.log.warn({ err: error, provider: deps.name }, 'payment of a callback not confirmed by the provider');
    await deps.providerEvents.saveUnverified(reported);
    return;
  }
  await applyFound(deps, reported, found);
}

async function applyOrPostpone(deps: VerificationDeps, pix: Pix): Promise<void> {
  try {
    await applyPayment(deps, pix);
  } catch (error) {
    deps.log.error({ err: error, provider: deps.name }, 'listed payment could not be applied');
    await deps.providerEvents.saveUnverified(reportedPayment(deps, pix));
  }
}

function reportedPayment(deps: VerificationDeps, pix: Pix): ReportedPayment {
  return {
    provider: deps.name,
    eventId: pix.endToEndId,
    reference: pix.txid ?? '',
    amount: centsOf(pix.valor),
    occurredAt: paymentTimeOf(deps, pix),
  };
}

/**
 * Reads a payment from the PSP.
 *
 * @throws if the PSP returns nothing about the payment.
 */
async function readPayment(
  { client }: VerificationDeps,
  endToEndId: string,
  deadline: AbortSignal,
): Promise<Pix | 'absent'> {
  const path = `/pix/${encodeURIComponent(endToEndId)}`;
  const { status, body } = await client.request({ method: 'GET', path }, deadline);
  const found = status < 300 ? parseAs(Pix, body) : undefined;
  if (found?.endToEndId === endToEndId) return found;
  // The API refuses an id of another format as well.
  if (status === 404 || status === 410 || describeProblem(body) !== undefined) return 'absent';
  throw new Error(`the provider responded with HTTP ${status} about a payment`);
}

/** Applies the PSP's response, and stores a callback that contradicts it for the operator. */
async function applyFound(
  deps: VerificationDeps,
  reported: ReportedPayment,
  found: Pix | 'absent',
): Promise<void> {
  const difference = differenceOf(reported, found);
  if (difference !== undefined) await saveContradiction(deps, reported, difference);
  if (found !== 'absent') await applyPayment(deps, found);
}

function differenceOf(
  { amount, reference }: ReportedPayment,
  found: Pix | 'absent',
): EventDetail | undefined {
  if (found === 'absent') return 'the provider does not know this payment';
  const actual = centsOf(found.valor);
  if (actual !== amount) return `the provider reports the amount ${actual} for this payment`;
  if ((found.txid ?? '') !== reference) return 'the provider reports another txid for this payment';
  return undefined;
}

async function saveContradiction(
  deps: VerificationDeps,
  { provider, eventId, reference, amount, occurredAt }: ReportedPayment,
  detail: EventDetail,
): Promise<void> {
  const transaction = await findTransactionByTxid(deps, reference);
  const claimed = { sellerId: transaction?.sellerId ?? '', id: transaction?.id ?? reference };
  const event = { provider, eventId, kind: 'PAYMENT', amount, occurredAt };
  const isNew = await deps.providerEvents.saveUnmatched(claimed, event, detail);
  if (isNew) deps.log.error({ provider }, 'callback contradicts the provider');
}
