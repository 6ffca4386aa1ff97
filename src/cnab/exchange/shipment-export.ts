import { createHash } from 'node:crypto';

import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import type { Page } from '#platform/http/pagination.ts';
import { isUuid, newId } from '#platform/kit/ids.ts';
import { cnabShipmentContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { buildCollectionLines, type Title } from '#cnab/codec/collection.ts';
import { fileBytes } from '#cnab/codec/file.ts';
import { decryptInstruction } from './payout-provider.ts';
import { buildPaymentLines } from '#cnab/codec/payments.ts';
import type { CnabSettings } from './settings.ts';
import { SERVICES, type Sequence, type Service, type Shipment } from '#cnab/codec/shipment.ts';
import {
  advanceSequence,
  endUnshippedBoletos,
  findShipmentFile,
  findShipments,
  findTitles,
  lockSequence,
  insertShipment,
  claimPayments,
  claimRegistrations,
  claimWriteOffs,
  type ShipmentSelection,
  type TitleRow,
} from './store.ts';

/** Records of one file: as many as are made and kept well within the deadlines of a statement and of a call. */
const MAX_RECORDS = 5_000;

export interface ShipmentExportDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Undefined where nothing goes by files. */
  readonly settings: CnabSettings | undefined;
}

export type ShipmentResult =
  | { readonly kind: 'made'; readonly shipment: Shipment; readonly bytes: Buffer }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'not-set-up' };

interface ShipmentContent {
  readonly lines: (number: number) => readonly string[];
  readonly registrations: number;
  readonly writeOffs: number;
  readonly payments: number;
  readonly amount: number;
}

/**
 * Makes the files that the bank is sent. A file, its number, and the mark on each record that it is in this file are one
 * transaction, under the lock of the number: two callers make two files of different records, and a crash makes none.
 */
export function createShipmentExport({ db, clock, secrets, settings }: ShipmentExportDeps) {
  async function claimPaymentContent(
    trx: Db,
    set: CnabSettings,
    service: 'PIX' | 'TRANSFERS',
    selection: ShipmentSelection,
  ): Promise<ShipmentContent> {
    const rows = await claimPayments(trx, service, selection);
    const payments = rows.map((row) => ({
      ...decryptInstruction(secrets, row.encryptedInstruction, row),
      reference: formatReference(row.reference),
      amountCents: row.amount,
    }));
    const payOn = businessDayOnOrAfter(saoPauloDate(selection.at));
    return {
      lines: (number) => buildPaymentLines(set, { number, madeAt: selection.at }, payOn, payments),
      registrations: 0,
      writeOffs: 0,
      payments: rows.length,
      amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    };
  }

  const isEnabled = (service: Service): boolean =>
    settings !== undefined && (service === 'BOLETOS' ? settings.boletos : settings.payouts);

  return {
    /** With which bank files are exchanged, if with any, and what goes by them. */
    describeExchange: () => ({
      bankCode: settings?.agreement.bankCode ?? null,
      services: SERVICES.filter(isEnabled),
    }),

    /** The next file of a service. What is left over when it is full is for the next one. */
    async createShipment(service: Service, author: AuditActor): Promise<ShipmentResult> {
      if (settings === undefined || !isEnabled(service)) return { kind: 'not-set-up' };
      const { bankCode } = settings.agreement;
      const sequence: Sequence = service === 'BOLETOS' ? 'BOLETOS' : 'PAYMENTS';
      const result = await db.transaction().execute(async (trx): Promise<ShipmentResult> => {
        const number = (await lockSequence(trx, bankCode, sequence)) + 1;
        // Only now: a file's time is not before that of the file whose turn it waited for.
        const at = clock.now();
        const id = newId(at.getTime());
        const selection = { shipmentId: id, bankCode, limit: MAX_RECORDS, at };
        const content =
          service === 'BOLETOS'
            ? await claimBoletoContent(trx, settings, selection)
            : await claimPaymentContent(trx, settings, service, selection);
        const { registrations, writeOffs, payments, amount } = content;
        if (registrations + writeOffs + payments === 0) return { kind: 'nothing' };
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
        await insertShipment(
          trx,
          shipment,
          secrets.encrypt(bytes.toString('latin1'), cnabShipmentContext(id)),
        );
        await recordAudit(trx, author, {
          action: 'cnab-shipment.created',
          recordType: 'cnab-shipment',
          recordId: id,
          sellerId: null,
          before: null,
          after: { bankCode, number, service, registrations, writeOffs, payments, amount },
          at,
        });
        return { kind: 'made', shipment, bytes };
      });
      if (result.kind === 'made') failPoint('cnab-shipments.committed');
      return result;
    },

    listShipments: (service: Service | undefined, page: Page) => findShipments(db, service, page),

    /** A file that was made, byte for byte. */
    async findShipmentFile(
      id: string,
    ): Promise<{ readonly shipment: Shipment; readonly bytes: Buffer } | undefined> {
      const found = isUuid(id) ? await findShipmentFile(db, id) : undefined;
      if (found === undefined) return undefined;
      const bytes = Buffer.from(
        secrets.decrypt(found.encryptedFile, cnabShipmentContext(found.id)),
        'latin1',
      );
      return { shipment: found, bytes };
    },
  };
}

async function claimBoletoContent(
  trx: Db,
  settings: CnabSettings,
  selection: ShipmentSelection,
): Promise<ShipmentContent> {
  await endUnshippedBoletos(trx, selection);
  const toRegister = await claimRegistrations(trx, selection);
  const limit = MAX_RECORDS - toRegister.length;
  const toWriteOff = limit === 0 ? [] : await claimWriteOffs(trx, { ...selection, limit });
  const registered = await findTitles(trx, toRegister);
  const writtenOff = await findTitles(trx, toWriteOff);
  const titles = [
    ...registered.map((row) => titleOf(row, 'REGISTER')),
    ...writtenOff.map((row) => titleOf(row, 'WRITE_OFF')),
  ];
  return {
    lines: (number) => buildCollectionLines(settings, { number, madeAt: selection.at }, titles),
    registrations: registered.length,
    writeOffs: writtenOff.length,
    payments: 0,
    amount: registered.reduce((sum, { amount }) => sum + amount, 0),
  };
}

/** How a payment is called in files: digits of one width, since some banks cut zeros off numbers and blanks off texts. */
export const formatReference = (reference: number): string => String(reference).padStart(12, '0');

function titleOf(row: TitleRow, movement: Title['movement']): Title {
  return {
    movement,
    ourNumber: row.ourNumber,
    // The end of the charge's id, as the printed boleto has it, as far as every bank has room for it.
    documentNumber: row.id.slice(-10).toUpperCase(),
    dueOn: row.dueOn,
    issuedOn: saoPauloDate(row.createdAt),
    amountCents: row.amount,
    goods: row.goods,
    payer: { name: row.payerName, document: row.payerDocument },
  };
}
