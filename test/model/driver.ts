import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { goodWithdrawal } from '#test/support/withdrawals.ts';
import type { Answer, Client } from '#test/support/client.ts';
import { chargeAnswer, type Command, type ObservedTimes } from './commands.ts';
import type { Nodes } from '#test/model/nodes.ts';
import { bookedAs, ORIGINS, type Origin, type State, type Terms } from '#test/model/state.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

const CARD = { holderName: 'ANA SOUZA', expirationMonth: 12, expirationYear: 2099, cvv: '123' };

export interface CommandResult {
  readonly command: Command;
  readonly observed: ObservedTimes;
  readonly answer: string;
}

/** Everything of a seller that the API shows, in terms of the model. */
export interface ObservableState {
  readonly wallets: Readonly<Record<Origin, readonly [available: number, blocked: number]>>;
  readonly charges: Readonly<Record<string, string>>;
  readonly disputes: Readonly<Record<string, string>>;
  readonly withdrawals: Readonly<Record<string, string>>;
  readonly booked: Readonly<Record<string, number>>;
}

/** Executes the model's commands against real nodes as one seller, and maps record names to ids. */
export class SellerDriver {
  readonly #nodes: Nodes;
  readonly id: string;
  /** An owner's key. */
  readonly apiKey: string;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  /** The request that created each record, to repeat it. */
  readonly #requests = new Map<
    string,
    { path: string; body: unknown; key: string; text: string; at: number }
  >();

  private constructor(nodes: Nodes, id: string, apiKey: string) {
    this.#nodes = nodes;
    this.id = id;
    this.apiKey = apiKey;
  }

  static async make(nodes: Nodes, terms: Terms): Promise<SellerDriver> {
    const [operatorClient = nodes.gateway] = nodes.operatorClients;
    const body = {
      name: 'Loja',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Dona',
      ownerEmail: `${randomUUID()}@example.com`,
      ownerPassword: 'a long password',
    };
    const created = await nodes.asOperator((token) => operatorClient.post('/admin/sellers', body, { token }));
    const id = String(created.body.data.id);
    const path = `/admin/sellers/${id}/api-keys`;
    const key = await nodes.asOperator((token) => operatorClient.post(path, { name: 'test' }, { token }));
    const driver = new SellerDriver(nodes, id, String(key.body.data.key));
    await driver.setTerms(terms);
    return driver;
  }

  async setTerms(terms: Terms): Promise<void> {
    const [operatorClient = this.#nodes.gateway] = this.#nodes.operatorClients;
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
    const put = await this.#nodes.asOperator((token) =>
      operatorClient.call('PUT', `${path}/fees`, fees, { token }),
    );
    expect(put.status).toBe(200);
    const rates = { requestsPerMinute: 10_000_000, creationsPerMinute: 10_000_000 };
    const changes = { ...limits, ...rates };
    const patched = await this.#nodes.asOperator((token) => operatorClient.patch(path, changes, { token }));
    expect(patched.status).toBe(200);
  }

  /** Executes a command on one node. Creations are sent `copies` times concurrently, to alternating nodes. */
  async execute(command: Command, node = 0, copies = 1): Promise<readonly CommandResult[]> {
    const request = this.#requestOf(command);
    const send = (copy: number): Promise<Answer> => {
      const { operator, key, path, body } = request;
      const pick = (clients: readonly Client[]): Client =>
        clients[(node + copy) % clients.length] ?? this.#nodes.gateway;
      if (operator === true) {
        return this.#nodes.asOperator((token) =>
          pick(this.#nodes.operatorClients).post(path, body, { token }),
        );
      }
      const idempotency = key === undefined ? {} : { idempotencyKey: key };
      return pick(this.#nodes.all).post(path, body, { apiKey: this.apiKey, ...idempotency });
    };
    const times = request.key === undefined ? 1 : copies;
    const answers = await Promise.all(Array.from({ length: times }, (_, copy) => send(copy)));
    const accepted = answers.filter(({ status }) => status < 300);
    // Copies execute once, and every copy gets the same response.
    for (const { text } of accepted) expect({ command, text }).toEqual({ command, text: accepted[0]?.text });
    const fresh = accepted.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true');
    expect(fresh.length).toBe(accepted.length === 0 ? 0 : times === 1 ? accepted.length : 1);
    const [first] = accepted;
    if (first !== undefined) this.#remember(command, request, first);
    // Rejected commands change nothing, so equal rejections count as one in the linearization.
    const refused = answers.filter(({ status }) => status >= 300);
    const distinct = new Map(refused.map((answer) => [answerOf(answer, command), answer]));
    return [...(first === undefined ? [] : [first]), ...distinct.values()].map((answer) => ({
      command,
      observed: observedTimesOf(answer, command),
      answer: answerOf(answer, command),
    }));
  }

  /** Repeats the request that created a record: the response must have the same bytes. */
  async repeat(name: string, node = 0): Promise<void> {
    const first = this.#requests.get(name);
    // Idempotency keys live 30 days.
    if (first === undefined || this.#nodes.now() - first.at > 29 * 86_400_000) return;
    const client = this.#nodes.all[node % this.#nodes.all.length] ?? this.#nodes.gateway;
    const options = { apiKey: this.apiKey, idempotencyKey: first.key };
    const again = await client.post(first.path, first.body, options);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  }

  get repeatable(): readonly string[] {
    return [...this.#requests.keys()];
  }

  #remember(command: Command, request: Request, answer: Answer): void {
    const name = recordOf(command);
    if (name !== undefined) {
      const id = String(answer.body.data.id);
      this.#ids.set(name, id);
      this.#names.set(id, name);
    }
    const { path, body, key } = request;
    if (key === undefined) return;
    this.#requests.set(name ?? key, { path, body, key, text: answer.text, at: this.#nodes.now() });
  }

  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`unknown record ${name}`);
    return id;
  }

