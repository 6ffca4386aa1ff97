import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { goodWithdrawal } from '#test/support/withdrawals.ts';
import { untilServed, type Answer, type CallOptions, type Client } from '#test/support/client.ts';
import { fileOf, firstLineOf } from './bank.ts';
import { chargeAnswer, type Command, type ObservedTimes } from './commands.ts';
import type { Nodes } from '#test/model/nodes.ts';
import {
  bookedAs,
  ORIGINS,
  type Fees,
  type Origin,
  type State,
  type Terms,
  type BankLine,
} from '#test/model/state.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

const ERASED = ', payer erased';

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
  /** Payments that go back to the payer. */
  readonly returned: Readonly<Record<string, readonly number[]>>;
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
  /** Lines of return files: the file and the number of the line. */
  readonly #lines = new Map<string, readonly [file: string, line: number]>();
  /** The request that created each record, to repeat it. */
  readonly #requests = new Map<
    string,
    { path: string; body: unknown; key: string; text: string; at: number; charge: string | undefined }
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
    await this.setFees(terms);
    const [operatorClient = this.#nodes.gateway] = this.#nodes.operatorClients;
    const { pixIn: _in, pixOut: _out, boleto: _boleto, card: _card, ...limits } = terms;
    const rates = { requestsPerMinute: 10_000_000, creationsPerMinute: 10_000_000 };
    const changes = { ...limits, ...rates };
    const path = `/admin/sellers/${this.id}`;
    const patched = await this.#nodes.asOperator((token) => operatorClient.patch(path, changes, { token }));
    expect(patched.status).toBe(200);
  }

  async setFees({ pixIn, pixOut, boleto, card }: Fees, node = 0): Promise<void> {
    const { operatorClients } = this.#nodes;
    const operatorClient = operatorClients[node % operatorClients.length] ?? this.#nodes.gateway;
    const names = 'single two three four five six seven eight nine ten eleven twelve'.split(' ');
    const creditCard = {
      type: card.type,
      ...Object.fromEntries(
        names.map((name, index) => [`${name}Installment${name === 'single' ? '' : 's'}`, card.values[index]]),
      ),
    };
    const fees = { pixIn, pixOut, boleto, creditCard };
    const path = `/admin/sellers/${this.id}/fees`;
    const put = await untilServed(() =>
      this.#nodes.asOperator((token) => operatorClient.call('PUT', path, fees, { token })),
    );
    expect(put.status).toBe(200);
  }

  /** Waits until every node applies these fees. */
  async untilFees({ pixIn, boleto, card }: Fees): Promise<void> {
    const expected = [pixIn, boleto, { type: card.type, value: card.values[0] }];
    for (const node of this.#nodes.all) {
      const feeOf = async (method: string) => {
        const path = `/fees/simulate?amount=1000000&method=${method}`;
        return (await node.get(path, { apiKey: this.apiKey })).body.data.fee;
      };
      const fees = async () => [await feeOf('PIX'), await feeOf('BOLETO'), await feeOf('CREDIT_CARD')];
      await expect.poll(fees, { timeout: 5_000 }).toEqual(expected);
    }
  }

  /**
   * Ships all boletos and payouts that wait for the bank. Returns the names of the shipped
   * withdrawals, and expects those that are PROCESSING in the model among them.
   */
  async ship({ withdrawals }: State): Promise<readonly string[]> {
    const names = Object.keys(withdrawals);
    const sent = names.filter((name) => withdrawals[name]?.status === 'PROCESSING');
    await expect.poll(async () => (await this.#payments(sent)).length, { timeout: 8_000 }).toBe(sent.length);
    const [operatorClient = this.#nodes.gateway] = this.#nodes.operatorClients;
    for (const service of ['BOLETOS', 'PIX']) {
      const shipped = await this.#nodes.asOperator((token) =>
        operatorClient.post('/admin/cnab/shipments', { service }, { token }),
      );
      if (shipped.status !== 201) expect(shipped.body.code).toBe('nothing_to_ship');
    }
    const payments = await this.#payments(names);
    return payments.filter(({ stage }) => stage !== 'TO_SHIP').map(({ id }) => this.#names.get(id) ?? id);
  }

  #payments(names: readonly string[]) {
    return this.#nodes.gateway.database.query<{ id: string; reference: number; stage: string }>(
      'SELECT withdrawal_id AS id, reference, stage FROM cnab_payments WHERE withdrawal_id = ANY($1::uuid[])',
      [names.map((name) => this.idOf(name))],
    );
  }

  /** Imports one file with these lines. */
  async importFile(lines: readonly BankLine[], node = 0): Promise<readonly CommandResult[]> {
    const numbers = new Map(
      await Promise.all(lines.map(async (line) => [line, await this.#number(line)] as const)),
    );
    const { operatorClients, gateway } = this.#nodes;
    const client = operatorClients[node % operatorClients.length] ?? gateway;
    const file = fileOf(lines, (line) => numbers.get(line) ?? 0, this.#nodes.now());
    // The same bytes again are answered with 200.
    const imported = await untilServed(() =>
      this.#nodes.asOperator((token) =>
        client.call('POST', '/admin/cnab/returns', file, {
          token,
          headers: { 'content-type': 'text/plain' },
        }),
      ),
    );
    expect([200, 201]).toContain(imported.status);
    const { id, problems } = imported.body.data;
    const stored = await this.#nodes.asOperator((token) =>
      client.get(`/admin/cnab/returns/${id}/lines?take=100`, { token }),
    );
    return lines.map((command, index) => {
      const number = firstLineOf(command, index);
      this.#lines.set(command.line, [String(id), number]);
      const isThis = ({ line }: { readonly line: number }): boolean => line === number;
      const { outcome } = stored.body.data.find(isThis);
      const answer = `line ${outcome}${problems.some(isThis) ? ', listed' : ''}`;
      return { command, observed: {}, answer };
    });
  }

  /**
   * The bank's number of the record of a line; of a payout that was not stored yet, an unknown one.
   */
  async #number(line: BankLine): Promise<number> {
    if (line.kind === 'payoutLine') {
      const [payment] = await this.#payments([line.withdrawal]);
      return payment?.reference ?? 999_999_999;
    }
    const sql = 'SELECT number FROM boleto_registrations WHERE transaction_id = $1';
    const [row] = await this.#nodes.gateway.database.query<{ number: string }>(sql, [this.idOf(line.charge)]);
    return Number(row?.number);
  }

  /**
   * Executes a command on one node. Creations are sent `copies` times concurrently, to alternating
   * nodes.
   */
  async execute(command: Command, node = 0, copies = 1): Promise<readonly CommandResult[]> {
    const request = this.#requestOf(command);
    /** Answers of 503, some of which may have executed the command. */
    let busy = 0;
    const send = (copy: number): Promise<Answer> => {
      const { operator, key, path, body } = request;
      const pick = (clients: readonly Client[]): Client =>
        clients[(node + copy) % clients.length] ?? this.#nodes.gateway;
      if (operator === true) {
        return this.#nodes.asOperator((token) =>
          pick(this.#nodes.operatorClients).post(path, body, { token }),
        );
      }
      const post = (more: CallOptions = {}) =>
        pick(this.#nodes.all).post(path, body, { apiKey: this.apiKey, ...more });
      if (key === undefined) return post();
      return untilServed(async () => {
        const answer = await post({ idempotencyKey: key });
        if (answer.status === 503) busy += 1;
        return answer;
      });
    };
    const times = request.key === undefined ? 1 : copies;
    const answers = await Promise.all(Array.from({ length: times }, (_, copy) => send(copy)));
    const accepted = answers.filter(({ status }) => status < 300);
    // Copies execute once, and every copy gets the same response.
    for (const { text } of accepted) expect({ command, text }).toEqual({ command, text: accepted[0]?.text });
    const fresh = accepted.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true');
    if (busy === 0) expect(fresh.length).toBe(Math.min(1, accepted.length));
    else expect(fresh.length).toBeLessThanOrEqual(1);
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

  /**
   * Repeats the request that created a record: the response must have the same bytes, but for an
   * erased payer.
   */
  async repeat(name: string, { charges }: State, node = 0): Promise<void> {
    const first = this.#requests.get(name);
    // Idempotency keys live 30 days.
    if (first === undefined || this.#nodes.now() - first.at > 29 * 86_400_000) return;
    const isErased = first.charge !== undefined && charges[first.charge]?.isPayerErased === true;
    const client = this.#nodes.all[node % this.#nodes.all.length] ?? this.#nodes.gateway;
    const options = { apiKey: this.apiKey, idempotencyKey: first.key };
    const again = await client.post(first.path, first.body, options);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    if (!isErased) expect(again.text).toBe(first.text);
    const { customer, ...data } = again.body.data;
    const { customer: before, ...original } = JSON.parse(first.text).data;
    if (isErased) expect([customer.name, data]).toEqual(['Apagado', original]);
    else expect(customer).toEqual(before);
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
    const charge = 'charge' in command ? command.charge : undefined;
    const sent = { path, body, key, text: answer.text, at: this.#nodes.now(), charge };
    this.#requests.set(name ?? key, sent);
  }

  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`unknown record ${name}`);
    return id;
  }

  #requestOf(command: Command): Request {
    switch (command.kind) {
      case 'create':
        return {
          path: '/transactions',
          body: chargeBody(command, this.#emailOf(command.charge)),
          key: randomUUID(),
        };
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
      case 'decide': {
        const [file, line] = this.#lines.get(command.line) ?? [];
        const path = `/admin/cnab/returns/${file}/lines/${line}/decide`;
        return { path, body: { decision: command.decision, note: 'asked the bank' }, operator: true };
      }
      case 'erase':
        return {
          path: '/admin/privacy/erase',
          body: { email: this.#emailOf(command.charge) },
          operator: true,
        };
      case 'boletoLine':
      case 'payoutLine':
      case 'terms':
      case 'ship':
      case 'tick':
        throw new Error(`${command.kind} is not one request`);
    }
  }

  /** Each charge has a payer of its own. */
  #emailOf(charge: string): string {
    return `${charge}@${this.id}.example.com`;
  }

  async charge(name: string): Promise<string> {
    const { body } = await this.#get(`/transactions/${this.idOf(name)}`);
    return chargeShown(body.data) + (body.data.customer.name === 'Apagado' ? ERASED : '');
  }

  /** The payments that go back to their payers, by charge. */
  async #returned(): Promise<ObservableState['returned']> {
    const returned: Record<string, readonly number[]> = {};
    let cursor = '';
    do {
      const path = `/admin/reversals?sellerId=${this.id}&take=100${cursor}`;
      const { body } = await this.#nodes.asOperator((token) => this.#nodes.gateway.get(path, { token }));
      for (const { transactionId, amount } of body.data) {
        const name = this.#names.get(transactionId) ?? `unknown ${transactionId}`;
        returned[name] = [...(returned[name] ?? []), Number(amount)].toSorted((a, b) => a - b);
      }
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== '');
    return returned;
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

  /**
   * Reads the whole statement and compares it with the wallet. Only while no command is running.
   */
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
    const returned = await this.#returned();
    return { wallets, charges, disputes, withdrawals, returned, booked: await this.statement(wallets) };
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

function chargeBody({ method, amount, ...command }: Extract<Command, { kind: 'create' }>, email: string) {
  const customer = { ...SAMPLE_TRANSACTION.customer, email };
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

// oxlint-disable-next-line typescript/no-explicit-any -- JSON
const chargeShown = (data: any): string =>
  chargeAnswer(data.status, data.amount, data.feeAmount, data.refundedAmount);

function answerOf({ status, body, text }: Answer, command: Command): string {
  if (status === 422) return `422 ${body.message}`;
  if (status >= 300) return `${status} ${text}`;
  const { data } = body;
  switch (command.kind) {
    case 'decide':
      return `${status} ${data.outcome} ${data.decision}`;
    case 'erase':
      return `${status} erased ${data.erased}, kept ${data.kept[0]?.reason ?? 'none'}`;
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
    case 'boletoLine':
    case 'payoutLine':
    case 'terms':
    case 'ship':
    case 'tick':
      return `${status} ${chargeShown(data)}`;
  }
}

const time = (text: unknown): number | undefined => (typeof text === 'string' ? Date.parse(text) : undefined);

function observedTimesOf({ status, body }: Answer, command: Command): ObservedTimes {
  if (status >= 300 || ['appeal', 'decide', 'erase'].includes(command.kind)) return {};
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
    charges: each(
      state.charges,
      ({ status, amount, fee, refunded, isPayerErased }) =>
        chargeAnswer(status, amount, fee, refunded) + (isPayerErased ? ERASED : ''),
    ),
    disputes: each(state.disputes, ({ status }) => status),
    withdrawals: each(state.withdrawals, ({ status }) => status),
    returned: Object.fromEntries(
      Object.entries(state.charges)
        .filter(([, { returned }]) => returned.length > 0)
        .map(([name, { returned }]) => [name, returned]),
    ),
    booked: state.booked,
  };
}
