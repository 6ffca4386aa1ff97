import { randomInt, randomUUID } from 'node:crypto';

import type { Demo } from '#demo.ts';
import { createClient, goodCharge, type Answer, type Client } from '#test/support/client.ts';

interface LoadSeller {
  readonly id: string;
  readonly client: Client;
}

/** A charge as the outside world knows it. */
interface Order {
  readonly seller: LoadSeller;
  readonly key: string;
  readonly body: ReturnType<typeof goodCharge>;
  /** The first acknowledged answer, which every repeat must give again. */
  created: { readonly id: string; readonly net: number; readonly text: string } | undefined;
  /** Payments asked for, whether or not an answer came. */
  asked: number;
  paid: boolean;
}

type Query = <Row extends object>(text: string) => Promise<readonly Row[]>;

export interface LoadOptions {
  readonly demo: Demo;
  readonly sellers: number;
  readonly seed: number;
}

/**
 * Sellers that create charges and have them paid as fast as they are answered, and keep their own books: what they
 * asked for and what was acknowledged. Afterwards the books are held against the gateway's.
 */
export class Load {
  /** Answers that no fault excuses. */
  readonly wrong: string[] = [];
  /** How often the gateway said that it cannot serve now. */
  unavailable = 0;
  slowestMs = 0;
  readonly #demo: Demo;
  readonly #random: () => number;
  readonly #orders: Order[] = [];
  readonly #unanswered = new Set<Order>();
  #sellers: readonly LoadSeller[] = [];

  private constructor({ demo, seed }: LoadOptions) {
    this.#demo = demo;
    this.#random = mulberry32(seed);
  }

  /** The first seller is the demo's; it has a webhook that nobody answers. */
  static async prepare(options: LoadOptions): Promise<Load> {
    const load = new Load(options);
    const { demo, sellers: count } = options;
    const operator = createClient(demo.baseUrl, '');
    const token = await load.#operatorToken();
    const sellers = [{ id: demo.seller.id, client: createClient(demo.baseUrl, demo.apiKey) }];
    while (sellers.length < count) {
      const name = `Loja ${sellers.length}`;
      const owner = {
        ownerName: name,
        ownerEmail: `${randomUUID()}@example.com`,
        ownerPassword: randomUUID(),
      };
      const document = { documentType: 'CNPJ', document: '11222333000181' };
      const made = await operator.post('/admin/sellers', { name, ...document, ...owner }, { token });
      const { id } = made.body.data;
      if (made.status !== 201) throw new Error(`no seller was made: ${made.text}`);
      const given = await operator.post(`/admin/sellers/${id}/api-keys`, { name: 'load' }, { token });
      sellers.push({ id, client: createClient(demo.baseUrl, given.body.data.key) });
    }
    for (const { id } of sellers) {
      const rates = { requestsPerMinute: 10_000_000, creationsPerMinute: 10_000_000 };
      await operator.patch(`/admin/sellers/${id}`, rates, { token });
    }
    const hook = { url: 'https://localhost:65535/hook', eventType: 'TRANSACTION' };
    const registered = await sellers[0]?.client.post('/webhooks', hook);
    if (registered?.status !== 201) throw new Error(`no webhook was registered: ${registered?.text}`);
    load.#sellers = sellers;
    return load;
  }

