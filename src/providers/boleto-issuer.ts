import { freeField, ourNumber, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import { encodeBarcode, digitableLineOf } from '#formats/boleto/barcode.ts';
import { businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import type { BoletoIssuer } from '#payments/transactions/new-transaction.ts';
import { reserveBoletoNumbers } from './store-boleto-numbers.ts';

/** Numbers taken at once. A process that stops leaves the rest of its block unused, which banks do not mind. */
const BLOCK_SIZE = 100;

const DAY_MS = 24 * 3_600_000;

const INSTRUCTIONS = 'Não receber após o vencimento.';

/** The numbers of a new block, the lowest last. */
async function reserveBlock(db: Db): Promise<number[]> {
  const first = await reserveBoletoNumbers(db, BLOCK_SIZE);
  return Array.from({ length: BLOCK_SIZE }, (_, index) => first + BLOCK_SIZE - 1 - index);
}

/** Hands out numbers of the agreement, each once, however many processes and callers ask. */
function createNumberAllocator(db: Db): () => Promise<number> {
  let block: Promise<number[]> = Promise.resolve([]);
  return async () => {
    for (;;) {
      const current = block;
      const number = await current.then(
        (numbers) => numbers.pop(),
        (error: unknown) => {
          // The next caller tries again.
          if (block === current) block = Promise.resolve([]);
          throw error;
        },
      );
      if (number !== undefined) return number;
      // The first who finds the block empty takes the next; whoever comes meanwhile waits for the same one.
      if (block === current) block = reserveBlock(db);
    }
  };
}

/**
 * Boletos of the operator's own agreement with a bank. Number, barcode and line are computed here.
 *
 * @param requiresRegistration the bank must register them before anybody can pay them.
 */
export function createBoletoIssuer(
  db: Db,
  agreement: BoletoAgreement,
  publicUrl: string,
  requiresRegistration = false,
): BoletoIssuer {
  const nextNumber = createNumberAllocator(db);
  return {
    async issue({ transactionId, amountCents, expiresAt, nowMs }) {
      const sequence = await nextNumber();
      const payableUntil = lastPayableInstant(expiresAt, nowMs);
      const dueDate = saoPauloDate(expiresAt);
      const barcode = encodeBarcode({
        bankCode: agreement.bankCode,
        dueDate,
        amountCents,
        freeField: freeField(agreement, sequence),
      });
      const boleto = {
        id: newId(nowMs),
        ourNumber: ourNumber(agreement, sequence),
        barcode,
        digitableLine: digitableLineOf(barcode),
        dueDate,
        location: `${publicUrl}/boletos/${transactionId}`,
        instructions: INSTRUCTIONS,
        expiresAt,
        registration: requiresRegistration ? ('PENDING' as const) : null,
      };
      return { boleto, payableUntil };
    },
  };
}

/**
 * Banks take a boleto to the end of its due date, and one that falls due on a day without banks to the end of the next bank day.
 * One that lives less than a day (a test, a flash sale) ends to the second.
 */
function lastPayableInstant(expiresAt: Date, nowMs: number): Date {
  if (expiresAt.getTime() - nowMs < DAY_MS) return expiresAt;
  const lastDay = businessDayOnOrAfter(saoPauloDate(expiresAt));
  return new Date(startOfSaoPauloDay(addDays(lastDay, 1)).getTime() - 1);
}
