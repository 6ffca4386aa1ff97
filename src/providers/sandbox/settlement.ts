import { addDays, type LocalDate } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import { applyBasisPoints } from '#platform/kit/money.ts';
import type { SettlementLine } from '#accounting/reconciliation/settlement-file.ts';
import { findSandboxMovements, type SandboxMovement } from './store-settlement.ts';

/** Large, because each page computes the movements of the whole day. */
const PAGE_SIZE = 100_000;

/** Fictitious bank fees: cents for a Pix, boleto or payout, basis points for a card payment. */
const PIX_FEE_CENTS = 5;
const BOLETO_FEE_CENTS = 90;
const PAYOUT_FEE_CENTS = 10;
const CARD_FEE_BASIS_POINTS = 199;

/** Streams the settlement file of the sandbox's bank for a day. */
export async function* sandboxSettlement(db: Db, date: LocalDate): AsyncGenerator<SettlementLine> {
  const day = { from: startOfSaoPauloDay(date), before: startOfSaoPauloDay(addDays(date, 1)) };
  for (let after = { type: '', id: '' }; ;) {
    const page = await findSandboxMovements(db, day, after, PAGE_SIZE);
    for (const movement of page) {
      const { id, type, amount, reference } = movement;
      yield { id, type, amount, fee: feeOf(movement), date, reference };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last;
  }
}

function feeOf({ type, method, amount }: SandboxMovement): number {
  if (type === 'WITHDRAWAL') return PAYOUT_FEE_CENTS;
  if (type !== 'PAYMENT') return 0;
  if (method === 'CREDIT_CARD') return applyBasisPoints(amount, CARD_FEE_BASIS_POINTS);
  return method === 'BOLETO' ? BOLETO_FEE_CENTS : PIX_FEE_CENTS;
}
