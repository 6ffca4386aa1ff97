import { randomUUID } from 'node:crypto';

import type { Demo } from '#app/demo.ts';
import { createClient, goodCharge, type ApiResponse } from '#test/support/client.ts';
import { sleep } from '#test/support/process.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { compareMoney, compareRecords } from './comparisons.ts';
import { compareEvents } from './event-comparison.ts';
import {
  TIMEOUT_MS,
  type Asked,
  type Charge,
  type Keyed,
  type Seller,
  type SellerRecords,
  type Withdrawal,
} from './records.ts';

export interface CheckerOptions {
  readonly demo: Demo;
  readonly sellers: number;
  /** The receiver of all events. Without one, the first seller's webhook has no server. */
  readonly receiver?: Receiver | undefined;
}

const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
  cvv: '737',
};
/** A month, because the sandbox clock may be advanced while deliveries are pending. */
const EXPIRATION_SECONDS = 30 * 86_400;
const AT_ONCE = 8;
const PREPARE_RETRIES = 10;

/**
 * A client of the gateway over plain HTTP that records what it requested and what was acknowledged.
 * Finally it repeats every request without a response and compares: nothing acknowledged is lost or
 * duplicated, a key always returns the same response, the amounts are correct, and every change was
 * sent.
 */
export class Checker {
  /** Responses that no fault explains. */
  readonly wrong: string[] = [];
  /** The number of responses with 503. */
  unavailable = 0;
  /** Those of a load balancer in front of the gateways, which sends Retry-After: 2. */
  unavailableAtBalancer = 0;
  /** The number of requests without a response. */
  cutOff = 0;
  /** The cause of the last of them. */
  lastCutOff: unknown;
  slowestMs = 0;
  readonly charges: Charge[] = [];
  readonly withdrawals: Withdrawal[] = [];
  readonly sellers: Seller[] = [];
  readonly #demo: Demo;
  readonly #receiver: Receiver | undefined;
  /** Of the operator. Each sign-in hashes the password. */
  #token: string | undefined;

  private constructor({ demo, receiver }: CheckerOptions) {
    this.#demo = demo;
    this.#receiver = receiver;
  }

  /** All sellers are new, so that a repeated test compares its own records only. */
  static async prepare(options: CheckerOptions): Promise<Checker> {
    const checker = new Checker(options);
    const { demo, sellers: count, receiver } = options;
    for (let made = 0; made < count; made += 1) {
      const known = await checker.#newSeller(made);
      const client = createClient(demo.baseUrl, known.key);
      const limits = {
        requestsPerMinute: 10_000_000,
        creationsPerMinute: 10_000_000,
        autoApproveUpTo: 9_999_999_999,
      };
      await checker.#operate('PATCH', `/admin/sellers/${known.id}`, limits);
      const listens = receiver !== undefined || made === 0;
      if (listens) {
        const url = receiver?.url ?? 'https://localhost:65535/hook';
        const registered = await client.post('/webhooks', { url, eventType: 'ALL' });
        if (registered.status !== 201) throw new Error(`no webhook was registered: ${registered.text}`);
      }
      const seller = { id: known.id, client, listens };
      checker.sellers.push(seller);
      await checker.#approveFirst(seller);
    }
    return checker;
  }

