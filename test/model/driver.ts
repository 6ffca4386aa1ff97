import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { goodWithdrawal } from '#test/support/withdrawals.ts';
import type { Answer, Client } from '#test/support/client.ts';
import { chargeAnswer, type Asked, type Told } from './commands.ts';
import type { Nodes } from '#test/model/nodes.ts';
import { bookedAs, ORIGINS, type Origin, type State, type Terms } from '#test/model/state.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

const CARD = { holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2099, cvv: '123' };

export interface Played {
  readonly asked: Asked;
  readonly reported: Told;
  readonly answer: string;
}

/** Everything of a seller that can be seen from outside, in the words of the model. */
export interface Seen {
  readonly wallets: Readonly<Record<Origin, readonly [available: number, blocked: number]>>;
  readonly charges: Readonly<Record<string, string>>;
  readonly disputes: Readonly<Record<string, string>>;
  readonly withdrawals: Readonly<Record<string, string>>;
  readonly booked: Readonly<Record<string, number>>;
}

/** A seller on real nodes, who plays what the model plays: its names for records, and their ids. */
export class Player {
  readonly #nodes: Nodes;
  readonly id: string;
  /** An owner's key. */
  readonly apiKey: string;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  /** How each record was asked for, to ask again. */
  readonly #asked = new Map<string, { path: string; body: unknown; key: string; text: string; at: number }>();

  private constructor(nodes: Nodes, id: string, apiKey: string) {
    this.#nodes = nodes;
    this.id = id;
    this.apiKey = apiKey;
  }

