import { freeField, ourNumber, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import { encodeBarcode, digitableLineOf } from '#formats/boleto/barcode.ts';
import { businessDayOnOrAfter } from '#formats/calendar/business-days.ts';
import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import { newId } from '#platform/kit/ids.ts';
import { newBoletoToken } from '#payments/boletos/public-address.ts';
import type { BoletoIssuer } from '#payments/transactions/new-transaction.ts';
import { reserveBoletoNumbers } from './store.ts';

/** Numbers reserved at once. Banks allow gaps, which a stopping process leaves. */
const BLOCK_SIZE = 100;

const DAY_MS = 24 * 3_600_000;

const INSTRUCTIONS = 'Não receber após o vencimento.';

export interface BoletoIssuerOptions {
  readonly agreement: BoletoAgreement;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Whether a boleto must be registered with the bank before it can be paid. */
  readonly requiresRegistration: boolean;
}

/** Issues boletos of the operator's own agreement with a bank, without calling the bank. */
export function createBoletoIssuer(
  db: Db,
  { agreement, publicUrl, requiresRegistration }: BoletoIssuerOptions,
): BoletoIssuer {
  const nextNumber = createNumberAllocator(db);
  return {
    async issue({ transactionId, amountCents, expiresAt, nowMs }) {
      const sequence = await nextNumber();
      const dueDate = saoPauloDate(expiresAt);
      const isShort = expiresAt.getTime() - nowMs < DAY_MS;
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
        location: `${publicUrl}/boletos/${newBoletoToken(transactionId)}`,
        instructions: INSTRUCTIONS,
        expiresAt: isShort ? expiresAt : lastSecondOf(dueDate),
        registration: requiresRegistration ? ('PENDING' as const) : null,
      };
      return { boleto, payableUntil: isShort ? expiresAt : lastPayableInstant(dueDate) };
    },
  };
}

/** Allocates numbers of the agreement, each once across all processes. */
function createNumberAllocator(db: Db): () => Promise<number> {
  let block: Promise<number[]> = Promise.resolve([]);
  return async () => {
    for (;;) {
      const current = block;
      const number = await current.then(
        (numbers) => numbers.pop(),
        (error: unknown) => {
          // The next caller retries.
          if (block === current) block = Promise.resolve([]);
          throw error;
        },
      );
      if (number !== undefined) return number;
      // The first caller that finds the block empty reserves the next one; concurrent callers share
      // it.
      if (block === current) block = reserveBlock(db);
    }
  };
}

/** Skips numbers that may have been given before the database was restored. */
export const skipBoletoNumbers = async (db: Db, count: number): Promise<void> => {
  await reserveBoletoNumbers(db, count);
};

/** Returns the numbers of a new block, lowest last. */
async function reserveBlock(db: Db): Promise<number[]> {
  const first = await reserveBoletoNumbers(db, BLOCK_SIZE);
  return Array.from({ length: BLOCK_SIZE }, (_, index) => first + BLOCK_SIZE - 1 - index);
}

/** 23:59:59 in São Paulo. */
const lastSecondOf = (day: LocalDate): Date =>
  new Date(startOfSaoPauloDay(addDays(day, 1)).getTime() - 1_000);

/**
 * Banks accept a boleto until the end of its due date, or of the next banking day if it is due on a
 * day without banking. A boleto that is valid for less than a day expires to the second instead.
 */
function lastPayableInstant(dueDate: LocalDate): Date {
  const lastDay = businessDayOnOrAfter(dueDate);
  return new Date(startOfSaoPauloDay(addDays(lastDay, 1)).getTime() - 1);
}
