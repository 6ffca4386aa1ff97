import { parseArgs } from 'node:util';

import { recordAudit } from '#audit/service.ts';
import {
  advancePaymentReferences,
  describeExchange,
  findFileNumbers,
  insertSentPayment,
  markPaymentSent,
  openFileNumbers,
  openFirstFileNumbers,
  setLastFileNumber,
  type FileNumbers,
  type SentPayment,
} from '#cnab/exchange/restore.ts';
import { SERVICES, sequenceOf, type Sequence } from '#cnab/exchange/shipment.ts';
import type { RestoreConfig } from '#app/config.ts';
import { findUnsettledWithdrawal, findUnsettledWithdrawals } from '#payouts/withdrawals/service.ts';
import type { Database, DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { cnabPaymentContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { pausePayouts, resumePayouts } from '#platform/database/payout-pause.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { skipBoletoNumbers } from '#providers/boleto/issuer.ts';

/** More numbers than a large installation uses between two backups. */
const DEFAULT_MARGIN = 100_000;
const MAX_MARGIN = 100_000_000;
const MAX_FILE_NUMBER = 999_999;
const MAX_LISTED = 1_000;

const USAGE =
  'Usage: npm run restored -- --at TIME [--margin N] [--last-file SERVICE=NUMBER], ' +
  'or npm run restored -- --confirm [--last-file SERVICE=NUMBER] [--sent WITHDRAWAL[=REFERENCE]]';

export type RestoredCommand =
  | { readonly kind: 'restored'; readonly at: Date; readonly margin: number; readonly lastFiles: LastFiles }
  | { readonly kind: 'confirmed'; readonly sent: readonly SentPayment[]; readonly lastFiles: LastFiles };

type LastFiles = ReadonlyMap<Sequence, number>;

/** @throws Error with the usage or the wrong value. */
export function parseRestoredCommand(args: readonly string[]): RestoredCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      at: { type: 'string' },
      margin: { type: 'string' },
      confirm: { type: 'boolean', default: false },
      'last-file': { type: 'string', multiple: true, default: [] },
      sent: { type: 'string', multiple: true, default: [] },
    },
  });
  const lastFiles = new Map(values['last-file'].map(parseLastFile));
  if (values.confirm) {
    if (values.at !== undefined || values.margin !== undefined) throw new Error(USAGE);
    return { kind: 'confirmed', sent: values.sent.map(parseSent), lastFiles };
  }
  if (values.at === undefined || values.sent.length > 0) throw new Error(USAGE);
  const margin = Number(values.margin ?? DEFAULT_MARGIN);
  if (!Number.isInteger(margin) || margin < 1 || margin > MAX_MARGIN) {
    throw new Error(`--margin must be an integer from 1 to ${MAX_MARGIN}`);
  }
  return { kind: 'restored', at: parseTime(values.at), margin, lastFiles };
}

function parseTime(text: string): Date {
  const at = new Date(text);
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text);
  if (isIso && !Number.isNaN(at.getTime())) return at;
  throw new Error('--at must be an ISO 8601 time with an offset, such as 2026-11-24T09:30:00-03:00');
}

function parseLastFile(text: string): readonly [Sequence, number] {
  const [name = '', digits = ''] = text.split('=');
  const service = SERVICES.find((one) => one === name.toUpperCase());
  const number = Number(digits);
  if (service !== undefined && /^\d{1,6}$/.test(digits) && number <= MAX_FILE_NUMBER) {
    return [sequenceOf(service), number];
  }
  const services = SERVICES.join(', ').toLowerCase();
  throw new Error(`--last-file must be SERVICE=NUMBER, with a service of ${services}, such as boletos=12`);
}

function parseSent(text: string): SentPayment {
  const [withdrawalId = '', digits] = text.split('=');
  if (!isUuid(withdrawalId) || (digits !== undefined && !/^\d{1,12}$/.test(digits))) {
    throw new Error('--sent must be the id of a withdrawal, or ID=REFERENCE with its reference in the file');
  }
  return { withdrawalId, reference: digits === undefined ? undefined : Number(digits) };
}

type PrintLine = (line: string) => void;

interface RestoreContext {
  readonly config: Pick<RestoreConfig, 'cnab'>;
  readonly database: Database;
  /** Opened only for payments that the restored database does not have. */
  readonly openSecrets: (db: Db) => Promise<SecretBox>;
}

/**
 * After a restore: pauses payouts and shipments, skips the numbers that may have been given after
 * the restored time, and lists what providers may have been sent. A confirmation resumes.
 */
export async function runRestoredCommand(
  command: RestoredCommand,
  context: RestoreContext,
  printLine: PrintLine,
): Promise<void> {
  const { db } = context.database;
  if (command.kind === 'confirmed') {
    const unused = await db.transaction().execute((trx) => confirmRestore(trx, context, command));
    for (const line of unused) printLine(line);
    printLine('Payouts and remittance files are resumed.');
    return;
  }
  const unused = await db.transaction().execute((trx) => beginRestore(trx, context, command));
  printLine(
    'Payouts and remittance files are paused. ' +
      `Boleto numbers and payment references advanced by ${command.margin}.`,
  );
  for (const line of unused) printLine(line);
  await listUnsettled(db, command.at, printLine);
  const open = (await findFileNumbers(db)).filter(({ isOpen }) => isOpen);
  for (const numbers of open) printLine(describeOpen(numbers));
  printLine('Compare these with what the providers received, then run: npm run restored -- --confirm');
}