  #requestOf(command: Command): Request {
    switch (command.kind) {
      case 'create':
        return { path: '/transactions', body: chargeBody(command), key: randomUUID() };
      case 'pay':
      case 'fail':
      case 'refuse':
      case 'processing':
      case 'chargeback':
        return { path: `/sandbox/transactions/${this.idOf(command.charge)}/${command.kind}` };
      case 'cancel':
      case 'void':
        return { path: `/transactions/${this.idOf(command.charge)}/${command.kind}` };
      case 'capture':
        return {
          path: `/transactions/${this.idOf(command.charge)}/capture`,
          body: amountBody(command.amount),
        };
      case 'refund': {
        const path = `/transactions/${this.idOf(command.charge)}/refund`;
        return { path, body: amountBody(command.amount), key: randomUUID() };
      }
      case 'dispute': {
        const body = { reason: 'not delivered', ...amountBody(command.amount) };
        return { path: `/admin/transactions/${this.idOf(command.charge)}/dispute`, body, operator: true };
      }
      case 'appeal': {
        const body = { disputeId: this.idOf(command.dispute), appealReason: 'here is the receipt' };
        return { path: '/disputes/appeal', body };
      }
      case 'resolve': {
        const path = `/admin/disputes/${this.idOf(command.dispute)}/resolve`;
        return { path, body: { outcome: command.outcome }, operator: true };
      }
      case 'withdraw': {
        const body = goodWithdrawal({ amount: command.amount, withdrawFrom: command.origin });
        return { path: '/withdrawals', body, key: randomUUID() };
      }
      case 'approve':
      case 'reject': {
        const path = `/admin/withdrawals/${this.idOf(command.withdrawal)}/${command.kind}`;
        return { path, operator: true, ...(command.kind === 'reject' ? { body: { reason: 'no' } } : {}) };
      }
      case 'payOut':
      case 'failOut': {
        const name = command.kind === 'payOut' ? 'pay' : 'fail';
        return { path: `/sandbox/withdrawals/${this.idOf(command.withdrawal)}/${name}` };
      }
      case 'tick':
        throw new Error('a tick is not a request of a seller');
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

  async wallets(): Promise<ObservableState['wallets']> {
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

  /** Reads the whole statement and compares it with the wallet. Only while no command is running. */
  async statement(wallets: ObservableState['wallets']): Promise<ObservableState['booked']> {
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
        const name = this.#names.get(line.recordId) ?? `unknown ${line.recordId}`;
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

  async observe(state: State): Promise<ObservableState> {
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

/** The name of the record that a command creates. */
function recordOf(command: Command): string | undefined {
  if (command.kind === 'create') return command.charge;
  if (command.kind === 'dispute') return command.dispute;
  return command.kind === 'withdraw' ? command.withdrawal : undefined;
}

function chargeBody({ method, amount, ...command }: Extract<Command, { kind: 'create' }>) {
  const { customer } = SAMPLE_TRANSACTION;
  const common = {
    amount,
    method,
    customer,
    items: [{ title: 'Caneca', amount, quantity: 1, tangible: true }],
  };
  if (method !== 'CREDIT_CARD') return { ...common, expiration: command.expiration };
  const number = command.declined ? '4000000000000002' : '4111111111111111';
  const { installments, capture } = command;
  return { ...common, installments, capture, card: { ...CARD, number } };
}

// oxlint-disable-next-line typescript/no-explicit-any
const chargeShown = (data: any): string =>
  chargeAnswer(data.status, data.amount, data.feeAmount, data.refundedAmount);

function answerOf({ status, body, text }: Answer, command: Command): string {
  if (status === 422) return `422 ${body.message}`;
  if (status >= 300) return `${status} ${text}`;
  const { data } = body;
  switch (command.kind) {
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

function observedTimesOf({ status, body }: Answer, command: Command): ObservedTimes {
  if (status >= 300 || command.kind === 'appeal') return {};
  const { data } = body;
  const [createdAt, paidAt] = [data.createdAt, data.paidAt].map(time);
  return {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(paidAt === undefined ? {} : { paidAt }),
  };
}

const each = <T>(records: Readonly<Record<string, T>>, show: (record: T) => string) =>
  Object.fromEntries(Object.entries(records).map(([name, record]) => [name, show(record)]));

/** What the API should show for a state of the model. */
export function observableState(state: State): ObservableState {
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
