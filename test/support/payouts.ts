import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect } from 'vitest';

import { bookEntries } from '#accounting/ledger/service.ts';
import { createNotifier } from '#notifications/notifier.ts';
import type { ProviderRouting } from '#payments/operations/routing.ts';
import { createPayoutExecution } from '#payouts/withdrawals/payout-execution.ts';
import type { PayoutProvider, PayoutRequest, PayoutResponse } from '#payouts/withdrawals/payout-provider.ts';
import { createWithdrawalsService } from '#payouts/withdrawals/service.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';
import { RecordCaches } from '#platform/database/record-caches.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { createLogger } from '#platform/kit/log.ts';
import { createSellersService } from '#sellers/service.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { writeSeller } from '#test/support/sellers.ts';

/** A provider that accepts every request by default, and pays each id once. */
export class FakePayoutProvider implements PayoutProvider {
  readonly name: string;
  readonly methods: PayoutProvider['methods'];
  readonly calls: PayoutRequest[] = [];
  readonly paid = new Map<string, PayoutRequest>();
  constructor(name = 'bank', methods: PayoutProvider['methods'] = ['PIX']) {
    this.name = name;
    this.methods = methods;
  }

  /** The responses to the next calls. */
  responses: ((request: PayoutRequest) => Promise<PayoutResponse>)[] = [];

  async send(request: PayoutRequest): Promise<PayoutResponse> {
    this.calls.push(request);
    const respond = this.responses.shift();
    if (respond !== undefined) return respond(request);
    this.paid.set(request.id, request);
    return { kind: 'accepted', reference: `ref ${request.id}` };
  }
}

export const timeOut = async (): Promise<PayoutResponse> => {
  throw new Error('timed out');
};
export const notExecuted = () => Promise.reject(new NotExecutedError('unreachable'));

/** Gives each test of a file a seller with R$ 1000.00 and a payout provider. */
export function usePayouts() {
  const store = useDatabase(10);
  const clock = new Clock();
  const secrets = new SecretBox([Buffer.alloc(32, 7)]);
  const log = createLogger('silent');

  const payouts = {
    store,
    clock,
    sellerId: '',
    bank: new FakePayoutProvider(),
    /** The providers that are tried after it. */
    others: [] as readonly FakePayoutProvider[],
    /** The names of the providers that are paused. */
    paused: new Set<string>(),

    /** One process: processes share only the database and the providers. */
    startProcess() {
      const { db } = store;
      const providers = [payouts.bank, ...payouts.others];
      const routing: ProviderRouting = {
        select: async (_method, all) => all.filter(({ name }) => !payouts.paused.has(name)),
        isPaused: async () => false,
      };
      const withdrawals = createWithdrawalsService({
        db,
        heavy: db,
        clock,
        secrets,
        payoutProviders: providers,
        routing,
        notifyWorker: () => undefined,
        notifier: createNotifier({ secrets, canMail: false }),
      });
      const leaseHolder = { id: randomUUID(), track: () => undefined };
      return {
        withdrawals,
        run: createPayoutExecution({ db, clock, withdrawals, providers, log, leaseHolder, routing }),
      };
    },

    /** Runs the payout execution of a new process once. */
    run: () => payouts.startProcess().run(),

    /** Creates an approved withdrawal; returns its id. */
    async createWithdrawal(amount = 1000): Promise<string> {
      const { sellerId } = payouts;
      const sellers = createSellersService(store.db, new RecordCaches(store.database));
      const context = await sellers.getContext(sellerId);
      if (context === undefined) throw new Error('no seller');
      const { withdrawals } = payouts.startProcess();
      const result = await withdrawals.create({
        context,
        input: {
          amount,
          origin: 'PIX',
          destination: { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' },
          beneficiaryName: 'Ana',
          beneficiaryDocument: { type: 'CPF', number: '52998224725' },
          description: 'rent',
          metadata: null,
        },
        idempotencyKey: randomUUID(),
        bodyHash: Buffer.alloc(32),
        actor: GATEWAY_ACTOR,
        isVerified: true,
      });
      if (result.kind === 'refused') throw new Error(result.failure);
      const { id } = result.view;
      const approval = { kind: 'APPROVAL', userId: null, approvalsNeeded: 0 } as const;
      const approved = await withdrawals.applyEvent({ sellerId, id }, approval, { actor: 'GATEWAY' });
      expect(approved.kind).toBe('applied');
      return id;
    },

    /** Reports the payment of a withdrawal of R$ 10.00, net of the fee. */
    applyPayment(id: string, eventId: string) {
      const paidAt = clock.now();
      const event = {
        provider: payouts.bank.name,
        eventId,
        kind: 'PAYMENT',
        amount: 970,
        occurredAt: paidAt,
      };
      const { withdrawals } = payouts.startProcess();
      return withdrawals.applyProviderEvent(
        { sellerId: payouts.sellerId, id },
        { kind: 'PAYMENT', paidAt },
        event,
      );
    },

    async statusOf(id: string) {
      const { withdrawals } = payouts.startProcess();
      return (await withdrawals.find({ sellerId: payouts.sellerId, id }))?.status;
    },

    async rowOf(id: string) {
      const [row] = await store.query<{
        provider: string;
        attempts: number;
        submitted_at: Date | null;
        provider_reference: string | null;
      }>(
        `SELECT provider, attempts, submitted_at, provider_reference, lease_until FROM payouts
          WHERE withdrawal_id = $1`,
        [id],
      );
      return row;
    },

    /** Advances the clock of all processes. */
    advance: (seconds: number) => clock.advanceTo(clock.offsetMs + seconds * 1000),
  };

  beforeEach(async () => {
    payouts.bank = new FakePayoutProvider();
    payouts.others = [];
    payouts.paused.clear();
    payouts.sellerId = await writeSeller(store.db, clock.now());
    const { sellerId } = payouts;
    await store.query(
      `UPDATE fee_schedules SET pix_out_type = 'FIXED', pix_out_value = 30 WHERE seller_id = $1`,
      [sellerId],
    );
    const entry = {
      id: newId(clock.nowMs()),
      origin: 'PIX',
      debit: 'provider',
      credit: 'available',
    } as const;
    const entries = [{ ...entry, amount: 100_000, cause: 'RELEASE' as const }];
    const booking = { sellerId, recordId: randomUUID(), origin: 'PIX' as const, entries, at: clock.now() };
    await store.db.transaction().execute((transaction) => bookEntries(transaction, secrets, booking));
  });
  afterEach(async () => {
    // Each test starts without open payouts.
    await store.query(`UPDATE withdrawals SET status = 'REJECTED' WHERE status = 'APPROVED'`);
    await store.query('DELETE FROM payouts');
  });
  return payouts;
}
