import type { Db } from '#platform/database/connect.ts';
import { createProviderCaller, type ProviderCallerDeps } from '#platform/jobs/provider-calls.ts';
import {
  deleteUnverifiedPayment,
  leaseUnverifiedPayments,
  postponeUnverifiedPayment,
  type DueVerification,
  type ReportedPayment,
} from './store-unverified.ts';

export type { ReportedPayment };

const DEADLINE_MS = 10_000;

export interface VerificationDeps extends ProviderCallerDeps {
  readonly db: Db;
}

/** How a payment that was reported to the gateway is read from its provider. */
export interface PaymentVerifier<Found> {
  readonly provider: string;
  /** Reads the payment from the provider. Throws if the provider does not respond. */
  readonly read: (payment: ReportedPayment, deadline: AbortSignal) => Promise<Found>;
  /** Applies the response of the provider. Applied twice, it changes nothing. */
  readonly apply: (payment: ReportedPayment, found: Found) => Promise<void>;
}

/**
 * Creates the job that reads reported payments from a provider that did not respond before, until
 * it responds.
 */
export function createVerificationJob<Found>(
  deps: VerificationDeps,
  { provider, read, apply }: PaymentVerifier<Found>,
): () => Promise<boolean> {
  const { db } = deps;
  return createProviderCaller<DueVerification, Found>(deps, {
    name: 'payment verification',
    failPointPrefix: 'verifications',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => leaseUnverifiedPayments(db, provider, lease),
    prepare: async (payment) => (deadline) => read(payment, deadline),
    async record(payment, found) {
      await apply(payment, found);
      await deleteUnverifiedPayment(db, payment);
    },
    postpone: (payment, dueAt, now) => postponeUnverifiedPayment(db, payment, dueAt, now),
  });
}
