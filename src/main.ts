import {
  cnabCommand,
  ledgerCheckCommand,
  listenCommand,
  migrateCommand,
  payerCommand,
  recoverAdminCommand,
  rotateKeysCommand,
} from '#app/commands/commands.ts';
import { explain } from '#app/commands/explain-error.ts';
import { printError } from '#app/commands/output.ts';
import { serve } from '#app/commands/serve-command.ts';

const USAGE = `Usage: gateway COMMAND

  start         API and worker, with an embedded PostgreSQL unless DATABASE_URL is set
  api           API alone
  worker        worker alone
  migrate       bring the database schema to the newest version; --grant-app ROLE and --grant-reports ROLE
                give users of the database what they need and no more
  ledger-check  recompute every balance; ends with 1 where one differs; --head LINE checks exported heads too
  cnab          exchange files with the bank: cnab ship FILE [boletos|transfers|pix], cnab return FILE
  payer         export or erase a payer's personal data; reads the document or e-mail address from its input
  recover-admin make an ADMIN with a new password when no second one is left: recover-admin EMAIL
  rotate-keys   make a data key and reencrypt everything with it, and wrap the data keys with the first
                master key; --master wraps alone; --master-from key|file|command moves to another source
  listen        post a seller's events to this machine: listen --forward-to http://localhost:3000/hook

Settings are environment variables; docs/configuration.md lists them.
`;

type Command = (args: readonly string[]) => Promise<void>;

const COMMANDS: Readonly<Partial<Record<string, Command>>> = {
  start: (args) => serve(args, { api: true, worker: true }),
  api: (args) => serve(args, { api: true, worker: false }),
  worker: (args) => serve(args, { api: false, worker: true }),
  migrate: migrateCommand,
  'ledger-check': ledgerCheckCommand,
  cnab: cnabCommand,
  payer: payerCommand,
  'recover-admin': recoverAdminCommand,
  'rotate-keys': rotateKeysCommand,
  listen: listenCommand,
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
    for (const line of explain(error)) printError(line);
    process.exitCode = 1;
  }
}