  /** Only destinations that were approved manually before are approved automatically. */
  async #approveFirst(seller: Seller): Promise<void> {
    const charge = this.newCharge(seller, 'PIX', 10_000, 0);
    await this.create(charge);
    await this.pay(charge);
    const withdrawal = this.newWithdrawal(seller, 1_000);
    await this.withdraw(withdrawal);
    const approved = await this.#operate('POST', `/admin/withdrawals/${withdrawal.created?.id}/approve`);
    if (approved.status !== 200) throw new Error(`no withdrawal was approved: ${approved.text}`);
  }

  async #newSeller(n: number): Promise<{ readonly id: string; readonly key: string }> {
    const name = `Loja ${n}`;
    const document = { documentType: 'CNPJ', document: '11222333000181' };
    const create = () => {
      const owner = {
        ownerName: name,
        ownerEmail: `${randomUUID()}@example.com`,
        ownerPassword: randomUUID(),
      };
      return this.#operate('POST', '/admin/sellers', { name, ...document, ...owner });
    };
    let made = await create();
    // A busy machine may find its database unavailable for a moment while the servers start.
    for (let retry = 0; made.status !== 201 && retry < PREPARE_RETRIES; retry += 1) {
      await sleep(1_000);
      made = await create();
    }
    if (made.status !== 201) throw new Error(`no seller was made: ${made.text}`);
    const { id } = made.body.data;
    const given = await this.#operate('POST', `/admin/sellers/${id}/api-keys`, { name: 'load' });
    return { id, key: given.body.data.key };
  }

  async #operate(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const { baseUrl, admin } = this.#demo;
    const operator = createClient(baseUrl, '');
    if (this.#token !== undefined) {
      const response = await operator.call(method, path, body, { token: this.#token });
      // The token has expired, because the clock was advanced.
      if (response.status !== 401) return response;
    }
    const signedIn = await operator.post('/login', admin, { credential: 'none' });
    this.#token = String(signedIn.body.accessToken);
    return operator.call(method, path, body, { token: this.#token });
  }

  newCharge(seller: Seller, method: Charge['method'], amount: number, refunded: number): Charge {
    const items = [{ title: 'Caneca', amount, quantity: 1, tangible: true }];
    const card = { method, installments: 1, capture: false, card: CARD };
    const body =
      method === 'PIX'
        ? goodCharge({ amount, items, expiration: EXPIRATION_SECONDS })
        : goodCharge({ amount, items, ...card });
    const refund = { key: randomUUID(), asked: 'no' as Asked, text: undefined, amount: refunded };
    const charge: Charge = {
      seller,
      method,
      body,
      refund,
      key: randomUUID(),
      created: undefined,
      paid: 'no',
      tries: 0,
    };
    this.charges.push(charge);
    return charge;
  }

  newWithdrawal(seller: Seller, amount: number): Withdrawal {
    const key = randomUUID();
    const withdrawal: Withdrawal = {
      seller,
      amount,
      key,
      asked: 'no',
      text: undefined,
      created: undefined,
      paid: 'no',
      tries: 0,
    };
    this.withdrawals.push(withdrawal);
    return withdrawal;
  }

  async create(charge: Charge): Promise<void> {
    const known = charge.created;
    const response = await this.#ask(() =>
      charge.seller.client.post('/transactions', charge.body, { idempotencyKey: charge.key }),
    );
    if (response === undefined) return;
    if (response.status !== 201) {
      this.wrong.push(`a creation was answered ${response.status} ${response.text}`);
      return;
    }
    const { id, netAmount: net, feeAmount: fee } = response.body.data;
    charge.created ??= { id, net, fee, text: response.text };
    this.#compareRepeat(`charge ${id}`, charge.created.text, known !== undefined, response);
  }

  /** Pays a Pix charge, or captures a card payment. */
  async pay(charge: Charge): Promise<void> {
    const { created, seller, method } = charge;
    charge.tries += 1;
    charge.paid = 'asked';
    const path =
      method === 'PIX' ? `/sandbox/transactions/${created?.id}/pay` : `/transactions/${created?.id}/capture`;
    const response = await this.#ask(() => seller.client.post(path));
    if (response === undefined) return;
    // An earlier request without a response may have been executed.
    const already = charge.tries > 1 && response.text.includes('cannot go from PAID to PAID');
    if ((response.status === 200 && response.body.data.status === 'PAID') || already) charge.paid = 'done';
    else this.wrong.push(`a payment was answered ${response.status} ${response.text}`);
  }

  async refund(charge: Charge): Promise<void> {
    const { created, seller, refund } = charge;
    const path = `/transactions/${created?.id}/refund`;
    await this.#requestWithKey(refund, `refund of ${created?.id}`, 200, () =>
      seller.client.post(path, { amount: refund.amount }, { idempotencyKey: refund.key }),
    );
  }

  async withdraw(withdrawal: Withdrawal): Promise<void> {
    const { seller, amount, key } = withdrawal;
    const body = { amount, method: 'PIX', pixKey: 'ana@example.com', pixKeyType: 'EMAIL' };
    const response = await this.#requestWithKey(withdrawal, 'withdrawal', 201, () =>
      seller.client.post('/withdrawals', body, { idempotencyKey: key }),
    );
    if (response !== undefined) withdrawal.created ??= { id: response.body.data.id };
  }

  /** Reports a withdrawal as paid; does nothing if it was not submitted to the provider yet. */
  async payOut(withdrawal: Withdrawal): Promise<void> {
    const { seller, created } = withdrawal;
    withdrawal.tries += 1;
    const before = withdrawal.paid;
    withdrawal.paid = 'asked';
    const response = await this.#ask(() => seller.client.post(`/sandbox/withdrawals/${created?.id}/pay`));
    if (response === undefined) return;
    const already = withdrawal.tries > 1 && response.text.includes('cannot go from PAID to PAID');
    if ((response.status === 200 && response.body.data.status === 'PAID') || already)
      withdrawal.paid = 'done';
    else if (/cannot go from (PENDING|APPROVED) to PAID/.test(response.text)) withdrawal.paid = before;
    else this.wrong.push(`a payout was answered ${response.status} ${response.text}`);
  }

  /**
   * The response if the request was executed; a rejection for an insufficient balance is recorded.
   */
  async #requestWithKey(
    keyed: Keyed,
    name: string,
    status: number,
    send: () => Promise<ApiResponse>,
  ): Promise<ApiResponse | undefined> {
    const known = keyed.asked === 'done';
    if (!known) keyed.asked = 'asked';
    const response = await this.#ask(send);
    if (response === undefined) return undefined;
    if (response.status === 422 && response.body.message === 'Insufficient balance' && !known) {
      keyed.asked = 'refused';
      return undefined;
    }
    if (response.status !== status) {
      this.wrong.push(`a ${name} was answered ${response.status} ${response.text}`);
      return undefined;
    }
    keyed.asked = 'done';
    keyed.text ??= response.text;
    this.#compareRepeat(name, keyed.text, known, response);
    return response;
  }

  #compareRepeat(name: string, first: string, known: boolean, response: ApiResponse): void {
    if (response.text !== first)
      this.wrong.push(`a repeat of ${name} differs: ${first} then ${response.text}`);
    if (known && response.headers.get('idempotency-replayed') !== 'true') {
      this.wrong.push(`a repeat of ${name} is not marked as one`);
    }
  }

  /** The response, or undefined if there was none or it was a 503. */
  async #ask(send: () => Promise<ApiResponse>): Promise<ApiResponse | undefined> {
    const started = performance.now();
    let response: ApiResponse;
    try {
      response = await send();
    } catch (error) {
      // Anything but a network error is a violation of the reference.
      if (!(error instanceof TypeError)) throw error;
      this.cutOff += 1;
      this.lastCutOff = error.cause;
      // A client whose connection broke retries a moment later.
      await sleep(20);
      return undefined;
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    if (response.status !== 503) return response;
    this.unavailable += 1;
    const retryAfter = response.headers.get('retry-after');
    if (retryAfter === null) this.wrong.push('a 503 does not say when to try again');
    if (retryAfter === '2') this.unavailableAtBalancer += 1;
    return undefined;
  }

  /**
   * Repeats every request without a response, and then compares with the gateway. Returns the
   * differences as text.
   */
  async differences(): Promise<readonly string[]> {
    const unavailable = this.unavailable;
    await this.#settle();
    if (this.unavailable > unavailable) this.wrong.push('it still says that it cannot serve');
    const found: string[] = [...this.wrong];
    const advanceClock = (advanceSeconds: number) =>
      this.#operate('POST', '/sandbox/clock', { advanceSeconds });
    for (const seller of this.sellers) {
      const records = this.#recordsOf(seller);
      found.push(...(await compareRecords(records)), ...(await compareMoney(records)));
      found.push(...(await compareEvents(records, this.#receiver, advanceClock)));
    }
    const check = await this.#operate('GET', '/admin/ledger/check');
    if (check.body.data?.balanced !== true) found.push(`the ledger's check says ${check.text}`);
    return found;
  }

  #recordsOf(seller: Seller): SellerRecords {
    const charges = this.charges.filter((one) => one.seller === seller);
    const withdrawals = this.withdrawals.filter((one) => one.seller === seller && one.asked === 'done');
    return { seller, charges, withdrawals };
  }

  async #settle(): Promise<void> {
    const charges = this.charges.values();
    const withdrawals = this.withdrawals.values();
    const one = async (): Promise<void> => {
      for (const charge of charges) {
        await this.create(charge);
        if (charge.paid === 'asked') await this.pay(charge);
        if (charge.refund.asked !== 'no' && charge.refund.asked !== 'refused') await this.refund(charge);
        const open =
          charge.created === undefined || charge.paid === 'asked' || charge.refund.asked === 'asked';
        if (open) this.wrong.push(`a charge still has no answer: ${JSON.stringify(charge.created)}`);
      }
      for (const withdrawal of withdrawals) {
        if (withdrawal.asked === 'refused' || withdrawal.asked === 'no') continue;
        await this.withdraw(withdrawal);
        if (withdrawal.created !== undefined) await this.#untilHandedOver(withdrawal);
        if (withdrawal.paid === 'asked') await this.payOut(withdrawal);
        if (withdrawal.asked === 'asked' || withdrawal.paid === 'asked') {
          this.wrong.push(`a withdrawal still has no answer: ${withdrawal.created?.id}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  async #untilHandedOver({ seller, created }: Withdrawal): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const response = await this.#ask(() => seller.client.get(`/withdrawals/${created?.id}`));
      const status = response?.body.data.status;
      if (status === 'PROCESSING' || status === 'PAID') return;
      if (performance.now() > deadline) {
        this.wrong.push(`withdrawal ${created?.id} is ${status} and goes nowhere`);
        return;
      }
      await sleep(50);
    }
  }
}
