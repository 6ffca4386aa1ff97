import type { DatabaseTransaction } from '#platform/database/connect.ts';
import type { BoletoPayment, Transaction } from '#payments/transactions/transaction.ts';

/** Records the decision. Returns false if the transaction is no longer in review. */
export async function recordReview(
  trx: DatabaseTransaction,
  { sellerId, id }: Pick<Transaction, 'sellerId' | 'id'>,
  decision: { readonly status: 'APPROVED' | 'REFUSED'; readonly expiresAt?: Date; readonly at: Date },
): Promise<boolean> {
  const { status, expiresAt, at } = decision;
  const result = await trx
    .updateTable('transactions')
    .set((eb) => ({
      risk_status: status,
      updated_at: at,
      version: eb('version', '+', 1),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    }))
    .where((eb) => eb.and({ seller_id: sellerId, id, risk_status: 'REVIEW' }))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Stores the boleto of an approved transaction, and its registration if the bank requires one. */
export async function insertBoleto(
  trx: DatabaseTransaction,
  { sellerId, id }: Pick<Transaction, 'sellerId' | 'id'>,
  boleto: BoletoPayment,
  registration: { readonly bareNumber: string; readonly at: Date },
): Promise<void> {
  const { bareNumber, at } = registration;
  await trx
    .insertInto('boleto_payments')
    .values({
      seller_id: sellerId,
      transaction_id: id,
      id: boleto.id,
      our_number: boleto.ourNumber,
      barcode: boleto.barcode,
      digitable_line: boleto.digitableLine,
      due_date: boleto.dueDate,
      location: boleto.location,
      instructions: boleto.instructions,
      expires_at: boleto.expiresAt,
      created_at: at,
    })
    .execute();
  if (boleto.registration === null) return;
  await trx
    .insertInto('boleto_registrations')
    .values({
      seller_id: sellerId,
      transaction_id: id,
      bank_code: boleto.barcode.slice(0, 3),
      number: bareNumber,
      registration: boleto.registration,
      stage: 'TO_SHIP',
      created_at: at,
      updated_at: at,
    })
    .execute();
}
