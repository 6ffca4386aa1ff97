import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { findPayoutPause } from '#platform/database/payout-pause.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import type { LeaseHolder } from '#platform/jobs/lease-holder.ts';
import { createProviderCaller, NotExecutedError, runAll } from '#platform/jobs/provider-calls.ts';
import { toDestination, type Payee } from './payee.ts';
import type { PayoutProvider, PayoutRequest, PayoutResponse } from './payout-provider.ts';
import type { WithdrawalsService } from './service.ts';
import {
  claimPayouts,
  closePayout,
  postponePayout,
  reassignPayout,
  type ClaimedPayout,
  type PostponedCall,
} from './store-payouts.ts';
import { findApproved } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

const MAX_BATCH_SIZE = 20;
const DEADLINE_MS = 15_000;

export interface PayoutExecutionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly withdrawals: WithdrawalsService;
  /** In the order in which they are tried; each handles its own methods. */
  readonly providers: readonly PayoutProvider[];
  readonly log: Logger;
  readonly leaseHolder: LeaseHolder;
  readonly routing: ProviderRouting;
}

/**
 * Creates the job that pays approved withdrawals. PROCESSING and a due payout are committed first,
 * then the provider is called, then the outcome is committed. After a crash in between, the payout
 * is called again with the same id, which the provider pays once. Another provider is called only
 * if the first one certainly did not execute the payout. Nothing is assigned or called while
 * payouts are paused after a restore, and nothing of a provider that an operator has paused, whose
 * payouts go to another one if it was never called for them. The job returns true if more may be
 * due.
 */
export function createPayoutExecution(deps: PayoutExecutionDeps): () => Promise<boolean> {
  const callers = deps.providers.map((provider) => ({
    provider,
    callDue: createPayoutCaller(deps, provider),
    reassignDue: createReassignment(deps, provider),
  }));
  return async () => {
    if ((await findPayoutPause(deps.db)) !== undefined) return false;
    const selected = await deps.routing.select('PAYOUT', deps.providers);
    let hasMore = await submitApproved(deps, selected);
    for (const { provider, callDue, reassignDue } of callers) {
      if (selected.includes(provider)) hasMore = (await callDue()) || hasMore;
      else if (selected.some((other) => sharesMethod(provider, other)))
        hasMore = (await reassignDue()) || hasMore;
    }
    return hasMore;
  };
}

/**
 * Assigns approved withdrawals to providers, unless the ledger does not prove them. Returns true if
 * more may be waiting.
 */
async function submitApproved(
  { db, withdrawals }: PayoutExecutionDeps,
  providers: readonly PayoutProvider[],
): Promise<boolean> {
  if (providers.length === 0) return false;
  const methods = [...new Set(providers.flatMap((provider) => provider.methods))];
  const approved = await findApproved(db, methods, MAX_BATCH_SIZE);
  await runAll(approved, async ({ method, ...key }) => {
    const provider = providers.find((candidate) => candidate.methods.some((other) => other === method));
    if (provider === undefined) return;
    const withdrawal = await withdrawals.find(key);
    if (withdrawal === undefined || !(await withdrawals.isReservationProven(withdrawal))) return;
    const event = { kind: 'SUBMISSION', provider: provider.name } as const;
    await withdrawals.applyEvent(key, event, { actor: 'WORKER' });
    failPoint('payouts.created');
  });
  return approved.length === MAX_BATCH_SIZE;
}

function createPayoutCaller(deps: PayoutExecutionDeps, provider: PayoutProvider): () => Promise<boolean> {
  const { db } = deps;
  return createProviderCaller<ClaimedPayout, PayoutResponse>(deps, {
    name: 'payout',
    failPointPrefix: 'payouts',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => claimPayouts(db, { provider: provider.name, ...lease }),
    prepare: (payout) => prepareCall(deps, provider, payout),
    record: (payout, response) => recordResponse(deps, provider, payout, response),
    postpone: (payout, dueAt, now, error) =>
      postponeCall(deps, provider, payout, {
        dueAt,
        now,
        isNotExecuted: error instanceof NotExecutedError,
        canReassign: !(error instanceof UnprovenError),
      }),
  });
}

const sharesMethod = ({ methods }: PayoutProvider, other: PayoutProvider): boolean =>
  methods.some((method) => other.methods.includes(method));

