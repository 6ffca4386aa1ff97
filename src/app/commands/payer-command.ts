import { text } from 'node:stream/consumers';

import { GATEWAY } from '#platform/http/author.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { Database } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { createPayersService, type ChargeKey, type KeptCharge } from '#privacy/service.ts';
import { readSought } from '#privacy/search-query.ts';

export type PayerOrder = 'export' | 'erase';

/**
 * The order of a command line. Whom it is about is not told there, where others on the machine can read it.
 *
 * @throws Error that shows the forms it may have.
 */
export function readPayerOrder([kind, ...more]: readonly string[]): PayerOrder {
  if ((kind === 'export' || kind === 'erase') && more.length === 0) return kind;
  throw new Error('payer takes: export, or erase, and reads a document or e-mail from its input');
}

/** Exports a payer's data, a charge a line, or erases it in all charges; beside a running gateway too. */
export async function runPayer(
  order: PayerOrder,
  { db }: Database,
  input: NodeJS.ReadableStream,
  say: (line: string) => void,
): Promise<void> {
  const sought = readSought((await text(input)).trim());
  if (sought === undefined) throw new Error('the input must be a CPF, a CNPJ or an e-mail address');
  const clock = new Clock();
  clock.moveTo((await readDomainClock(db)).offsetMs);
  const payers = createPayersService(db, clock);
  const sum: { erased: number; kept: KeptCharge[] } = { erased: 0, kept: [] };
  for (let after: ChargeKey | undefined; ;) {
    if (order === 'export') {
      const { done, next } = await payers.export(sought, after, GATEWAY);
      for (const { sellerId, id, held } of done) say(JSON.stringify({ sellerId, transactionId: id, held }));
      after = next;
    } else {
      const { done, next } = await payers.erase(sought, after, GATEWAY);
      sum.erased += done.erased;
      sum.kept.push(...done.kept);
      after = next;
    }
    if (after === undefined) break;
  }
  if (order === 'erase') say(JSON.stringify(sum, null, 2));
}
