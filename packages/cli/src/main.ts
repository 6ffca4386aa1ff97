#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';

import { Command, CommanderError, Option } from 'commander';

import { Vereda, VeredaApiError, VeredaConnectionError } from '../../sdk/src/index.ts';
import { connect, findConnection, parseBaseUrl, saveLogin, setting } from './connection.ts';
import { listen, type ListenOptions } from './listen.ts';
import type { McpOptions } from './mcp.ts';
import { advanceClock } from './operator.ts';
import { printList, printRecord, printLine, UsageError, withoutKeys, type CommonOptions } from './output.ts';
import { addRecordCommands, parseAmount, parseLimit } from './records.ts';
import { trigger, type TriggerOptions } from './trigger.ts';

/** Exit codes. */
const REFUSED = 1;
const INVALID_USAGE = 2;
const UNREACHABLE = 3;

const SECONDS_OF_UNIT = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
]);

function parseDuration(given: string): number {
  const match = /^(\d{1,9})([smhd]?)$/.exec(given);
  const seconds = Number(match?.[1]) * (SECONDS_OF_UNIT.get(match?.[2] || 's') ?? 1);
  if (match === null || seconds < 1)
    throw new UsageError('a duration must be a number with a unit, such as 90s, 5m, 2h or 1d');
  return seconds;
}

async function login(options: CommonOptions): Promise<void> {
  const baseUrl = parseBaseUrl(options.url ?? setting('VEREDA_URL') ?? 'http://127.0.0.1:8080');
  const apiKey = (options.apiKey ?? (await askForKey())).trim();
  if (apiKey === '') throw new UsageError('an API key is required');
  try {
    await new Vereda({ baseUrl, apiKey }).events.list({ after: 'now' });
  } catch (error) {
    // A valid key may lack this permission.
    if (!(error instanceof VeredaApiError && error.status === 403)) throw error;
  }
  const file = await saveLogin({ baseUrl, apiKey });
  if (options.json === true) printRecord({ baseUrl, file }, options);
  else printLine(`The key is valid at ${baseUrl}. Saved to ${file}.`);
}

async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await prompt.question('API key: ');
  } finally {
    prompt.close();
  }
}

const MED_TYPES = [
  'SCAM',
  'ACCOUNT_TAKEOVER',
  'COERCION',
  'FRAUDULENT_ACCESS',
  'OTHER',
  'UNKNOWN',
] as const satisfies readonly TriggerOptions['medType'][];

const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'HELD'] as const;

interface LogsOptions extends CommonOptions {
  readonly limit: number;
  readonly status?: (typeof DELIVERY_STATUSES)[number];
  readonly record?: string;
}

/** Prints webhook deliveries, or one delivery with its attempts. */
async function logs(id: string | undefined, options: LogsOptions): Promise<void> {
  const { deliveries } = (await connect(options)).webhooks;
  if (id !== undefined) {
    printRecord(await deliveries.get(id), options);
    return;
  }
  const { limit, status, record } = options;
  const query = {
    take: Math.min(limit, 100),
    ...(status === undefined ? {} : { status }),
    ...(record === undefined ? {} : { recordId: record }),
  };
  const columns = ['id', 'status', 'event', 'recordId', 'attemptCount', 'url', 'createdAt'];
  printList(await deliveries.list(query).toArray(limit), columns, options);
}

async function showConfig(options: CommonOptions): Promise<void> {
  const { baseUrl, apiKey, source } = await findConnection(options);
  printRecord({ baseUrl, apiKey: `${apiKey.slice(0, 12)}…`, source }, options);
}

