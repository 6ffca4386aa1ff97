import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findPayoutPause } from '#platform/database/payout-pause.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import {
  claimRegistrations,
  claimWriteOffs,
  endUnshippedBoletos,
  type ShipmentClaim,
} from '#payments/boletos/registrations.ts';
import { cnabShipmentContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { buildCollectionLines, type Title } from '#cnab/codec/collection.ts';
import { fileBytes } from '#cnab/codec/file.ts';
import { buildPaymentLines } from '#cnab/codec/payments.ts';
import { sumAmounts } from '#platform/kit/money.ts';
import { decryptInstruction } from './payout-provider.ts';
import type { CnabSettings } from './settings.ts';
import { SERVICES, sequenceOf, type Service, type Shipment } from './shipment.ts';
import { claimPayments } from './store-payments.ts';
import {
  advanceSequence,
  findEncryptedShipment,
  findTitles,
  findUnwrittenShipment,
  insertShipment,
  lockSequence,
  type TitleRow,
} from './store-shipments.ts';

/** Records in one file. Bounds the duration of the transaction that creates it. */
const MAX_RECORDS = 5_000;

export interface ShipmentExportDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Undefined if no service exchanges files. */
  readonly settings: CnabSettings | undefined;
}

export interface ShipmentFile {
  readonly shipment: Shipment;
  readonly bytes: Buffer;
}

export type ShipmentResult =
  | ({ readonly kind: 'created' } & ShipmentFile)
  /** No records wait for this service. */
  | { readonly kind: 'empty' }
  /** The database was restored: files wait until a person has compared what was sent since. */
  | { readonly kind: 'paused' }
  /** The service does not exchange files. */
  | { readonly kind: 'not-configured' };

/** The records that one file claims. */
interface ShipmentContent {
  readonly lines: (number: number) => readonly string[];
  readonly registrations: number;
  readonly writeOffs: number;
  readonly payments: number;
  /** Cents. */
  readonly amount: number;
}

/** Returns the bank and the services that files are exchanged with and for. */
export function describeExchange({ settings }: Pick<ShipmentExportDeps, 'settings'>) {
  return {
    bankCode: settings?.agreement.bankCode ?? null,
    services: settings === undefined ? [] : SERVICES.filter((service) => isEnabled(settings, service)),
  };
}

/**
 * Creates the next file of a service with at most 5,000 records; the rest waits for the next file.
 * The file, its number and the claim on its records are committed in one transaction that locks the
 * sequence: concurrent calls create files with different records, and a crash creates none.
 */
export async function createShipment(
  deps: ShipmentExportDeps,
  service: Service,
  author: AuditActor,
): Promise<ShipmentResult> {
  const { db, settings } = deps;
  if (settings === undefined || !isEnabled(settings, service)) return { kind: 'not-configured' };
  const file = await db
    .transaction()
    .execute(async (trx) => writeShipment({ ...deps, settings }, trx, service, author));
  if (typeof file === 'string') return { kind: file };
  failPoint('cnab-shipments.committed');
  return { kind: 'created', ...file };
}

/**
 * The oldest file that the command line created and could not write, with its content. None while
 * files wait after a restore: the bank may have it.
 */
export async function findUnwrittenFile(
  deps: Pick<ShipmentExportDeps, 'db' | 'secrets'>,
  service: Service,
): Promise<ShipmentFile | undefined> {
  if ((await findPayoutPause(deps.db)) !== undefined) return undefined;
  const id = await findUnwrittenShipment(deps.db, service);
  return id === undefined ? undefined : findShipmentFile(deps, id);
}

/** Returns a stored file byte for byte. */
export async function findShipmentFile(
  { db, secrets }: Pick<ShipmentExportDeps, 'db' | 'secrets'>,
  id: string,
): Promise<ShipmentFile | undefined> {
  const shipment = isUuid(id) ? await findEncryptedShipment(db, id) : undefined;
  if (shipment === undefined) return undefined;
  const text = secrets.decrypt(shipment.encryptedFile, cnabShipmentContext(shipment.id));
  return { shipment, bytes: Buffer.from(text, 'latin1') };
}

/** Pads the reference, since some banks trim leading zeros or trailing blanks. */
const formatReference = (reference: number): string => String(reference).padStart(12, '0');

const isEnabled = (settings: CnabSettings, service: Service): boolean =>
  service === 'BOLETOS' ? settings.boletos : settings.payouts;

