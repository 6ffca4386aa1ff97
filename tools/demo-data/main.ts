import { withDatabase } from '#app/commands/database-server.ts';
import { explain } from '#app/commands/explain-error.ts';
import { printError, printLine } from '#app/commands/output.ts';
import { readConfig } from '#app/config.ts';
import { createLogger } from '#platform/kit/log.ts';
import { writeDemoData } from './demo-data.ts';

/** Fills the sandbox with a year of history: `npm run demo-data -- [TRANSACTIONS]`. */

const DEFAULT_TRANSACTION_COUNT = 200_000;

try {
  await run(process.argv[2]);
} catch (error) {
  for (const line of explain(error)) printError(line);
  process.exitCode = 1;
}

async function run(argument: string | undefined): Promise<void> {
  const transactionCount = argument === undefined ? DEFAULT_TRANSACTION_COUNT : Number(argument);
  if (!Number.isSafeInteger(transactionCount) || transactionCount < 1 || transactionCount > 10_000_000) {
    throw new Error('demo-data takes a number of transactions from 1 to 10000000');
  }
  const config = readConfig(process.env);
  if (config.mode !== 'sandbox')
    throw new Error('demo-data requires MODE=sandbox: the history must not be mixed with real payments');
  const log = createLogger('warn');
  await withDatabase({ config, log, poolSize: 6, mapUrl: withoutSynchronousCommit }, async (database) => {
    const begun = performance.now();
    const made = await writeDemoData({ config, database, log }, transactionCount, printLine);
    const seconds = Math.round((performance.now() - begun) / 1000);
    printLine(`${made.charges} transactions of ${made.sellers} sellers in ${seconds} s`);
  });
}

/** Demo data may be lost in a crash, so its commits do not wait for the disk. */
function withoutSynchronousCommit(url: string): string {
  const address = new URL(url);
  address.searchParams.set('options', '-c synchronous_commit=off');
  return address.href;
}
