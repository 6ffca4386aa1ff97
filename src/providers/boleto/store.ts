import type { Db } from '#platform/database/connect.ts';

/** Reserves a block of boleto numbers for the caller and returns its first. */
export async function reserveBoletoNumbers(db: Db, count: number): Promise<number> {
  const row = await db
    .updateTable('boleto_numbers')
    .set((expression) => ({ next: expression('next', '+', count) }))
    .returning('next')
    .executeTakeFirstOrThrow();
  return row.next - count;
}