/** Creates the job that gives the payouts for which a paused provider was never called to another. */
function createReassignment(deps: PayoutExecutionDeps, paused: PayoutProvider): () => Promise<boolean> {
  const { db } = deps;
  return createProviderCaller<ClaimedPayout, PayoutResponse>(deps, {
    name: 'payout',
    failPointPrefix: 'payouts',
    deadlineMs: DEADLINE_MS,
    lease: (lease) => claimPayouts(db, { provider: paused.name, isUncalled: true, ...lease }),
    prepare: async () => () => Promise.reject(new NotExecutedError(`${paused.name} is paused`)),
    record: async () => undefined,
    postpone: (payout, dueAt, now) =>
      postponeCall(deps, paused, payout, { dueAt, now, isNotExecuted: true, canReassign: true }),
  });
}

/** No provider was called, and no other one may be called either. */
class UnprovenError extends NotExecutedError {}

async function prepareCall(
  { db, clock, withdrawals }: PayoutExecutionDeps,
  provider: PayoutProvider,
  payout: ClaimedPayout,
): Promise<((deadline: AbortSignal) => Promise<PayoutResponse>) | undefined> {
  const withdrawal = await withdrawals.find(payout);
  if (withdrawal?.status !== 'PROCESSING') {
    // Its outcome was reported before the response, or before a crash.
    await closePayout(db, payout, null, clock.now());
    return undefined;
  }
  return async (deadline) => {
    if (!(await withdrawals.isReservationProven(withdrawal)))
      throw new UnprovenError('the ledger has no proven reservation of the withdrawal');
    return provider.send(toPayoutRequest(withdrawal, withdrawals.decryptPayee(withdrawal)), deadline);
  };
}

async function recordResponse(
  { db, clock, withdrawals }: PayoutExecutionDeps,
  provider: PayoutProvider,
  payout: ClaimedPayout,
  response: PayoutResponse,
): Promise<void> {
  if (response.kind === 'refused') {
    const failure = { kind: 'FAILURE', reason: response.reason } as const;
    await withdrawals.applyProviderEvent(payout, failure, {
      provider: provider.name,
      eventId: `refusal ${payout.id}`,
      kind: failure.kind,
      amount: null,
      occurredAt: clock.now(),
    });
  }
  const reference = response.kind === 'accepted' ? response.reference : null;
  await closePayout(db, payout, reference, clock.now());
}

async function postponeCall(
  deps: PayoutExecutionDeps,
  provider: PayoutProvider,
  payout: ClaimedPayout,
  { canReassign, ...postponed }: PostponedCall & { readonly canReassign: boolean },
): Promise<void> {
  const { db, providers } = deps;
  const { dueAt, now, isNotExecuted } = postponed;
  // After an earlier call of unknown outcome the provider may have the payout.
  const isFree = isNotExecuted && payout.unknownCalls === 0;
  const next = isFree && canReassign ? await findNextProvider(deps, provider, payout) : undefined;
  if (next === undefined) return postponePayout(db, payout, postponed);
  const allTried = providers.indexOf(next) <= providers.indexOf(provider);
  const reassignment = { from: provider.name, to: next.name, dueAt: allTried ? dueAt : now, now };
  return reassignPayout(db, payout, reassignment);
}

/** The provider to try after `current`, which may be paused; undefined if no other one handles the method. */
async function findNextProvider(
  deps: PayoutExecutionDeps,
  current: PayoutProvider,
  payout: ClaimedPayout,
): Promise<PayoutProvider | undefined> {
  const withdrawal = await deps.withdrawals.find(payout);
  if (withdrawal === undefined) return undefined;
  const providers = await deps.routing.select('PAYOUT', deps.providers);
  const capable = providers.filter(({ methods }) => methods.includes(withdrawal.method));
  const next = capable[(capable.indexOf(current) + 1) % capable.length];
  return next === current ? undefined : next;
}

function toPayoutRequest(withdrawal: Withdrawal, { destination, beneficiaryDocument }: Payee): PayoutRequest {
  return {
    id: withdrawal.id,
    sellerId: withdrawal.sellerId,
    amountCents: withdrawal.amount - withdrawal.feeAmount,
    destination: toDestination(withdrawal, destination),
    beneficiary: { name: withdrawal.beneficiaryName, document: beneficiaryDocument },
    description: withdrawal.description,
  };
}