  static async make(nodes: Nodes, terms: Terms): Promise<Player> {
    const [office = nodes.gateway] = nodes.offices;
    const wanted = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Dona',
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: 'a long password',
    };
    const made = await nodes.asOperator((token) => office.post('/admin/sellers', wanted, { token }));
    const id = String(made.body.data.id);
    const path = `/admin/sellers/${id}/api-keys`;
    const key = await nodes.asOperator((token) => office.post(path, { name: 'test' }, { token }));
    const player = new Player(nodes, id, String(key.body.data.key));
    await player.setTerms(terms);
    return player;
  }

  async setTerms(terms: Terms): Promise<void> {
    const [office = this.#nodes.gateway] = this.#nodes.offices;
    const { pixIn, pixOut, boleto, card, ...limits } = terms;
    const names = 'single two three four five six seven eight nine ten eleven twelve'.split(' ');
    const creditCard = {
      type: card.type,
      ...Object.fromEntries(
        names.map((name, index) => [`${name}Installment${name === 'single' ? '' : 's'}`, card.values[index]]),
      ),
    };
    const fees = { pixIn, pixOut, boleto, creditCard };
    const path = `/admin/sellers/${this.id}`;
    const put = await this.#nodes.asOperator((token) => office.call('PUT', `${path}/fees`, fees, { token }));
    expect(put.status).toBe(200);
    const rates = { requestsPerMinute: 10_000_000, creationsPerMinute: 10_000_000 };
    const wanted = { ...limits, ...rates };
    const patched = await this.#nodes.asOperator((token) => office.patch(path, wanted, { token }));
    expect(patched.status).toBe(200);
  }

  /** Asks on one node; what creates a record is asked so many times at once, on one node after another. */
  async play(asked: Asked, node = 0, copies = 1): Promise<readonly Played[]> {
    const request = this.#requestOf(asked);
    const send = (copy: number): Promise<Answer> => {
      const { operator, key, path, body } = request;
      const pick = (clients: readonly Client[]): Client =>
        clients[(node + copy) % clients.length] ?? this.#nodes.gateway;
      if (operator === true) {
        return this.#nodes.asOperator((token) => pick(this.#nodes.offices).post(path, body, { token }));
      }
      const idempotency = key === undefined ? {} : { idempotencyKey: key };
      return pick(this.#nodes.all).post(path, body, { apiKey: this.apiKey, ...idempotency });
    };
    const times = request.key === undefined ? 1 : copies;
    const answers = await Promise.all(Array.from({ length: times }, (_, copy) => send(copy)));
    const made = answers.filter(({ status }) => status < 300);
    // However often it was asked, it was done once, and everybody has the same answer.
    for (const { text } of made) expect({ asked, text }).toEqual({ asked, text: made[0]?.text });
    const fresh = made.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true');
    expect(fresh.length).toBe(made.length === 0 ? 0 : times === 1 ? made.length : 1);
    const [first] = made;
    if (first !== undefined) this.#remember(asked, request, first);
    // What is refused changes nothing, so that one place in an order explains all who were refused in the same words.
    const refused = answers.filter(({ status }) => status >= 300);
    const distinct = new Map(refused.map((answer) => [answerOf(answer, asked), answer]));
    return [...(first === undefined ? [] : [first]), ...distinct.values()].map((answer) => ({
      asked,
      reported: toldBy(answer, asked),
      answer: answerOf(answer, asked),
    }));
  }

  /** Asks for a record again, as it was asked for, long after: it must answer the same bytes. */
  async repeat(name: string, node = 0): Promise<void> {
    const first = this.#asked.get(name);
    // Keys live thirty days.
    if (first === undefined || this.#nodes.now() - first.at > 29 * 86_400_000) return;
    const client = this.#nodes.all[node % this.#nodes.all.length] ?? this.#nodes.gateway;
    const options = { apiKey: this.apiKey, idempotencyKey: first.key };
    const again = await client.post(first.path, first.body, options);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  }

  get repeatable(): readonly string[] {
    return [...this.#asked.keys()];
  }

  #remember(asked: Asked, request: Request, answer: Answer): void {
    const name = recordOf(asked);
    if (name !== undefined) {
      const id = String(answer.body.data.id);
      this.#ids.set(name, id);
      this.#names.set(id, name);
    }
    const { path, body, key } = request;
    if (key === undefined) return;
    this.#asked.set(name ?? key, { path, body, key, text: answer.text, at: this.#nodes.now() });
  }

  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`nothing is called ${name}`);
    return id;
  }

  #requestOf(asked: Asked): Request {
    switch (asked.kind) {
      case 'create':
        return { path: '/transactions', body: chargeBody(asked), key: randomUUID() };
      case 'pay':
      case 'fail':
      case 'refuse':
      case 'processing':
      case 'chargeback':
        return { path: `/sandbox/transactions/${this.idOf(asked.charge)}/${asked.kind}` };
      case 'cancel':
      case 'void':
        return { path: `/transactions/${this.idOf(asked.charge)}/${asked.kind}` };
      case 'capture':
        return { path: `/transactions/${this.idOf(asked.charge)}/capture`, body: amountBody(asked.amount) };
      case 'refund': {
        const path = `/transactions/${this.idOf(asked.charge)}/refund`;
        return { path, body: amountBody(asked.amount), key: randomUUID() };
      }
      case 'dispute': {
        const body = { reason: 'not delivered', ...amountBody(asked.amount) };
        return { path: `/admin/transactions/${this.idOf(asked.charge)}/dispute`, body, operator: true };
      }
      case 'appeal': {
        const body = { disputeId: this.idOf(asked.dispute), appealReason: 'here is the receipt' };
        return { path: '/disputes/appeal', body };
      }
      case 'resolve': {
        const path = `/admin/disputes/${this.idOf(asked.dispute)}/resolve`;
        return { path, body: { outcome: asked.outcome }, operator: true };
      }
      case 'withdraw': {
        const body = goodWithdrawal({ amount: asked.amount, withdrawFrom: asked.origin });
        return { path: '/withdrawals', body, key: randomUUID() };
      }
      case 'approve':
      case 'reject': {
        const path = `/admin/withdrawals/${this.idOf(asked.withdrawal)}/${asked.kind}`;
        return { path, operator: true, ...(asked.kind === 'reject' ? { body: { reason: 'no' } } : {}) };
      }
      case 'payOut':
      case 'failOut': {
        const name = asked.kind === 'payOut' ? 'pay' : 'fail';
        return { path: `/sandbox/withdrawals/${this.idOf(asked.withdrawal)}/${name}` };
      }
      case 'tick':
        throw new Error('the clock is not a seller');
    }
  }

  async charge(name: string): Promise<string> {
    const { body } = await this.#get(`/transactions/${this.idOf(name)}`);
    return chargeShown(body.data);
  }

  async withdrawal(name: string): Promise<string> {
    const { body } = await this.#get(`/withdrawals/${this.idOf(name)}`);
    return String(body.data.status);
  }

  async wallets(): Promise<Seen['wallets']> {
    const { body } = await this.#get('/seller-wallet/gestao');
    const parts = ORIGINS.map((origin) => {
      const { availableBalance, blockedBalance } = body.data.byOrigin[origin];
      return [origin, [Number(availableBalance), Number(blockedBalance)]] as const;
    });
    const sum = (which: 0 | 1) => parts.reduce((total, [, part]) => total + part[which], 0);
    expect([body.data.availableBalance, body.data.blockedBalance, body.data.totalBalance]).toEqual([
      sum(0),
      sum(1),
      sum(0) + sum(1),
    ]);
    return { PIX: [0, 0], BOLETO: [0, 0], CARD: [0, 0], ...Object.fromEntries(parts) };
  }

  /** The whole statement, page by page, held against itself and against the wallet. Only while the seller is quiet. */
  async statement(wallets: Seen['wallets']): Promise<Seen['booked']> {
    const booked: Record<string, number> = {};
    const sums: Record<string, [number, number]> = { PIX: [0, 0], BOLETO: [0, 0], CARD: [0, 0] };
    let cursor = '';
    let newest: unknown;
    let lines = 0;
    for (;;) {
      const { body } = await this.#get(`/seller-wallet/entries?take=100${cursor}`);
      for (const line of body.data) {
        newest ??= [line.availableBalance, line.blockedBalance];
        lines += 1;
        const sum = sums[line.origin] ?? [0, 0];
        sums[line.origin] = [sum[0] + line.availableChange, sum[1] + line.blockedChange];
        const name = this.#names.get(line.recordId) ?? `nobody's ${line.recordId}`;
        const key = bookedAs(name, line.cause, line.from, line.to);
        booked[key] = (booked[key] ?? 0) + line.moved;
      }
      if (body.nextCursor === null) {
        expect(body.count).toBe(lines);
        break;
      }
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(sums).toEqual(wallets);
    const total = (which: 0 | 1) => ORIGINS.reduce((all, origin) => all + wallets[origin][which], 0);
    expect(newest ?? [0, 0]).toEqual([total(0), total(1)]);
    return booked;
  }

  async see(state: State): Promise<Seen> {
    const wallets = await this.wallets();
    const dispute = async (name: string) => {
      const { body } = await this.#get(`/disputes/${this.idOf(name)}`);
      return String(body.data.data[0].status);
    };
    const charges = await named(Object.keys(state.charges), (name) => this.charge(name));
    const disputes = await named(Object.keys(state.disputes), dispute);
    const withdrawals = await named(Object.keys(state.withdrawals), (name) => this.withdrawal(name));
    return { wallets, charges, disputes, withdrawals, booked: await this.statement(wallets) };
  }

  async #get(path: string): Promise<Answer> {
    const answer = await this.#nodes.gateway.get(path, { apiKey: this.apiKey });
    expect(answer.status).toBe(200);
    return answer;
  }
}

