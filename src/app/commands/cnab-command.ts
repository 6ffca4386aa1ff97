import { readFile, rm, writeFile } from 'node:fs/promises';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { ConfigError, type Config } from '#app/config.ts';
import type { Database } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { ImportedReturn } from '#cnab/exchange/return-import.ts';
import type { CnabService } from '#cnab/exchange/service.ts';
import { SERVICES, type Service } from '#cnab/exchange/shipment.ts';
import { openRuntime } from '#app/runtime.ts';
import { composeOfflineServices } from '#app/services.ts';

/** The arguments: `ship FILE [SERVICE]` or `return FILE`. */
export type CnabCommand =
  | { readonly kind: 'ship'; readonly file: string; readonly service: Service }
  | { readonly kind: 'return'; readonly file: string };

const REMEDY = 'set BOLETO_PROVIDER or PAYOUT_PROVIDER to cnab';
const USAGE = `Usage: cnab ship FILE [${SERVICES.join('|').toLowerCase()}], or cnab return FILE`;

/**
 * Parses the command line.
 *
 * @throws Error with the usage.
 */
export function parseCnabCommand([kind, file, named, ...more]: readonly string[]): CnabCommand {
  const service = SERVICES.find((one) => one === (named ?? 'boletos').toUpperCase());
  if (file !== undefined && more.length === 0) {
    if (kind === 'ship' && service !== undefined) return { kind, file, service };
    if (kind === 'return' && named === undefined) return { kind, file };
  }
  throw new Error(USAGE);
}

export interface CommandContext {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
}

/**
 * Creates or imports one file, as the operator's API does. A gateway may be running on the same
 * database. Returns true if nothing needs attention.
 */
export async function runCnabCommand(
  command: CnabCommand,
  { config, database, log }: CommandContext,
  say: (line: string) => void,
): Promise<boolean> {
  if (config.cnab === undefined) {
    throw new ConfigError([`file exchange is not configured: ${REMEDY}`]);
  }
  const { cnab } = composeOfflineServices(await openRuntime({ config, database, log }));
  return command.kind === 'ship'
    ? writeShipment(cnab, command.file, command.service, say)
    : importReturnFile(cnab, command.file, say);
}

async function writeShipment(
  cnab: CnabService,
  file: string,
  service: Service,
  say: (line: string) => void,
): Promise<boolean> {
  // Opened first: a file that cannot be written must not take a number.
  await writeFile(file, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'EEXIST' ? `${file} already exists` : `${file} cannot be written`);
  });
  const result = await cnab.createShipment(service, GATEWAY_ACTOR);
  if (result.kind === 'created') {
    await writeFile(file, result.bytes);
    const { number, registrations, writeOffs, payments } = result.shipment;
    say(`file ${number}: ${registrations} to register, ${writeOffs} to write off, ${payments} payments`);
    return true;
  }
  await rm(file);
  if (result.kind === 'not-configured')
    throw new Error(`file exchange is not configured for ${service.toLowerCase()}: ${REMEDY}`);
  say('nothing to ship');
  return true;
}

async function importReturnFile(
  cnab: CnabService,
  file: string,
  say: (line: string) => void,
): Promise<boolean> {
  const result = await cnab.importReturn(await readFile(file), GATEWAY_ACTOR);
  switch (result.kind) {
    case 'not-configured':
      throw new Error(`file exchange is not configured: ${REMEDY}`);
    case 'rejected':
      for (const problem of result.problems) say(problem);
      say('nothing was imported');
      return false;
    case 'imported':
    case 'repeated':
      printReturn(result.imported, say);
      if (result.kind === 'repeated') say('this file was imported before');
      return true;
  }
}

function printReturn({ counts, problems, problemCount }: ImportedReturn, say: (line: string) => void): void {
  for (const { kind, outcome, lines } of counts) say(`${lines} ${kind} ${outcome ?? 'WAITING'}`);
  for (const { number, kind, outcome, record, reason, detail } of problems) {
    const words = [reason, detail].filter((one) => one !== null).join('; ');
    say(
      `line ${number}: ${kind} ${outcome ?? 'WAITING'} ${record} ${words}`.replaceAll(/ +/g, ' ').trimEnd(),
    );
  }
  if (problemCount > problems.length) say(`and ${problemCount - problems.length} more lines to review`);
}