function addEventCommands(program: Command): void {
  program
    .command('listen')
    .description('forward events to this machine, signed like webhooks; continue where the last run stopped')
    .requiredOption('--forward-to <url>', 'URL to post events to, such as http://localhost:3000/hook')
    .option('--events <names>', 'comma-separated event names')
    .option('--latest', 'skip events since the last run')
    .action((_options, command: Command) => listen(command.optsWithGlobals<ListenOptions>()));
  program
    .command('trigger [event]')
    .description('simulate an event or a status in the sandbox; without a name, list all names')
    .option('--amount <cents>', 'amount in cents, to which up to 99 are added', parseAmount, 5_000)
    .addOption(
      new Option('--med-type <type>', 'what the payer of a MED claim reported')
        .choices(MED_TYPES)
        .default(MED_TYPES[0]),
    )
    .action((event: string | undefined, _options, command: Command) =>
      trigger(event, command.optsWithGlobals<TriggerOptions>()),
    );
}

function addClockCommand(program: Command): void {
  program
    .command('clock')
    .description('move the sandbox clock')
    .command('advance <duration>')
    .description('move the sandbox clock forward, as the operator, for example by 90s, 5m, 2h or 1d')
    .action(async (duration: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      printRecord(await advanceClock(options, parseDuration(duration)), options);
    });
}

function createProgram(): Command {
  const program = new Command('vereda')
    .description('Command line for the Vereda API')
    .version('0.1.0')
    .option('--url <url>', 'URL of the gateway (env: VEREDA_URL)')
    .option('--api-key <key>', 'API key (env: VEREDA_API_KEY, which other users of the machine cannot see)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 1 if the request failed, 2 for invalid usage, 3 if the gateway does not respond.',
    )
    .configureOutput({ outputError: (message, write) => write(withoutKeys(message)) })
    .exitOverride();
  addEventCommands(program);
  addRecordCommands(program, 'transactions', 'transactions');
  addRecordCommands(program, 'withdrawals', 'withdrawals');
  addRecordCommands(program, 'disputes', 'disputes');
  addRecordCommands(program, 'payment-links', 'paymentLinks');
  addClockCommand(program);
  program
    .command('logs [delivery]')
    .description('list webhook deliveries, newest first; with an id, show the attempts of that delivery')
    .option('--limit <count>', 'maximum number of deliveries', parseLimit, 20)
    .addOption(new Option('--status <status>').choices(DELIVERY_STATUSES))
    .option('--record <id>', 'only deliveries about the record with this id')
    .action((id: string | undefined, _options, command: Command) =>
      logs(id, command.optsWithGlobals<LogsOptions>()),
    );
  program
    .command('mcp')
    .description('run a Model Context Protocol (MCP) server on standard input and output, for AI assistants')
    .option('--allow-writes', 'also offer tools that move money with a live key')
    // Its libraries are slow to load, and other commands do not need them.
    .action(async (_options, command: Command) => {
      const { serveMcp } = await import('./mcp.ts');
      await serveMcp(command.optsWithGlobals<McpOptions>());
    });
  program
    .command('login')
    .description('save the URL of the gateway and an API key, read from standard input')
    .action((_options, command: Command) => login(command.optsWithGlobals<CommonOptions>()));
  program
    .command('config')
    .description('show the gateway and the API key that commands use')
    .action((_options, command: Command) => showConfig(command.optsWithGlobals<CommonOptions>()));
  return program;
}

function describe(error: unknown): string {
  if (error instanceof VeredaApiError && error.message === 'Unauthorized')
    return `${error.message}: check the API key. \`vereda config\` shows which one is used, \`vereda login\` saves another one.`;
  return error instanceof Error ? error.message : 'unknown error';
}

function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : INVALID_USAGE;
  const message = withoutKeys(describe(error));
  const details =
    error instanceof VeredaApiError
      ? { code: error.code, status: error.status, requestId: error.requestId, errors: error.errors }
      : {};
  process.stderr.write(json ? `${JSON.stringify({ error: message, ...details })}\n` : `vereda: ${message}\n`);
  if (error instanceof UsageError) return INVALID_USAGE;
  return error instanceof VeredaConnectionError ? UNREACHABLE : REFUSED;
}

// The reader of the output, such as head, may end first.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
// Nothing is open that a signal could leave half done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error, process.argv.includes('--json'));
}
