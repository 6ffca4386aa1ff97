import { randomUUID } from 'node:crypto';

import { GATEWAY_ACTOR, type Caller } from '#platform/http/audit-actor.ts';
import { sql } from 'kysely';

import { calculateFee } from '#sellers/fees/schedule.ts';
import { getWallet, type Origin } from '#accounting/ledger/service.ts';
import { generateEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { SellerContext } from '#sellers/service.ts';
import type { Runtime } from '#app/runtime.ts';
import { composeOfflineServices, type Services } from '#app/services.ts';
import type { CreateTransactionResult, Payment } from '#payments/transactions/transaction-creator.ts';
import type { TransactionEvent } from '#payments/transactions/decisions.ts';
import { buildCardTransaction } from '#payments/transactions/new-transaction.ts';
import type { Transaction, TransactionKey } from '#payments/transactions/service.ts';
import { createPayoutExecution } from '#payouts/withdrawals/payout-execution.ts';
import { SeededRandom } from './seeded-random.ts';
import { HistoryClock } from './history-clock.ts';
import { randomCustomer, demandAt, type Shop } from './demand.ts';

/**
 * A past year of transactions, created by the gateway's own services with a clock in the past. So
 * every state, fee, balance and entry is one that the gateway would create. Written in batches of
 * many transactions per statement.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 6 * HOUR_MS;
/** Ten in the morning in São Paulo, when daily tasks run. */
const DESK_HOUR_MS = 13 * HOUR_MS;
const CHUNK_SIZE = 500;
/** Nobody receives these responses, so no idempotent response is stored. */
const EMPTY_BODY_HASH = Buffer.alloc(32);

export interface HistoryOptions extends Omit<Runtime, 'clock'> {
  /** The end of the history, by the domain clock. */
  readonly endMs: number;
  /** Approximate number of transactions. */
  readonly charges: number;
  readonly shops: readonly (Shop & { readonly sellerId: string })[];
  /** The user who approves withdrawals. */
  readonly operator: Caller;
  readonly seed: number;
  readonly onProgress: (day: string, charges: number) => void;
}

interface Task {
  readonly ms: number;
  readonly work: () => Promise<unknown>;
  /** Runs after everything earlier and before everything later. */
  readonly exclusive: boolean;
}

/** Returns the number of transactions created. */
export async function writeHistory(options: HistoryOptions): Promise<number> {
  const history = new History(options);
  const startMs = Math.floor((options.endMs - 365 * DAY_MS) / DAY_MS) * DAY_MS;
  let demand = 0;
  for (let ms = startMs; ms < options.endMs; ms += HOUR_MS) demand += demandAt(ms, options.endMs);
  const perDemand = options.charges / demand;
  for (let ms = startMs; ms < options.endMs; ms += STEP_MS) {
    const until = Math.min(ms + STEP_MS, options.endMs);
    if ((ms - startMs) % DAY_MS === 0) history.beginDay(ms);
    await history.step(ms, until, perDemand);
    // The gateway's workers finish the last day.
    const isDayEnd = (ms + STEP_MS - startMs) % DAY_MS === 0 && ms + STEP_MS < options.endMs;
    if (isDayEnd) await history.endDay(until);
    const days = (ms - startMs) / DAY_MS;
    // Discards statement plans that were made for empty tables.
    if ([1, 3, 10, 40, 150].includes(days)) await sql`ANALYZE`.execute(options.database.db);
    if (days % 30 === 0) options.onProgress(new Date(ms).toISOString().slice(0, 10), history.createdCount);
  }
  return history.createdCount;
}

class History {
  readonly #options: HistoryOptions;
  readonly #clock = new HistoryClock();
  readonly #services: Services;
  readonly #random: SeededRandom;
  /** Future work, by step. */
  readonly #scheduled = new Map<number, Task[]>();
  /** Parts of sales that are left from rounding. */
  readonly #unrounded = new Map<Shop, number>();
  #paymentCount = 0;
  createdCount = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#services = composeOfflineServices({ ...options, clock: this.#clock });
    this.#random = new SeededRandom(options.seed);
  }

  /** Creates the transactions of a step, then runs its due work. */
  async step(fromMs: number, untilMs: number, perDemand: number): Promise<void> {
    const charges: Promise<void>[] = [];
    for (const shop of this.#options.shops) {
      const context = await this.#services.sellers.getContext(shop.sellerId);
      if (context === undefined) throw new Error('a shop of the history has no seller');
      for (let hour = fromMs; hour < untilMs; hour += HOUR_MS) {
        const count = this.#countSales(shop, demandAt(hour, this.#options.endMs) * perDemand * shop.share);
        for (let i = 0; i < count; i += 1) {
          const ms = hour + this.#random.integerBetween(0, Math.min(HOUR_MS, untilMs - hour) - 1);
          charges.push(this.#simulateSale(shop, context, ms));
        }
      }
    }
    await Promise.all(charges);
    const due = this.#scheduled.get(stepOf(fromMs)) ?? [];
    this.#scheduled.delete(stepOf(fromMs));
    await this.#runTasks(due.sort((one, other) => one.ms - other.ms));
  }

  /**
   * Rounds the sales of an hour. What is rounded off counts in the next hours, so that totals are
   * exact.
   */
  #countSales(shop: Shop, expected: number): number {
    const total = (this.#unrounded.get(shop) ?? this.#random.next()) + expected;
    this.#unrounded.set(shop, total % 1);
    return Math.floor(total);
  }

  /** In the order of their times, as statements require, but many per SQL statement. */
  async #runTasks(tasks: readonly Task[]): Promise<void> {
    let concurrent: Promise<unknown>[] = [];
    for (const { ms, work, exclusive } of tasks) {
      if (exclusive) {
        await Promise.all(concurrent);
        concurrent = [];
      }
      const done = this.#clock.at(ms, work);
      if (exclusive) await done;
      else concurrent.push(done);
    }
    await Promise.all(concurrent);
  }

  /** Creates withdrawals of sellers, and their payouts by the operator's bank. */
  beginDay(startMs: number): void {
    const weekday = new Date(startMs).getUTCDay();
    if (weekday !== 1 && weekday !== 4) return;
    const deskMs = startMs + DESK_HOUR_MS;
    for (const shop of this.#options.shops) {
      const ms = deskMs + this.#random.integerBetween(0, HOUR_MS);
      this.#schedule(ms, () => this.#withdraw(shop, ms), true);
    }
    this.#schedule(deskMs + 2 * HOUR_MS, () => this.#payOut(), true);
  }

  /** The jobs of workers, here once a day. */
  async endDay(untilMs: number): Promise<void> {
    const { transactions, disputes, providerOperations } = this.#services;
    await this.#clock.at(untilMs, async () => {
      while ((await transactions.releaseDue(CHUNK_SIZE)) === CHUNK_SIZE);
      while ((await transactions.expireDue(CHUNK_SIZE, providerOperations.expire)) === CHUNK_SIZE);
      await disputes.closeUnappealed(CHUNK_SIZE);
    });
  }

  /** Schedules work at its time; skipped if that is in the future. */
  #schedule(ms: number, work: () => Promise<unknown>, exclusive = false): void {
    if (ms > this.#options.endMs) return;
    const tasks = this.#scheduled.get(stepOf(ms)) ?? [];
    tasks.push({ ms, work, exclusive });
    this.#scheduled.set(stepOf(ms), tasks);
  }

  async #simulateSale(shop: Shop, context: SellerContext, ms: number): Promise<void> {
    // A separate random sequence, so that the same seed gives the same history whatever else runs
    // meanwhile.
    const random = new SeededRandom(this.#random.integerBetween(0, 2 ** 31 - 1));
    const [title, price] = random.pick(shop.goods);
    const quantity = random.isTrueWithProbability(0.8) ? 1 : random.integerBetween(2, 3);
    this.createdCount += 1;
    const orderId = String(100_000 + this.createdCount);
    const input = {
      amount: price * quantity,
      customer: randomCustomer(random),
      items: [{ title, amount: price, quantity, tangible: shop.tangible, externalRef: null }],
      description: quantity === 1 ? title : `${quantity} × ${title}`,
      metadata: {
        orderId,
        channel: random.pick(['site', 'app', 'instagram']),
      },
      postbackUrl: null,
      externalRef: orderId,
      customerId: null,
      paymentLinkId: null,
    };
    const methodRoll = random.next();
    const sale = { random, context, input, ms };
    if (methodRoll < shop.pix) return this.#pix(sale);
    if (methodRoll < shop.pix + shop.boleto) return this.#boleto(sale);
    return this.#card(sale);
  }

  async #pix({ random, context, input, ms }: Sale): Promise<void> {
    const created = await this.#createTransaction(
      context,
      input,
      { method: 'PIX', expirationSeconds: 3_600 },
      ms,
    );
    const roll = random.next();
    const later = ms + random.integerBetween(12, 900) * 1000;
    if (roll < 0.86) return this.#schedulePayment(random, created, later);
    if (roll < 0.88)
      return this.#scheduleEvent(created, later, { kind: 'FAILURE', reason: 'failed at the provider' });
    return this.#scheduleEvent(created, ms + HOUR_MS + 1000, { kind: 'EXPIRY' });
  }

  async #boleto({ random, context, input, ms }: Sale): Promise<void> {
    const payment = { method: 'BOLETO', expirationSeconds: (3 * DAY_MS) / 1000 } as const;
    const created = await this.#createTransaction(context, input, payment, ms);
    if (random.isTrueWithProbability(0.64))
      return this.#schedulePayment(random, created, ms + random.integerBetween(2 * 3600, 70 * 3600) * 1000);
    return this.#scheduleEvent(created, (created.expiresAt?.getTime() ?? ms) + 1000, { kind: 'EXPIRY' });
  }

  async #card({ random, context: { seller, fees }, input, ms }: Sale): Promise<void> {
    const installments = random.isTrueWithProbability(0.55) ? 1 : random.integerBetween(2, 6);
    const value = fees.creditCard.values[installments - 1] ?? 0;
    const feeRule = { type: fees.creditCard.type, value };
    const feeAmount = calculateFee(input.amount, feeRule) ?? 0;
    const card = {
      brand: random.pick(['VISA', 'MASTERCARD', 'ELO', 'HIPERCARD', 'AMEX']),
      lastFour: random.digits(4),
    };
    const newTransaction = buildCardTransaction(
      { seller, request: input, feeAmount, feeRule, publicUrl: this.#options.config.publicUrl, nowMs: ms },
      card,
      installments,
    );
    const create = () =>
      this.#services.transactions.create({
        transaction: newTransaction,
        idempotencyKey: randomUUID(),
        bodyHash: EMPTY_BODY_HASH,
      });
    const transaction = createdTransaction(await this.#clock.at(ms, create));
    const decided = ms + 1500;
    const roll = random.next();
    if (roll < 0.87) return this.#schedulePayment(random, transaction, decided);
    if (roll < 0.97) {
      const reason = random.pick(['declined', 'insufficient funds', 'expired card'] as const);
      return this.#scheduleEvent(transaction, decided, { kind: 'FAILURE', reason });
    }
    return this.#scheduleEvent(transaction, decided, { kind: 'REFUSAL', reason: 'suspected fraud' });
  }

  async #createTransaction(
    context: SellerContext,
    input: TransactionInput,
    payment: Payment,
    ms: number,
  ): Promise<Transaction> {
    const request = {
      context,
      request: input,
      payment,
      idempotencyKey: randomUUID(),
      bodyHash: EMPTY_BODY_HASH,
      actor: GATEWAY_ACTOR,
    };
    return createdTransaction(await this.#clock.at(ms, () => this.#services.createTransaction(request)));
  }

  /** The provider reports the payment, which may be followed by a refund or dispute. */
  #schedulePayment(random: SeededRandom, transaction: Transaction, ms: number): void {
    const { method, amount } = transaction;
    // Multiples of the golden ratio spread evenly, so that a short history has rare outcomes too.
    const roll = (this.#paymentCount * 0.618_034) % 1;
    this.#paymentCount += 1;
    const days = random.integerBetween(1, 25);
    const paidAt = new Date(ms);
    this.#scheduleEvent(transaction, ms, { kind: 'PAYMENT', amount, paidAt });
    const later = ms + days * DAY_MS;
    if (roll < 0.02)
      return this.#schedule(
        later,
        () =>
          this.#refund(random, transaction, random.isTrueWithProbability(0.4) ? Math.ceil(amount / 3) : null),
        true,
      );
    if (roll < 0.024) return this.#schedule(later, () => this.#dispute(random, transaction, later), true);
    if (roll < 0.027 && method === 'CREDIT_CARD')
      return this.#scheduleEvent(transaction, later, { kind: 'CHARGEBACK' });
  }

  /** Through provider events where a provider reports it, else by the gateway itself. */
  #scheduleEvent(transaction: Transaction, ms: number, event: TransactionEvent): void {
    const key: TransactionKey = { sellerId: transaction.sellerId, id: transaction.id };
    this.#schedule(ms, () => {
      if (event.kind === 'EXPIRY')
        return this.#services.transactions.applyEvent(key, event, { actor: 'WORKER' });
      const eventId =
        event.kind === 'PAYMENT' && transaction.method !== 'CREDIT_CARD'
          ? generateEndToEndId('99999999', new Date(ms))
          : `${event.kind.toLowerCase()} ${transaction.id}`;
      const { sellerId, id: transactionId } = transaction;
      return this.#services.providerEvents.handle({
        provider: 'sandbox',
        eventId,
        sellerId,
        transactionId,
        event,
        occurredAt: new Date(ms),
      });
    });
  }

  #refund(random: SeededRandom, { sellerId, id }: Transaction, amount: number | null): Promise<unknown> {
    const reason = random.pick(['returned by the customer', 'out of stock', 'duplicate purchase']);
    const request = {
      key: { sellerId, id },
      amount,
      reason,
      idempotencyKey: randomUUID(),
      bodyHash: EMPTY_BODY_HASH,
      actor: GATEWAY_ACTOR,
    };
    // Rejected if the balance is insufficient, as in production.
    return this.#services.refunds.refund(request);
  }

  async #dispute(random: SeededRandom, { sellerId, id }: Transaction, ms: number): Promise<void> {
    const { disputes } = this.#services;
    const reason = this.#random.pick([
      'product not received',
      'not as described',
      'payer does not recognize the purchase',
    ]);
    const opened = await disputes.open({ sellerId, id }, { reason, amount: null, by: 'PAYER' });
    if (opened.kind !== 'opened' || !random.isTrueWithProbability(0.65)) return;
    const key = { sellerId, id: opened.dispute.id };
    const appealedMs = ms + random.integerBetween(1, 5) * DAY_MS;
    const outcome = random.isTrueWithProbability(0.6) ? 'RESOLVED' : 'REJECTED';
    this.#schedule(appealedMs, () =>
      disputes.appeal(key, 'Entregue e assinado pelo recebedor; comprovante em anexo.', GATEWAY_ACTOR),
    );
    this.#schedule(appealedMs + random.integerBetween(4, 12) * DAY_MS, () =>
      disputes.resolveById(key.id, outcome, this.#options.operator),
    );
  }

  async #withdraw(shop: Shop & { readonly sellerId: string }, ms: number): Promise<void> {
    const { sellers, withdrawals } = this.#services;
    const context = await sellers.getContext(shop.sellerId);
    const { byOrigin } = await getWallet(this.#options.database.db, shop.sellerId);
    if (context === undefined) return;
    for (const origin of ['PIX', 'BOLETO', 'CARD'] as const satisfies readonly Origin[]) {
      const available = byOrigin[origin].availableBalance;
      const amount = Math.floor((available * this.#random.integerBetween(55, 90)) / 100);
      const roll = this.#random.next();
      if (amount < 20_000) continue;
      const input = {
        origin,
        amount,
        destination: { method: 'PIX' as const, pixKeyType: shop.documentType, pixKey: shop.document },
        beneficiaryName: shop.name,
        beneficiaryDocument: { type: shop.documentType, number: shop.document },
        description: 'Repasse',
        metadata: null,
      };
      const created = await withdrawals.create({
        context,
        input,
        idempotencyKey: randomUUID(),
        bodyHash: EMPTY_BODY_HASH,
        actor: GATEWAY_ACTOR,
        isVerified: true,
      });
      if (created.kind !== 'created') continue;
      // Withdrawals of the last days still wait for the operator.
      if (this.#options.endMs - ms < 3 * DAY_MS) continue;
      const { id } = created.view;
      const current = await withdrawals.find({ sellerId: shop.sellerId, id });
      if (current?.status !== 'PENDING') continue;
      if (roll < 0.03) await withdrawals.reject(id, this.#options.operator, 'Dados divergentes');
      else await withdrawals.approve(id, this.#options.operator);
    }
  }

  /** Submits approved withdrawals, and lets the bank report their outcome. */
  async #payOut(): Promise<void> {
    const { database, log } = this.#options;
    const { db } = database;
    const { withdrawals, payoutProviders: providers, routing } = this.#services;
    const payWithdrawals = createPayoutExecution({
      db,
      clock: this.#clock,
      withdrawals,
      providers,
      routing,
      log,
      leaseHolder: { id: randomUUID(), track: () => undefined },
    });
    while (await payWithdrawals());
    const filter = { statuses: ['PROCESSING' as const], sellerId: undefined };
    const { items } = await withdrawals.listForOperator(filter, {
      take: CHUNK_SIZE,
      skip: 0,
      after: undefined,
    });
    const now = this.#clock.now();
    for (const withdrawal of items) {
      const failed = this.#random.isTrueWithProbability(0.03);
      const event = failed
        ? ({ kind: 'FAILURE', reason: 'the payee’s bank refused it' } as const)
        : ({ kind: 'PAYMENT', paidAt: now } as const);
      await withdrawals.applyProviderEvent(withdrawal, event, {
        provider: 'sandbox',
        eventId: `payout ${withdrawal.id}`,
        kind: event.kind,
        amount: withdrawal.amount - withdrawal.feeAmount,
        occurredAt: now,
      });
    }
  }
}

const stepOf = (ms: number): number => Math.floor(ms / STEP_MS);

type TransactionInput = Parameters<typeof buildCardTransaction>[0]['request'];

/** A transaction to create. */
interface Sale {
  readonly random: SeededRandom;
  readonly context: SellerContext;
  readonly input: TransactionInput;
  readonly ms: number;
}

function createdTransaction(result: CreateTransactionResult): Transaction {
  if (result.kind !== 'created') throw new Error('a charge of the history was refused');
  return result.transaction;
}