  get acknowledged(): { readonly created: number; readonly paid: number; readonly unanswered: number } {
    return {
      created: this.#orders.filter((order) => order.created !== undefined).length,
      paid: this.#orders.filter((order) => order.paid).length,
      unanswered: this.#orders.filter(
        (order) => order.created === undefined || order.asked > 0 !== order.paid,
      ).length,
    };
  }

  random(from: number, to: number): number {
    return Math.floor(from + this.#random() * (to - from));
  }

  /** Runs so many callers, each with one request after the other, until told to stop. */
  async drive(callers: number, stopped: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#call(stopped)));
  }

  async #call(stopped: () => boolean): Promise<void> {
    const mine: Order[] = [];
    while (!stopped()) {
      const dice = this.#random();
      const waiting = mine.find((order) => !order.paid && order.created !== undefined);
      const [unanswered] = this.#unanswered;
      const old = this.#orders[this.random(0, this.#orders.length)];
      if (dice < 0.4 && waiting !== undefined) await this.#pay(waiting);
      else if (dice < 0.45 && old !== undefined) await this.#create(old);
      else if (dice < 0.55 && unanswered !== undefined) await this.#create(unanswered);
      else {
        const order = this.#newOrder();
        mine.push(order);
        // Now and then two arrive with the same key at once.
        const copies = dice > 0.9 ? 2 : 1;
        await Promise.all(Array.from({ length: copies }, () => this.#create(order)));
      }
    }
  }

  #newOrder(): Order {
    const seller = this.#sellers[this.random(0, this.#sellers.length)];
    if (seller === undefined) throw new Error('there are no sellers');
    const amount = this.random(100, 100_000);
    const body = goodCharge({ amount, items: [{ title: 'Caneca', amount, quantity: 1, tangible: true }] });
    const order: Order = { seller, key: randomUUID(), body, created: undefined, asked: 0, paid: false };
    this.#orders.push(order);
    this.#unanswered.add(order);
    return order;
  }

  async #create(order: Order): Promise<void> {
    const known = order.created;
    const answer = await this.#ask(() =>
      order.seller.client.post('/transactions', order.body, { idempotencyKey: order.key }),
    );
    if (answer === undefined) return;
    if (answer.status !== 201) {
      this.wrong.push(`a creation was answered ${answer.status} ${answer.text}`);
      return;
    }
    order.created ??= { id: answer.body.data.id, net: answer.body.data.netAmount, text: answer.text };
    this.#unanswered.delete(order);
    if (answer.text !== order.created.text) this.wrong.push(`a repeat of ${order.created.id} differs`);
    if (known !== undefined && answer.headers.get('idempotency-replayed') !== 'true') {
      this.wrong.push(`a repeat of ${known.id} is not marked as one`);
    }
  }

  async #pay(order: Order): Promise<void> {
    order.asked += 1;
    const answer = await this.#ask(() =>
      order.seller.client.post(`/sandbox/transactions/${order.created?.id}/pay`),
    );
    if (answer === undefined) return;
    // An earlier payment whose answer was lost may have counted.
    const already = order.asked > 1 && answer.text.includes('cannot go from PAID to PAID');
    if ((answer.status === 200 && answer.body.data.status === 'PAID') || already) order.paid = true;
    else this.wrong.push(`a payment was answered ${answer.status} ${answer.text}`);
  }

  /** The answer, or undefined where none came or the gateway said that it cannot serve now. */
  async #ask(send: () => Promise<Answer>): Promise<Answer | undefined> {
    const started = performance.now();
    let answer: Answer;
    try {
      answer = await send();
    } catch {
      // A caller that is cut off tries again a moment later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return undefined;
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    if (answer.status !== 503) return answer;
    this.unavailable += 1;
    if (answer.headers.get('retry-after') === null) this.wrong.push('a 503 does not say when to try again');
    return undefined;
  }

  /**
   * Holds the books against the gateway's, after everything that was left without an answer has been asked again.
   * Answers what differs, in words.
   */
  async differences(query: Query): Promise<readonly string[]> {
    const unavailable = this.unavailable;
    await this.#settle();
    if (this.unavailable > unavailable) this.wrong.push('it still says that it cannot serve');
    if (this.#unanswered.size > 0) this.wrong.push(`${this.#unanswered.size} creations still have no answer`);
    return [...this.wrong, ...(await this.#compareCharges(query)), ...(await this.#compareMoney(query))];
  }

  async #settle(): Promise<void> {
    const orders = this.#orders.values();
    const one = async (): Promise<void> => {
      for (const order of orders) {
        await this.#create(order);
        if (order.asked > 0 && !order.paid) await this.#pay(order);
      }
    };
    await Promise.all(Array.from({ length: 32 }, one));
  }

  /** Each order is one charge with all that belongs to it, and there is no other charge. */
  async #compareCharges(query: Query): Promise<readonly string[]> {
    const rows = await query<{ sellerId: string; id: string; key: string; status: string; parts: string }>(`
      SELECT t.seller_id AS "sellerId", t.id, k.key, t.status, concat_ws(' ',
        (SELECT count(*) FROM idempotency_keys x WHERE (x.seller_id, x.record_id) = (t.seller_id, t.id)),
        (SELECT count(*) FROM customers x WHERE (x.seller_id, x.transaction_id) = (t.seller_id, t.id)),
        (SELECT count(*) FROM items x WHERE (x.seller_id, x.transaction_id) = (t.seller_id, t.id)),
        (SELECT count(*) FROM pix_charges x WHERE (x.seller_id, x.transaction_id) = (t.seller_id, t.id)),
        (SELECT count(*) FROM transaction_history x WHERE (x.seller_id, x.transaction_id) = (t.seller_id, t.id)),
        e.events, e.deliveries) AS parts
      FROM transactions t
      FULL JOIN idempotency_keys k ON k.seller_id = t.seller_id AND k.record_id = t.id
      LEFT JOIN LATERAL (
        SELECT count(*) AS events, coalesce(sum((
          SELECT count(*) FROM deliveries d WHERE d.seller_id = v.seller_id AND d.event_id = v.id)), 0) AS deliveries
        FROM events v WHERE v.seller_id = t.seller_id AND v.record_id = t.id) e ON true`);
    const listening = this.#sellers[0]?.id;
    const expected = new Set(
      this.#orders.map(({ seller, key, created, paid }) => {
        const told = `${paid ? 1 : 0} ${paid && seller.id === listening ? 1 : 0}`;
        return `${seller.id} ${key} ${created?.id} ${paid ? 'PAID 1 1 1 1 2' : 'PENDING 1 1 1 1 1'} ${told}`;
      }),
    );
    const found = new Set(
      rows.map((row) => `${row.sellerId} ${row.key} ${row.id} ${row.status} ${row.parts}`),
    );
    return [
      ...[...expected.difference(found)].map((one) => `expected and not found: ${one}`),
      ...[...found.difference(expected)].map((one) => `found and not expected: ${one}`),
    ];
  }

  /** Each wallet is the sum of what was paid, by our books and by its own audit. */
  async #compareMoney(query: Query): Promise<readonly string[]> {
    const wrong: string[] = [];
    const rows = await query<{ sellerId: string; net: string }>(`
      SELECT seller_id AS "sellerId", sum(amount - fee_amount)::text AS net
      FROM transactions WHERE status = 'PAID' GROUP BY seller_id`);
    for (const { id, client } of this.#sellers) {
      const wallet = await client.get('/seller-wallet/gestao');
      const net = this.#orders
        .filter((order) => order.paid && order.seller.id === id)
        .reduce((sum, order) => sum + (order.created?.net ?? 0), 0);
      const shown = wallet.body.data.availableBalance;
      const stored = Number(rows.find((row) => row.sellerId === id)?.net ?? 0);
      if (shown !== net || stored !== net) {
        wrong.push(`the wallet of ${id} shows ${shown}, its charges sum to ${stored}, our books to ${net}`);
      }
    }
    const operator = createClient(this.#demo.baseUrl, '');
    const check = await operator.get('/admin/ledger/check', { token: await this.#operatorToken() });
    if (check.body.data.balanced !== true) wrong.push(`the audit says ${check.text}`);
    return wrong;
  }

  async #operatorToken(): Promise<string> {
    const { baseUrl, admin } = this.#demo;
    const signedIn = await createClient(baseUrl, '').post('/login', admin, { credential: 'none' });
    return String(signedIn.body.accessToken);
  }
}

/** FAULT_SEED repeats the choices of an earlier run; the order in which things meet stays up to the machine. */
export function seedOfRun(): number {
  const seed = Number(process.env['FAULT_SEED'] ?? randomInt(2 ** 32));
  process.stdout.write(`FAULT_SEED=${seed}\n`);
  return seed;
}

/** A small repeatable generator of numbers from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
