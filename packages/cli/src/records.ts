import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { Option, type Command } from 'commander';

import type { Vereda, Body, operations } from '../../sdk/src/index.ts';
import { connect } from './connection.ts';
import { printList, printRecord, UsageError, type CommonOptions } from './output.ts';
import { sampleCharge } from './samples.ts';
import { findDisputeOf } from './scenarios/disputes.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly status?: string;
  readonly filter?: readonly string[];
}

interface CreateOptions extends CommonOptions {
  readonly data?: string;
  readonly idempotencyKey?: string;
  readonly amount?: number;
  readonly method?: (typeof METHODS)[number];
  readonly title?: string;
  readonly description?: string;
  readonly externalRef?: string;
  readonly pixKey?: string;
  readonly pixKeyType?: string;
  readonly transaction?: string;
}

/** A sample charge can be paid by them without a card. */
const METHODS = ['PIX', 'BOLETO'] as const;

type Resource = 'transactions' | 'withdrawals' | 'disputes' | 'paymentLinks';

const COLUMNS: Readonly<Record<Resource, readonly string[]>> = {
  transactions: ['id', 'status', 'method', 'amount', 'externalRef', 'createdAt'],
  withdrawals: ['id', 'status', 'method', 'amount', 'createdAt'],
  disputes: ['id', 'status', 'transactionId', 'amount', 'createdAt'],
  paymentLinks: ['id', 'status', 'title', 'amount', 'url'],
};

/** Adds `list`, `get` and `create` of a kind of record. */
export function addRecordCommands(program: Command, name: string, resource: Resource): void {
  const parent = program.command(name).description(`list, retrieve and create ${name.replace('-', ' ')}`);
  parent
    .command('list')
    .description(`list ${name.replace('-', ' ')}, newest first`)
    .option('--limit <count>', 'maximum number of records', parseLimit, 20)
    .option('--status <status>', 'only records with this status')
    .option('--filter <name=value...>', 'filter of the API, such as method=PIX')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>();
      const vereda = await connect(options);
      const query = { ...parseFilters(options), take: Math.min(options.limit, 100) };
      printList(await vereda[resource].list(query).toArray(options.limit), COLUMNS[resource], options);
    });
  parent
    .command('get <id>')
    .description('retrieve one record')
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      printRecord(await getRecord(await connect(options), resource, id), options);
    });
  addCreate(parent, resource);
}

/** Reads a record. The API answers a dispute as a list of one. */
async function getRecord(vereda: Vereda, resource: Resource, id: string): Promise<object> {
  if (resource !== 'disputes') return vereda[resource].get(id);
  const { data } = await vereda.disputes.get(id);
  return data[0] ?? {};
}

function addCreate(parent: Command, resource: Resource): void {
  const create = parent
    .command('create')
    .option('-d, --data <json>', 'body of the request as JSON; @FILE reads a file, @- standard input')
    .option('--idempotency-key <uuid>', 'key that makes it safe to repeat the command')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const vereda = await connect(options);
      printRecord(await CREATE[resource](vereda, await readData(options), options), options);
    });
  if (resource === 'disputes') {
    create.description('open a dispute on a paid transaction, in the sandbox');
    create.requiredOption('--transaction <id>', 'id of the paid transaction');
    return;
  }
  create.option('--amount <cents>', 'amount in cents', parseAmount);
  create.option('--description <text>', 'description');
  if (resource === 'transactions') {
    create.description('create a transaction; with a sandbox key and without --data, for a sample payer');
    create.addOption(new Option('--method <method>', 'how the payer pays').choices(METHODS).default('PIX'));
    create.option('--external-ref <reference>', 'your reference');
  } else if (resource === 'paymentLinks') {
    create.description('create a payment link');
    create.option('--title <title>', 'title that payers see');
    create.option('--external-ref <reference>', 'your reference');
  } else {
    create.description('create a withdrawal from the balance');
    create.option('--pix-key <key>', 'Pix key of the beneficiary');
    create.option('--pix-key-type <type>', 'CPF, CNPJ, PHONE, EMAIL or EVP');
  }
}

type Create = (vereda: Vereda, data: object, options: CreateOptions) => Promise<object>;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway validates it
const asBody = <I extends keyof operations>(body: object) => body as Body<I>;

const CREATE: Readonly<Record<Resource, Create>> = {
  transactions(vereda, data, options) {
    const { amount, method, description, externalRef } = options;
    const isSample = amount !== undefined && !('customer' in data) && !('customerId' in data);
    const sample = isSample ? sampleCharge(amount, method ?? 'PIX') : { method };
    const body = { ...sample, ...given({ amount, description, externalRef }), ...data };
    return vereda.transactions.create(asBody<'createTransaction'>(body), requestOptions(options));
  },
  withdrawals(vereda, data, options) {
    const { amount, description, pixKey, pixKeyType } = options;
    const body = { method: 'PIX', ...given({ amount, description, pixKey, pixKeyType }), ...data };
    return vereda.withdrawals.create(asBody<'createWithdrawal'>(body), requestOptions(options));
  },
  paymentLinks(vereda, data, options) {
    const { amount, description, title, externalRef } = options;
    const body = { ...given({ amount, description, title, externalRef }), ...data };
    return vereda.paymentLinks.create(asBody<'createPaymentLink'>(body), requestOptions(options));
  },
  async disputes(vereda, _data, { transaction = '' }) {
    await vereda.sandbox.openDispute(transaction);
    return findDisputeOf(vereda, transaction);
  },
};

const requestOptions = ({ idempotencyKey }: CreateOptions) =>
  idempotencyKey === undefined ? {} : { idempotencyKey };

const given = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

async function readData({ data }: CreateOptions): Promise<object> {
  if (data === undefined) return {};
  const source = data === '@-' ? await text(process.stdin) : await readSource(data);
  try {
    const parsed: unknown = JSON.parse(source);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // Reported below.
  }
  throw new UsageError('--data must be a JSON object, @file or @-');
}

async function readSource(data: string): Promise<string> {
  if (!data.startsWith('@')) return data;
  const file = data.slice(1);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new UsageError(`--data: the file ${file} cannot be read: ${reason}`);
  }
}

function parseFilters({ filter = [], status }: ListOptions): Record<string, string> {
  const entries = filter.map((text) => {
    const separator = text.indexOf('=');
    if (separator < 1) throw new UsageError('--filter must be name=value');
    return [text.slice(0, separator), text.slice(separator + 1)] as const;
  });
  return {
    ...Object.fromEntries(entries),
    ...(status === undefined ? {} : { status: status.toUpperCase() }),
  };
}

/** Reads the value of an option that is a positive integer. */
const parserOf = (rule: string) => (text: string) => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new UsageError(rule);
  return count;
};

export const parseLimit = parserOf('--limit must be a positive integer');
export const parseAmount = parserOf('--amount must be a number of cents, such as 1500 for R$ 15.00');