const named = async (
  names: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));

interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly operator?: boolean;
}

const amountBody = (amount: number | null) => (amount === null ? {} : { amount });

/** The name under which what is asked for will be known. */
function recordOf(asked: Asked): string | undefined {
  if (asked.kind === 'create') return asked.charge;
  if (asked.kind === 'dispute') return asked.dispute;
  return asked.kind === 'withdraw' ? asked.withdrawal : undefined;
}

function chargeBody({ method, amount, ...asked }: Extract<Asked, { kind: 'create' }>) {
  const { customer } = SAMPLE_TRANSACTION;
  const common = {
    amount,
    method,
    customer,
    items: [{ title: 'Caneca', amount, quantity: 1, tangible: true }],
  };
  if (method !== 'CREDIT_CARD') return { ...common, expiration: asked.expiration };
  const number = asked.declined ? '4000000000000002' : '4111111111111111';
  const { installments, capture } = asked;
  return { ...common, installments, capture, card: { ...CARD, number } };
}

// oxlint-disable-next-line typescript/no-explicit-any
const chargeShown = (data: any): string =>
  chargeAnswer(data.status, data.amount, data.feeAmount, data.refundedAmount);

function answerOf({ status, body, text }: Answer, asked: Asked): string {
  if (status === 422) return `422 ${body.message}`;
  if (status >= 300) return `${status} ${text}`;
  const { data } = body;
  switch (asked.kind) {
    case 'appeal':
      return `${status} ${data.data[0].status} of ${data.data[0].amount}`;
    case 'dispute':
    case 'resolve':
      return `${status} ${data.status} of ${data.amount}`;
    case 'withdraw':
    case 'approve':
    case 'reject':
    case 'payOut':
    case 'failOut':
      return `${status} ${data.status} of ${data.amount}, fee ${data.feeAmount}`;
    case 'create':
    case 'pay':
    case 'fail':
    case 'refuse':
    case 'processing':
    case 'cancel':
    case 'void':
    case 'chargeback':
    case 'capture':
    case 'refund':
    case 'tick':
      return `${status} ${chargeShown(data)}`;
  }
}

const time = (text: unknown): number | undefined => (typeof text === 'string' ? Date.parse(text) : undefined);

function toldBy({ status, body }: Answer, asked: Asked): Told {
  if (status >= 300 || asked.kind === 'appeal') return {};
  const { data } = body;
  const [createdAt, paidAt] = [data.createdAt, data.paidAt].map(time);
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(paidAt === undefined ? {} : { paidAt }),
  };
}

const each = <T>(records: Readonly<Record<string, T>>, show: (record: T) => string) =>
  Object.fromEntries(Object.entries(records).map(([name, record]) => [name, show(record)]));

/** What the model would have seen. */
export function seenOf(state: State): Seen {
  const wallet = (origin: Origin): readonly [number, number] => {
    const { available, retained, disputed, reserved } = state.wallets[origin];
    return [available, retained + disputed + reserved];
  };
  return {
    wallets: { PIX: wallet('PIX'), BOLETO: wallet('BOLETO'), CARD: wallet('CARD') },
    charges: each(state.charges, ({ status, amount, fee, refunded }) =>
      chargeAnswer(status, amount, fee, refunded),
    ),
    disputes: each(state.disputes, ({ status }) => status),
    withdrawals: each(state.withdrawals, ({ status }) => status),
    booked: state.booked,
  };
}
