import { text } from 'node:stream/consumers';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Database } from '#platform/database/connect.ts';
import { composePrivacy } from '#app/personal-data.ts';
import { openClock } from '#app/runtime.ts';
import type { TransactionKey } from '#privacy/personal-data.ts';
import type { NotErasedTransaction } from '#privacy/service.ts';
import { parseSearch } from '#privacy/search-query.ts';
import { RecordCaches } from '#platform/database/record-caches.ts';
import { createSellersService } from '#sellers/service.ts';

export type PayerCommand = 'export' | 'erase';

/**
 * Parses the command line. The payer is read from the input, since other users can see arguments.
 *
 * @throws Error with the usage.
 */
export function parsePayerCommand([kind, ...more]: readonly string[]): PayerCommand {
  if ((kind === 'export' || kind === 'erase') && more.length === 0) return kind;
  throw new Error('Usage: npm run payer export|erase, with the CPF, CNPJ or email address on standard input');
}

/**
 * Exports a payer's data, one transaction per line, or erases it. A gateway may be running on the
 * same database.
 */
export async function runPayerCommand(
  command: PayerCommand,
  database: Database,
  input: NodeJS.ReadableStream,
  printLine: (line: string) => void,
): Promise<void> {
  const query = parseSearch((await text(input)).trim());
  if (query === undefined) throw new Error('the input must be a CPF, a CNPJ or an email address');
  const { db } = database;
  const sellers = createSellersService(db, new RecordCaches(database));
  const privacy = composePrivacy({ db, clock: await openClock(db), sellers, secrets: undefined });
  const sum = { erased: 0, erasedCustomers: 0, kept: new Array<NotErasedTransaction>() };
  for (let after: TransactionKey | undefined; ;) {
    if (command === 'export') {
      const { result, next } = await privacy.export(query, after, GATEWAY_ACTOR);
      for (const { sellerId, id, ...held } of result.customers)
        printLine(JSON.stringify({ sellerId, customerId: id, held }));
      for (const { sellerId, id, held } of result.transactions)
        printLine(JSON.stringify({ sellerId, transactionId: id, held }));
      after = next;
    } else {
      const { result, next } = await privacy.erase(query, after, GATEWAY_ACTOR);
      sum.erased += result.erased;
      sum.erasedCustomers += result.erasedCustomers;
      sum.kept.push(...result.kept);
      after = next;
    }
    if (after === undefined) break;
  }
  if (command === 'erase') printLine(JSON.stringify(sum, null, 2));
}
