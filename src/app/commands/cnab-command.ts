import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { ConfigError, type Config } from '#app/config.ts';
import type { Database } from '#platform/database/connect.ts';
import { errorCode } from '#platform/kit/errors.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { ImportedReturn } from '#cnab/exchange/return-import.ts';
import type { CnabService } from '#cnab/exchange/service.ts';
import type { ShipmentFile } from '#cnab/exchange/shipment-export.ts';
import { SERVICES, type Service } from '#cnab/exchange/shipment.ts';
import { openRuntime } from '#app/runtime.ts';
import { composeOfflineServices } from '#app/services.ts';

/** The arguments: `ship FILE [SERVICE]` or `return FILE`. */
export type CnabCommand =
  | { readonly kind: 'ship'; readonly file: string; readonly service: Service }
  | { readonly kind: 'return'; readonly file: string };

const REMEDY = 'set BOLETO_PROVIDER or PAYOUT_PROVIDER to cnab';
const USAGE = `Usage: npm run cnab ship FILE [${SERVICES.join('|').toLowerCase()}], or npm run cnab return FILE`;

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
  printLine: (line: string) => void,
): Promise<boolean> {
  if (config.cnab === undefined) {
    throw new ConfigError([`file exchange is not configured: ${REMEDY}`]);
  }
  const { cnab } = composeOfflineServices(await openRuntime({ config, database, log }));
  return command.kind === 'ship'
    ? writeShipment(cnab, command.file, command.service, printLine)
    : importReturnFile(cnab, command.file, printLine);
}

/**
 * Writes the next file of a service. A file that an earlier run created and could not write comes
 * first: no other file contains its records.
 */
async function writeShipment(
  cnab: CnabService,
  path: string,
  service: Service,
  printLine: (line: string) => void,
): Promise<boolean> {
  const draft = await openDraft(path);
  try {
    const file = (await cnab.findUnwrittenFile(service)) ?? (await createShipment(cnab, service));
    if (file === undefined) {
      printLine('nothing to ship');
      return true;
    }
    const { id, number, registrations, writeOffs, payments } = file.shipment;
    await draft.complete(file.bytes).catch((error: unknown) => {
      throw new Error(
        `${path} cannot be written (${errorCode(error)}): ` +
          `file ${number} was created, and the next run writes it; ` +
          `it can also be downloaded from GET /v1/admin/cnab/shipments/${id}/file`,
        { cause: error },
      );
    });
    await cnab.markShipmentWritten(id);
    printLine(
      `file ${number}: ${registrations} to register, ${writeOffs} to write off, ${payments} payments`,
    );
    return true;
  } finally {
    await draft.discard();
  }
}

async function createShipment(cnab: CnabService, service: Service): Promise<ShipmentFile | undefined> {
  const result = await cnab.createShipment(service, GATEWAY_ACTOR);
  switch (result.kind) {
    case 'created':
      return result;
    case 'empty':
      return undefined;
    case 'paused':
      throw new Error(
        'payouts and remittance files are paused after a restore: compare what was sent, then run ' +
          'npm run restored -- --confirm',
      );
    case 'not-configured':
      throw new Error(`file exchange is not configured for ${service.toLowerCase()}: ${REMEDY}`);
  }
}

/**
 * Opens a temporary file first, so that no file number is used for a path that cannot be written.
 * The file is renamed when its content is on disk.
 */
async function openDraft(path: string) {
  const name = `${path}.partial`;
  if (await stat(path).catch(() => undefined)) throw new Error(`${path} already exists`);
  const handle = await open(name, 'w').catch((error: unknown) => {
    throw new Error(`${path} cannot be written (${errorCode(error)})`, { cause: error });
  });
  return {
    async complete(bytes: Buffer): Promise<void> {
      await handle.writeFile(bytes);
      await handle.sync();
      await rename(name, path);
      await using directory = await open(dirname(path));
      await directory.sync();
    },
    async discard(): Promise<void> {
      await handle.close();
      await rm(name, { force: true });
    },
  };
}

async function importReturnFile(
  cnab: CnabService,
  file: string,
  printLine: (line: string) => void,
): Promise<boolean> {
  const result = await cnab.importReturn(await readFile(file), GATEWAY_ACTOR);
  switch (result.kind) {
    case 'not-configured':
      throw new Error(`file exchange is not configured: ${REMEDY}`);
    case 'rejected':
      for (const problem of result.problems) printLine(problem);
      printLine('nothing was imported');
      return false;
    case 'imported':
    case 'repeated':
      printReturn(result.imported, printLine);
      if (result.kind === 'repeated') printLine('this file was imported before');
      return true;
  }
}

function printReturn(
  { counts, problems, problemCount }: ImportedReturn,
  printLine: (line: string) => void,
): void {
  for (const { kind, outcome, lines } of counts) printLine(`${lines} ${kind} ${outcome ?? 'WAITING'}`);
  for (const { number, kind, outcome, record, reason, detail } of problems) {
    const words = [reason, detail].filter((one) => one !== null).join('; ');
    printLine(
      `line ${number}: ${kind} ${outcome ?? 'WAITING'} ${record} ${words}`.replaceAll(/ +/g, ' ').trimEnd(),
    );
  }
  if (problemCount > problems.length) printLine(`and ${problemCount - problems.length} more lines to review`);
}