async function beginRestore(
  trx: DatabaseTransaction,
  { config }: RestoreContext,
  { at, margin, lastFiles }: Extract<RestoredCommand, { kind: 'restored' }>,
): Promise<readonly string[]> {
  const now = new Date();
  if (at > now) throw new Error('--at must be in the past');
  if (!(await pausePayouts(trx, { restoredTo: at, pausedAt: now }))) {
    throw new Error('payouts are paused already: run npm run restored -- --confirm first');
  }
  await skipBoletoNumbers(trx, margin);
  await advancePaymentReferences(trx, margin);
  await openFileNumbers(trx);
  await openFirstFileNumbers(trx, describeExchange({ settings: config.cnab }));
  const unused = await setLastFileNumbers(trx, lastFiles, now);
  await recordRestore(trx, 'database.restored', now, { restoredTo: at.toISOString(), margin });
  return unused;
}

async function confirmRestore(
  trx: DatabaseTransaction,
  { config, openSecrets }: RestoreContext,
  { sent, lastFiles }: Extract<RestoredCommand, { kind: 'confirmed' }>,
): Promise<readonly string[]> {
  const now = new Date();
  if (!(await resumePayouts(trx))) throw new Error('payouts are not paused: there is nothing to confirm');
  await openFirstFileNumbers(trx, describeExchange({ settings: config.cnab }));
  const unused = await setLastFileNumbers(trx, lastFiles, now);
  const open = (await findFileNumbers(trx)).filter(({ isOpen }) => isOpen);
  if (open.length > 0) throw new Error(open.map(describeOpen).join('; '));
  for (const payment of sent) {
    if (!(await markPaymentSent(trx, payment, now))) await storeSentPayment(trx, payment, now, openSecrets);
  }
  const ids = sent.map(({ withdrawalId }) => withdrawalId);
  await recordRestore(trx, 'database.restore-confirmed', now, { sent: ids });
  return unused;
}

/** Of a withdrawal that was approved, or sent to the provider, only after the restored time. */
async function storeSentPayment(
  trx: DatabaseTransaction,
  { withdrawalId: id, reference }: SentPayment,
  at: Date,
  openSecrets: RestoreContext['openSecrets'],
): Promise<void> {
  const withdrawal = await findUnsettledWithdrawal(trx, id);
  if (withdrawal === undefined || !['PIX', 'TED'].includes(withdrawal.method)) {
    throw new Error(`--sent ${id} is not a withdrawal that waits for a file`);
  }
  if (reference === undefined) {
    throw new Error(
      `--sent ${id} has no reference in this database: give ${id}=REFERENCE, as in the file sent`,
    );
  }
  const { sellerId, amount, method } = withdrawal;
  const secrets = await openSecrets(trx);
  const isStored = await insertSentPayment(trx, {
    sellerId,
    id,
    reference,
    amount,
    service: method === 'PIX' ? 'PIX' : 'TRANSFERS',
    // No later file contains it.
    encryptedInstruction: secrets.encrypt('null', cnabPaymentContext(sellerId, id)),
    at,
  });
  if (!isStored) throw new Error(`--sent ${id}=${reference} contradicts a payment of this database`);
}

/** Returns what had no effect. */
async function setLastFileNumbers(
  trx: DatabaseTransaction,
  lastFiles: LastFiles,
  at: Date,
): Promise<readonly string[]> {
  const unused: string[] = [];
  for (const [sequence, last] of lastFiles) {
    if (await setLastFileNumber(trx, sequence, last, at)) continue;
    unused.push(
      `--last-file ${serviceOf(sequence)}=${last} has no effect: this database has no such file, and the ` +
        'settings exchange none (if they should, load them for --confirm)',
    );
  }
  return unused;
}

const serviceOf = (sequence: Sequence): string => (sequence === 'BOLETOS' ? 'boletos' : 'pix');

const recordRestore = (
  trx: DatabaseTransaction,
  action: 'database.restored' | 'database.restore-confirmed',
  at: Date,
  after: Readonly<Record<string, string | number | string[]>>,
): Promise<void> =>
  recordAudit(trx, GATEWAY_ACTOR, {
    action,
    recordType: 'database',
    recordId: null,
    sellerId: null,
    before: null,
    after,
    at,
  });

const describeOpen = ({ bankCode, sequence, last }: FileNumbers): string =>
  `The number of the last ${sequence.toLowerCase()} file of bank ${bankCode} is open ` +
  `(${last} in this database): give it with --last-file ${serviceOf(sequence)}=NUMBER`;

async function listUnsettled(db: Db, restoredTo: Date, printLine: PrintLine): Promise<void> {
  const { rows, count } = await findUnsettledWithdrawals(db, MAX_LISTED);
  printLine(`${count} withdrawals may have been sent after ${restoredTo.toISOString()}:`);
  for (const { id, sellerId, status, method, amount, provider } of rows) {
    printLine(
      `  ${id}  seller ${sellerId}  ${status}  ${method}  ${amount} cents  ${provider ?? 'no provider yet'}`,
    );
  }
  if (count > rows.length) printLine(`  and ${count - rows.length} more`);
}
