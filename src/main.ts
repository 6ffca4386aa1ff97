import {
  cnabCommand,
  distributeCommand,
  ledgerCheckCommand,
  migrateCommand,
  payerCommand,
  recoverAdminCommand,
  restoredCommand,
  rotateKeysCommand,
} from '#app/commands/commands.ts';
import { doctorCommand } from '#app/commands/doctor-command.ts';
import { explain } from '#app/commands/explain-error.ts';
import { printError, printFatal } from '#app/commands/output.ts';
import { serve } from '#app/commands/serve-command.ts';

const USAGE = `Usage: npm run COMMAND [-- OPTIONS]

  start         API and worker, with an embedded PostgreSQL unless DATABASE_URL is set
  api           only the API
  worker        only the worker
  migrate       migrate the database schema; --grant-app ROLE and --grant-reports ROLE grant the
                least privileges to these database roles
  distribute    distribute the tables of a migrated database over the nodes of its Citus cluster;
                --shards N sets the number of shards of each table (default: two for each node)
  doctor        check settings, database, clock, disk, certificates, Redis, providers and backups; --json
                prints JSON; exits with 1 if something is wrong
  ledger:check  check the ledger, and exported heads with --head LINE; exits with 1 on a discrepancy
  cnab          exchange files with the bank: cnab ship FILE [boletos|transfers|pix], cnab return FILE
  payer         export or erase a payer's personal data: payer export|erase, with the CPF, CNPJ or
                email address on standard input
  recover-admin give an ADMIN a new password when no other ADMIN is left: recover-admin EMAIL
  restored      after a restore of the database: --at TIME pauses payouts and shipments, --confirm resumes
                them; docs/backups.md walks through it
  rotate-keys   create a data key, reencrypt all values with it, and wrap the data keys with the first
                master key; --master only wraps; --master-from key|file|command changes the source

Without npm, as in the container image: node src/main.ts COMMAND [OPTIONS], with ledger-check.
Settings are environment variables; docs/configuration.md lists them.
`;

type Command = (args: readonly string[]) => Promise<void>;

/** Processes that serve, whose output is a log. */
const SERVING: ReadonlySet<string> = new Set(['start', 'api', 'worker']);

const COMMANDS: Readonly<Partial<Record<string, Command>>> = {
  start: (args) => serve(args, { api: true, worker: true }),
  api: (args) => serve(args, { api: true, worker: false }),
  worker: (args) => serve(args, { api: false, worker: true }),
  migrate: migrateCommand,
  distribute: distributeCommand,
  doctor: doctorCommand,
  'ledger-check': ledgerCheckCommand,
  cnab: cnabCommand,
  payer: payerCommand,
  'recover-admin': recoverAdminCommand,
  restored: restoredCommand,
  'rotate-keys': rotateKeysCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  try {
    await command(args);
  } catch (error) {
    for (const line of explain(error)) (SERVING.has(name) ? printFatal : printError)(line);
    process.exitCode = 1;
  }
}
