import { SANDBOX_ONLY } from '#providers/choice.ts';
import { randomUUID } from 'node:crypto';

import type { Caller } from '#platform/http/author.ts';
import { sql } from 'kysely';

import type { Config } from '#app/config.ts';
import type { Database } from '#platform/database/connect.ts';
import { feeOn } from '#sellers/fees/service.ts';
import { walletOf, type Origin } from '#accounting/ledger/service.ts';
import type { Logger } from '#platform/kit/log.ts';
import { makeEndToEndId } from '#formats/pix/end-to-end-id.ts';
import type { SellerContext } from '#sellers/service.ts';
import { composeServices, type Services } from '#app/services.ts';
import type { ChargeResult, Payment } from '#payments/transactions/create.ts';
import type { Happening } from '#payments/transactions/decisions.ts';
import { makeCard } from '#payments/transactions/new-transaction.ts';
import type { Transaction, TransactionKey } from '#payments/transactions/service.ts';
import { createPayouts } from '#payouts/withdrawals/payouts.ts';
import { Chance } from './random.ts';
import { HistoryClock } from './clock.ts';
import { customerOf, demandAt, type Shop } from './demand.ts';

/**
 * A year that has been: charges and what became of them, told through the gateway's own services on a clock of the past. So
 * every state, fee, balance and entry is one that the gateway would have made, and it is written as fast as it writes: many
 * charges a statement.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 6 * HOUR_MS;
/** Ten in the morning in São Paulo, when the books are done. */
const DESK_HOUR_MS = 13 * HOUR_MS;
const PORTION = 500;
/** Nobody is answered by these requests, so nobody repeats them. */
const NO_BODY = Buffer.alloc(32);

export interface HistoryOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  /** What is told ends here, by the domain's clock. */
  readonly endMs: number;
  /** About how many charges. */
  readonly charges: number;
  readonly shops: readonly (Shop & { readonly sellerId: string })[];
  /** Who approves withdrawals. */
  readonly operator: Caller;
  readonly seed: number;
  readonly tell: (day: string, charges: number) => void;
}

interface Task {
  readonly ms: number;
  readonly work: () => Promise<unknown>;
  /** After all that was before it, and before all that comes after. */
  readonly alone: boolean;
}

/** Answers how many charges were made. */
export async function tellHistory(options: HistoryOptions): Promise<number> {
  const history = new History(options);
  const startMs = Math.floor((options.endMs - 365 * DAY_MS) / DAY_MS) * DAY_MS;
  let demand = 0;
  for (let ms = startMs; ms < options.endMs; ms += HOUR_MS) demand += demandAt(ms, options.endMs);
  const perDemand = options.charges / demand;
  for (let ms = startMs; ms < options.endMs; ms += STEP_MS) {
    const until = Math.min(ms + STEP_MS, options.endMs);
    if ((ms - startMs) % DAY_MS === 0) history.beginDay(ms);
    await history.step(ms, until, perDemand);
    if ((ms - startMs) % DAY_MS === DAY_MS - STEP_MS) await history.endDay(until);
    const days = (ms - startMs) / DAY_MS;
    // Plans that were made for empty tables are made anew.
    if ([1, 3, 10, 40, 150].includes(days)) await sql`ANALYZE`.execute(options.database.db);
    if (days % 30 === 0) options.tell(new Date(ms).toISOString().slice(0, 10), history.made);
  }
  return history.made;
}