type ConfiguredDeps = ShipmentExportDeps & { readonly settings: CnabSettings };

async function writeShipment(
  deps: ConfiguredDeps,
  trx: DatabaseTransaction,
  service: Service,
  author: AuditActor,
): Promise<ShipmentFile | 'empty' | 'paused'> {
  const { bankCode } = deps.settings.agreement;
  const sequence = sequenceOf(service);
  // Before the lock, which would begin a sequence whose first files may be at the bank.
  if ((await findPayoutPause(trx)) !== undefined) return 'paused';
  const last = await lockSequence(trx, bankCode, sequence);
  // Again after it: the pause may have been committed while this waited for the lock.
  if (last === undefined || (await findPayoutPause(trx)) !== undefined) return 'paused';
  const number = last + 1;
  // Read after the lock, so that files are dated in the order of their numbers.
  const at = deps.clock.now();
  const id = newId(at.getTime());
  const claim = { shipmentId: id, bankCode, limit: MAX_RECORDS, at };
  const content =
    service === 'BOLETOS'
      ? await claimBoletoContent(deps, trx, claim)
      : await claimPaymentContent(deps, trx, service, claim);
  const { registrations, writeOffs, payments, amount } = content;
  if (registrations + writeOffs + payments === 0) return 'empty';
  const bytes = fileBytes(content.lines(number));
  const shipment = {
    id,
    bankCode,
    sequence,
    number,
    service,
    registrations,
    writeOffs,
    payments,
    amount,
    sha256: createHash('sha256').update(bytes).digest(),
    madeBy: author.id,
    madeAt: at,
  };
  await advanceSequence(trx, bankCode, sequence, number);
  const encryptedFile = deps.secrets.encrypt(bytes.toString('latin1'), cnabShipmentContext(id));
  await insertShipment(trx, { ...shipment, encryptedFile });
  await recordAudit(trx, author, {
    action: 'cnab-shipment.created',
    recordType: 'cnab-shipment',
    recordId: id,
    sellerId: null,
    before: null,
    after: { bankCode, number, service, registrations, writeOffs, payments, amount },
    at,
  });
  return { shipment, bytes };
}

async function claimBoletoContent(
  { settings }: ConfiguredDeps,
  trx: DatabaseTransaction,
  claim: ShipmentClaim,
): Promise<ShipmentContent> {
  await endUnshippedBoletos(trx, claim);
  const toRegister = await claimRegistrations(trx, claim);
  const limit = claim.limit - toRegister.length;
  const toWriteOff = limit === 0 ? [] : await claimWriteOffs(trx, { ...claim, limit });
  const registered = await findTitles(trx, toRegister);
  const writtenOff = await findTitles(trx, toWriteOff);
  const titles = [
    ...registered.map((row) => titleOf(row, 'REGISTER')),
    ...writtenOff.map((row) => titleOf(row, 'WRITE_OFF')),
  ];
  return {
    lines: (number) => buildCollectionLines(settings, { number, madeAt: claim.at }, titles),
    registrations: registered.length,
    writeOffs: writtenOff.length,
    payments: 0,
    amount: sumAmounts(registered),
  };
}

async function claimPaymentContent(
  { settings, secrets }: ConfiguredDeps,
  trx: DatabaseTransaction,
  service: 'PIX' | 'TRANSFERS',
  claim: ShipmentClaim,
): Promise<ShipmentContent> {
  const rows = await claimPayments(trx, service, claim);
  const payments = rows.map((row) => ({
    ...decryptInstruction(secrets, row.encryptedInstruction, row),
    reference: formatReference(row.reference),
    amountCents: row.amount,
  }));
  const payOn = businessDayOnOrAfter(saoPauloDate(claim.at));
  return {
    lines: (number) => buildPaymentLines(settings, { number, madeAt: claim.at }, payOn, payments),
    registrations: 0,
    writeOffs: 0,
    payments: rows.length,
    amount: sumAmounts(rows),
  };
}

function titleOf(row: TitleRow, movement: Title['movement']): Title {
  return {
    movement,
    ourNumber: row.ourNumber,
    // End of the transaction id, as printed on the boleto: the longest text that fits at every
    // bank.
    documentNumber: row.id.slice(-10).toUpperCase(),
    dueOn: row.dueOn,
    issuedOn: saoPauloDate(row.createdAt),
    amountCents: row.amount,
    goods: row.goods,
    payer: { name: row.payerName, document: row.payerDocument },
  };
}
