import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { untilServed, type ApiResponse, type CallOptions, type Client } from '#test/support/client.ts';
import { answerOf, chargeShown, observedTimesOf, type CommandResult } from './answers.ts';
import { fileOf, firstLineOf } from './bank.ts';
import { dayOf } from './calendar.ts';
import type { Command } from './commands.ts';
import type { Nodes } from '#test/model/nodes.ts';
import { ERASED, type ObservableState } from './observable-state.ts';
import { CARD, recordOf, requestOf, type Request } from './requests.ts';
import type { Fees, State, Terms, BankLine } from '#test/model/state.ts';
import { readStatement, readWallets } from './wallets.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

/** Executes the model's commands against real nodes as one seller, and maps record names to ids. */
export class SellerDriver {
  readonly #nodes: Nodes;
  readonly id: string;
  /** An owner's key. */
  readonly apiKey: string;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  /** The subscriptions of charges. */
  readonly #subscriptions = new Map<string, string>();
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
      const response = `line ${outcome}${problems.some(isThis) ? ', listed' : ''}`;
      return { command, observed: {}, response };
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
    const request = requestOf(command, this);
    /** Answers of 503, some of which may have executed the command. */
    let busy = 0;
    const send = (copy: number): Promise<ApiResponse> => {
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
        const response = await post({ idempotencyKey: key });
        if (response.status === 503) busy += 1;
        return response;
      });
    };
    const times = request.key === undefined ? 1 : copies;
    const responses = await Promise.all(Array.from({ length: times }, (_, copy) => send(copy)));
    const accepted = responses.filter(({ status }) => status < 300);
    // Copies execute once, and every copy gets the same response.
    for (const { text } of accepted) expect({ command, text }).toEqual({ command, text: accepted[0]?.text });
    const fresh = accepted.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true');
    if (busy === 0) expect(fresh.length).toBe(Math.min(1, accepted.length));
    else expect(fresh.length).toBeLessThanOrEqual(1);
    const [first] = accepted;
    if (first !== undefined) this.#remember(command, request, first);
    // Rejected commands change nothing, so equal rejections count as one in the linearization.
    const refused = responses.filter(({ status }) => status >= 300);
    const distinct = new Map(refused.map((response) => [answerOf(response, command), response]));
    return [...(first === undefined ? [] : [first]), ...distinct.values()].map((response) => ({
      command,
      observed: observedTimesOf(response, command),
      response: answerOf(response, command),
    }));
  }

  /**
   * Starts a subscription of one cycle, whose transaction the worker creates: a charge of the model
   * like any other.
   */
  async subscribe(command: Extract<Command, { kind: 'create' }>): Promise<CommandResult> {
    const { charge, method, amount } = command;
    const options = { apiKey: this.apiKey };
    const customer = { ...SAMPLE_TRANSACTION.customer, email: this.emailOf(charge) };
    const number = command.declined ? '4000000000000002' : '4111111111111111';
    const card = method === 'CREDIT_CARD' ? { cardTokenId: await this.#saveCard(number) } : {};
    const startDate = dayOf(this.#nodes.now());
    const body = { customer, amount, method, startDate, interval: 'MONTHLY', cycles: 1, retryPolicy: 'NONE' };
    const { gateway } = this.#nodes;
    const idempotencyKey = randomUUID();
    const made = await gateway.post('/subscriptions', { ...body, ...card }, { ...options, idempotencyKey });
    expect(made.status).toBe(201);
    const id = String(made.body.data.id);
    this.#subscriptions.set(charge, id);
    const read = async () => (await this.#get(`/subscriptions/${id}/invoices`)).body.data[0];
    await expect.poll(async () => isTried(await read()), { timeout: 8_000 }).toBe(true);
    const { transactionId, attempts } = await read();
    const found = await gateway.get(`/transactions/${transactionId}`, options);
    const response: ApiResponse =
      found.status === 404
        ? { ...found, status: 422, body: { message: firstUpper(String(attempts[0].reason)) } }
        : { ...found, status: 201 };
    if (response.status === 201) this.#remember(command, { path: '/subscriptions' }, response);
    const observed = observedTimesOf(response, command);
    return { command, observed, response: answerOf(response, command) };
  }

  async #saveCard(number: string): Promise<string> {
    const { cvv: _cvv, ...card } = CARD;
    const options = { apiKey: this.apiKey };
    const saved = await this.#nodes.gateway.post('/card-tokens', { ...card, number }, options);
    return String(saved.body.data.token);
  }

  /** Pauses or cancels the subscription of a charge. Returns whether its status allowed it. */
  async changeSubscription(charge: string, action: 'pause' | 'cancel'): Promise<boolean> {
    const path = `/subscriptions/${this.#subscriptions.get(charge)}/${action}`;
    const { status } = await this.#nodes.gateway.post(path, undefined, { apiKey: this.apiKey });
    expect([200, 422]).toContain(status);
    return status === 200;
  }

  /** The charges that a subscription has made. */
  get subscribed(): readonly string[] {
    return [...this.#subscriptions.keys()].filter((charge) => this.#ids.has(charge));
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

  #remember(command: Command, request: Request, response: ApiResponse): void {
    const name = recordOf(command);
    if (name !== undefined) {
      const id = String(response.body.data.id);
      this.#ids.set(name, id);
      this.#names.set(id, name);
    }
    const { path, body, key } = request;
    if (key === undefined) return;
    const charge = 'charge' in command ? command.charge : undefined;
    const sent = { path, body, key, text: response.text, at: this.#nodes.now(), charge };
    this.#requests.set(name ?? key, sent);
  }

  idOf(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`unknown record ${name}`);
    return id;
  }

  #nameOf(id: string): string {
    return this.#names.get(id) ?? `unknown ${id}`;
  }

  lineOf(line: string): readonly [file: string, line: number] | undefined {
    return this.#lines.get(line);
  }

  /** Each charge has a payer of its own. */
  emailOf(charge: string): string {
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
        const name = this.#nameOf(transactionId);
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

  wallets(): Promise<ObservableState['wallets']> {
    return readWallets((path) => this.#get(path));
  }

  statement(wallets: ObservableState['wallets']): Promise<ObservableState['booked']> {
    const nameOf = (id: string): string => this.#nameOf(id);
    return readStatement((path) => this.#get(path), nameOf, wallets);
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

  async #get(path: string): Promise<ApiResponse> {
    const response = await this.#nodes.gateway.get(path, { apiKey: this.apiKey });
    expect(response.status).toBe(200);
    return response;
  }
}

/** Whether a cycle has its transaction, or was refused. */
const isTried = (invoice: { transactionId: string | null; status: string } | undefined) =>
  invoice !== undefined && (invoice.transactionId !== null || invoice.status === 'FAILED');

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const named = async (
  names: readonly string[],
  read: (name: string) => Promise<string>,
): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