class History {
  readonly #options: HistoryOptions;
  readonly #clock = new HistoryClock();
  readonly #services: Services;
  readonly #chance: Chance;
  /** What is still to come, by step. */
  readonly #later = new Map<number, Task[]>();
  made = 0;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#services = composeServices({
      config: options.config,
      database: options.database,
      clock: this.#clock,
      log: options.log,
      providers: SANDBOX_ONLY,
      onDeliveries: () => undefined,
    });
    this.#chance = new Chance(options.seed);
  }

  /** Makes the charges of that time, then lets happen what belongs to it. */
  async step(fromMs: number, untilMs: number, perDemand: number): Promise<void> {
    const charges: Promise<void>[] = [];
    for (const shop of this.#options.shops) {
      const context = await this.#services.sellers.contextOf(shop.sellerId);
      if (context === undefined) throw new Error('a shop of the history has no seller');
      for (let hour = fromMs; hour < untilMs; hour += HOUR_MS) {
        const count = this.#chance.times(demandAt(hour, this.#options.endMs) * perDemand * shop.share);
        for (let i = 0; i < count; i += 1) {
          const ms = hour + this.#chance.between(0, Math.min(HOUR_MS, untilMs - hour) - 1);
          charges.push(this.#charge(shop, context, ms));
        }
      }
    }
    await Promise.all(charges);
    const due = this.#later.get(stepOf(fromMs)) ?? [];
    this.#later.delete(stepOf(fromMs));
    await this.#play(due.sort((one, other) => one.ms - other.ms));
  }

  /** In the order of their times, as statements are read, and still many of them a statement. */
  async #play(tasks: readonly Task[]): Promise<void> {
    let together: Promise<unknown>[] = [];
    for (const { ms, work, alone } of tasks) {
      if (alone) {
        await Promise.all(together);
        together = [];
      }
      const done = this.#clock.at(ms, work);
      if (alone) await done;
      else together.push(done);
    }
    await Promise.all(together);
  }

  /** When sellers ask for their money, and when the operator's bank has paid it. */
  beginDay(startMs: number): void {
    const weekday = new Date(startMs).getUTCDay();
    if (weekday !== 1 && weekday !== 4) return;
    const deskMs = startMs + DESK_HOUR_MS;
    for (const shop of this.#options.shops) {
      const ms = deskMs + this.#chance.between(0, HOUR_MS);
      this.#then(ms, () => this.#withdraw(shop, ms), true);
    }
    this.#then(deskMs + 2 * HOUR_MS, () => this.#payOut(), true);
  }

  /** What workers do, here once a day. */
  async endDay(untilMs: number): Promise<void> {
    const { transactions, disputes, followUps } = this.#services;
    await this.#clock.at(untilMs, async () => {
      while ((await transactions.releaseDue(PORTION)) === PORTION);
      while ((await transactions.expireDue(PORTION, followUps.expire)) === PORTION);
      await disputes.closeUnappealed(PORTION);
    });
  }

  /** At its time; never if that belongs to the future. */
  #then(ms: number, work: () => Promise<unknown>, alone = false): void {
    if (ms > this.#options.endMs) return;
    const tasks = this.#later.get(stepOf(ms)) ?? [];
    tasks.push({ ms, work, alone });
    this.#later.set(stepOf(ms), tasks);
  }

  async #charge(shop: Shop, context: SellerContext, ms: number): Promise<void> {
    // A chance of its own, so that the same seed tells the same whatever is waited for meanwhile.
    const chance = new Chance(this.#chance.between(0, 2 ** 31 - 1));
    const [title, price] = chance.pick(shop.goods);
    const quantity = chance.of(0.8) ? 1 : chance.between(2, 3);
    this.made += 1;
    const wanted = {
      amount: price * quantity,
      customer: customerOf(chance),
      items: [{ title, amount: price, quantity, tangible: shop.tangible, externalRef: null }],
      description: null,
      metadata: { orderId: String(100_000 + this.made), channel: chance.pick(['site', 'app', 'instagram']) },
      postbackUrl: null,
    };
    const kind = chance.next();
    const story = { chance, context, wanted, ms };
    if (kind < shop.pix) return this.#pix(story);
    if (kind < shop.pix + shop.boleto) return this.#boleto(story);
    return this.#card(story);
  }

  async #pix({ chance, context, wanted, ms }: Story): Promise<void> {
    const made = await this.#make(context, wanted, { method: 'PIX', expirationSeconds: 3_600 }, ms);
    const fate = chance.next();
    const later = ms + chance.between(12, 900) * 1000;
    if (fate < 0.86) return this.#paid(chance, made, later);
    if (fate < 0.88) return this.#happens(made, later, { kind: 'FAILURE', reason: 'failed at the provider' });
    return this.#happens(made, ms + HOUR_MS + 1000, { kind: 'EXPIRY' });
  }

  async #boleto({ chance, context, wanted, ms }: Story): Promise<void> {
    const payment = { method: 'BOLETO', expirationSeconds: (3 * DAY_MS) / 1000 } as const;
    const made = await this.#make(context, wanted, payment, ms);
    if (chance.of(0.64)) return this.#paid(chance, made, ms + chance.between(2 * 3600, 70 * 3600) * 1000);
    return this.#happens(made, (made.expiresAt?.getTime() ?? ms) + 1000, { kind: 'EXPIRY' });
  }

  async #card({ chance, context: { seller, fees }, wanted, ms }: Story): Promise<void> {
    const installments = chance.of(0.55) ? 1 : chance.between(2, 6);
    const value = fees.creditCard.values[installments - 1] ?? 0;
    const feeRule = { type: fees.creditCard.type, value };
    const feeAmount = feeOn(wanted.amount, feeRule) ?? 0;
    const card = {
      brand: chance.pick(['VISA', 'MASTERCARD', 'ELO', 'HIPERCARD', 'AMEX']),
      lastFour: chance.digits(4),
    };
    const made = makeCard({ seller, wanted, feeAmount, nowMs: ms }, card, installments, feeRule);
    const create = () => this.#services.transactions.create(made, randomUUID(), NO_BODY);
    const transaction = madeBy(await this.#clock.at(ms, create));
    const decided = ms + 1500;
    const fate = chance.next();
    if (fate < 0.87) return this.#paid(chance, transaction, decided);
    if (fate < 0.97) {
      const reason = chance.pick(['declined', 'insufficient funds', 'expired card']);
      return this.#happens(transaction, decided, { kind: 'FAILURE', reason });
    }
    return this.#happens(transaction, decided, { kind: 'REFUSAL', reason: 'refused by anti-fraud review' });
  }

  async #make(context: SellerContext, wanted: Wanted, payment: Payment, ms: number): Promise<Transaction> {
    const charge = { context, wanted, payment, idempotencyKey: randomUUID(), bodyHash: NO_BODY };
    return madeBy(await this.#clock.at(ms, () => this.#services.charge(charge)));
  }

  /** The provider reports it; sometimes that is not the end of it. */
  #paid(chance: Chance, transaction: Transaction, ms: number): void {
    const { method, amount } = transaction;
    const fate = chance.next();
    const days = chance.between(1, 25);
    const paidAt = new Date(ms);
    this.#happens(transaction, ms, { kind: 'PAYMENT', amount, paidAt });
    const later = ms + days * DAY_MS;
    if (fate < 0.02)
      return this.#then(
        later,
        () => this.#refund(chance, transaction, chance.of(0.4) ? Math.ceil(amount / 3) : null),
        true,
      );
    if (fate < 0.023) return this.#then(later, () => this.#dispute(chance, transaction, later), true);
    if (fate < 0.026 && method === 'CREDIT_CARD')
      return this.#happens(transaction, later, { kind: 'CHARGEBACK' });
  }

  /** Through the door for reports where a provider tells it, and by the gateway's own doing otherwise. */
  #happens(transaction: Transaction, ms: number, happening: Happening): void {
    const key: TransactionKey = { sellerId: transaction.sellerId, id: transaction.id };
    this.#then(ms, () => {
      if (happening.kind === 'EXPIRY') return this.#services.transactions.happen(key, happening, 'WORKER');
      const reportId =
        happening.kind === 'PAYMENT' && transaction.method !== 'CREDIT_CARD'
          ? makeEndToEndId('99999999', new Date(ms))
          : `${happening.kind.toLowerCase()} ${transaction.id}`;
      const { sellerId, id: transactionId } = transaction;
      return this.#services.report({
        provider: 'sandbox',
        reportId,
        sellerId,
        transactionId,
        happening,
        occurredAt: new Date(ms),
      });
    });
  }

  #refund(chance: Chance, { sellerId, id }: Transaction, amount: number | null): Promise<unknown> {
    const reason = chance.pick(['customer returned it', 'out of stock', 'bought twice']);
    const request = {
      key: { sellerId, id },
      amount,
      reason,
      idempotencyKey: randomUUID(),
      bodyHash: NO_BODY,
    };
    // Refused where the balance does not suffice, as it would have been.
    return this.#services.refunds.refund(
      request,
      () => ({}),
      (kept): kept is object => typeof kept === 'object',
    );
  }

  async #dispute(chance: Chance, { sellerId, id }: Transaction, ms: number): Promise<void> {
    const { disputes } = this.#services;
    const reason = this.#chance.pick([
      'product not received',
      'not as described',
      'payer does not know the sale',
    ]);
    const opened = await disputes.open({ sellerId, id }, { reason, amount: null, by: 'PAYER' });
    if (opened.kind !== 'opened' || !chance.of(0.65)) return;
    const key = { sellerId, id: opened.dispute.id };
    const appealedMs = ms + chance.between(1, 5) * DAY_MS;
    const outcome = chance.of(0.6) ? 'RESOLVED' : 'REJECTED';
    this.#then(appealedMs, () => disputes.appeal(key, 'Delivered and signed for; the receipt is attached.'));
    this.#then(appealedMs + chance.between(4, 12) * DAY_MS, () =>
      disputes.resolveById(key.id, outcome, this.#options.operator),
    );
  }

  async #withdraw(shop: Shop & { readonly sellerId: string }, ms: number): Promise<void> {
    const { sellers, withdrawals } = this.#services;
    const context = await sellers.contextOf(shop.sellerId);
    const { byOrigin } = await walletOf(this.#options.database.db, shop.sellerId);
    if (context === undefined) return;
    for (const origin of ['PIX', 'BOLETO', 'CARD'] as const satisfies readonly Origin[]) {
      const available = byOrigin[origin].availableBalance;
      const amount = Math.floor((available * this.#chance.between(55, 90)) / 100);
      const fate = this.#chance.next();
      if (amount < 20_000) continue;
      const wanted = {
        origin,
        amount,
        destination: { method: 'PIX' as const, pixKeyType: shop.documentType, pixKey: shop.document },
        beneficiaryName: shop.name,
        beneficiaryDocument: { type: shop.documentType, number: shop.document },
        description: 'Repasse',
        metadata: null,
      };
      const made = await withdrawals.create(context, wanted, randomUUID(), NO_BODY);
      if (made.kind !== 'created') continue;
      // What is asked for in the last days still waits for the operator.
      if (amount <= shop.autoApproveUpTo || this.#options.endMs - ms < 3 * DAY_MS) continue;
      if (fate < 0.03)
        await withdrawals.reject(made.view.id, this.#options.operator, 'holder could not be verified');
      else await withdrawals.approve(made.view.id, this.#options.operator);
    }
  }

  /** Hands over what is approved, and lets the bank say what became of it. */
  async #payOut(): Promise<void> {
    const { database, log } = this.#options;
    const { db } = database;
    const { withdrawals, payouts: providers } = this.#services;
    const payouts = createPayouts({ db, clock: this.#clock, withdrawals, providers, log });
    while (await payouts.run());
    const filter = { statuses: ['PROCESSING' as const], sellerId: undefined };
    const { found } = await withdrawals.listOfAllSellers(filter, {
      take: PORTION,
      skip: 0,
      after: undefined,
    });
    const now = this.#clock.now();
    for (const withdrawal of found) {
      const failed = this.#chance.of(0.03);
      const happening = failed
        ? ({ kind: 'FAILURE', reason: 'the payee’s bank refused it' } as const)
        : ({ kind: 'PAYMENT', paidAt: now } as const);
      await withdrawals.report(withdrawal, happening, {
        provider: 'sandbox',
        reportId: `payout ${withdrawal.id}`,
        kind: happening.kind,
        amount: withdrawal.amount - withdrawal.feeAmount,
        occurredAt: now,
      });
    }
  }
}

const stepOf = (ms: number): number => Math.floor(ms / STEP_MS);

type Wanted = Parameters<typeof makeCard>[0]['wanted'];

/** One charge to be. */
interface Story {
  readonly chance: Chance;
  readonly context: SellerContext;
  readonly wanted: Wanted;
  readonly ms: number;
}

function madeBy(result: ChargeResult): Transaction {
  if (result.kind !== 'created') throw new Error('a charge of the history was refused');
  return result.transaction;
}
