import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import type { Page } from '#platform/http/pagination.ts';
import type {
  LineOutcome,
  NewReturnLine,
  ReturnCount,
  ReturnFile,
  ReturnLine,
} from '#cnab/codec/return-file.ts';

/** Writes a file down, without its lines; false where the same bytes are there already. */
export async function insertReturn(trx: Db, file: ReturnFile): Promise<boolean> {
  const row = await trx
    .insertInto('cnab_returns')
    .values({
      id: file.id,
      bank_code: file.bankCode,
      sha256: file.sha256,
      bytes: file.bytes,
      number: file.number,
      taken_by: file.takenBy,
      taken_at: file.takenAt,
    })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const COLUMNS = sql`(return_id, number, kind, code, record, amount, tariff, occurred_on, credited_on, bank_reference, reason,
  identity, outcome, detail)`;

/**
 * Writes lines of one file. What another line has told before is REPEATED. Callers hand lines over in the order of their
 * identity, so that two files that tell the same wait for each other and never both at once.
 */
export async function insertReturnLines(
  trx: Db,
  returnId: string,
  lines: readonly NewReturnLine[],
): Promise<void> {
  await sql`
    WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(lines)}::json) AS i (
        number integer, kind text, code text, record text, amount bigint, tariff bigint, "occurredOn" date,
        "creditedOn" date, "bankReference" text, reason text, identity text, outcome text, detail text)
    ), new AS (
      INSERT INTO cnab_return_lines ${COLUMNS}
      SELECT ${returnId}::uuid, number, kind, code, record, amount, tariff, "occurredOn", "creditedOn", "bankReference", reason,
        identity, outcome, detail
      FROM input ORDER BY identity COLLATE "C", number
      ON CONFLICT (identity) WHERE outcome IS DISTINCT FROM 'REPEATED' DO NOTHING
      RETURNING number
    )
    INSERT INTO cnab_return_lines ${COLUMNS}
    SELECT ${returnId}::uuid, number, kind, code, record, amount, tariff, "occurredOn", "creditedOn", "bankReference", reason,
      identity, 'REPEATED', 'told before'
    FROM input WHERE number NOT IN (SELECT number FROM new)`.execute(trx);
}

const RETURN = sql`id, bank_code AS "bankCode", sha256, bytes, number, taken_by AS "takenBy", taken_at AS "takenAt",
  completed_at AS "completedAt"`;

export async function findReturnByBytes(db: Db, sha256: Buffer): Promise<ReturnFile | undefined> {
  const { rows } = await sql<ReturnFile>`SELECT ${RETURN} FROM cnab_returns WHERE sha256 = ${sha256}`.execute(
    db,
  );
  return rows[0];
}

export async function findReturn(db: Db, id: string): Promise<ReturnFile | undefined> {
  const { rows } = await sql<ReturnFile>`SELECT ${RETURN} FROM cnab_returns WHERE id = ${id}`.execute(db);
  return rows[0];
}

/** Newest first; one more than asked for where there is a next page. */
export async function findReturnFiles(
  db: Db,
  page: Page,
): Promise<{ readonly found: readonly ReturnFile[]; readonly count: number }> {
  const [found, counted] = await Promise.all([
    sql<ReturnFile>`
      SELECT ${RETURN} FROM cnab_returns WHERE ${page.after ?? null}::uuid IS NULL OR id < ${page.after ?? null}::uuid
      ORDER BY id DESC LIMIT ${page.take + 1} OFFSET ${page.skip}`.execute(db),
    sql<{ count: number }>`SELECT count(*) AS count FROM cnab_returns`.execute(db),
  ]);
  return { found: found.rows, count: counted.rows[0]?.count ?? 0 };
}

const LINE = sql`return_id AS "returnId", number, kind, code, record, amount, tariff, occurred_on::text AS "occurredOn",
  credited_on::text AS "creditedOn", bank_reference AS "bankReference", reason, identity, outcome, detail,
  seller_id AS "sellerId", record_id AS "recordId"`;

/** Lines of a bank's files that wait, in the order in which files came and tell. */
export async function findOpenLines(db: Db, bankCode: string, limit: number): Promise<readonly ReturnLine[]> {
  const { rows } = await sql<ReturnLine>`
    SELECT ${LINE} FROM cnab_return_lines
    WHERE outcome IS NULL AND return_id IN (
      SELECT id FROM cnab_returns WHERE completed_at IS NULL AND bank_code = ${bankCode})
    ORDER BY return_id, number LIMIT ${limit}`.execute(db);
  return rows;
}

/** Files of which no line waits any more are complete. */
export async function completeReturns(db: Db, at: Date): Promise<void> {
  await sql`
    UPDATE cnab_returns r SET completed_at = ${at}
    WHERE completed_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM cnab_return_lines l WHERE l.return_id = r.id AND l.outcome IS NULL)`.execute(db);
}

export async function countLines(db: Db, returnId: string): Promise<readonly ReturnCount[]> {
  const { rows } = await sql<ReturnCount>`
    SELECT kind, outcome, count(*) AS lines, sum(amount)::bigint AS amount, sum(tariff)::bigint AS tariff
    FROM cnab_return_lines WHERE return_id = ${returnId} GROUP BY kind, outcome ORDER BY kind, outcome`.execute(
    db,
  );
  return rows;
}

/** What a person should look at: what the bank has rejected, and what fits nothing here. */
const PROBLEM = sql`(outcome IN ('LATE', 'REJECTED', 'UNMATCHED')
  OR (kind IN ('REJECTED', 'ORDER_REJECTED', 'PAYOUT_FAILED', 'PAYOUT_UNCLEAR') AND outcome IS DISTINCT FROM 'REPEATED'))`;

export async function findLines(
  db: Db,
  returnId: string,
  { problems, take, skip }: { readonly problems: boolean; readonly take: number; readonly skip: number },
): Promise<{ readonly lines: readonly ReturnLine[]; readonly count: number }> {
  const matching = sql`FROM cnab_return_lines WHERE return_id = ${returnId} AND (NOT ${problems}::boolean OR ${PROBLEM})`;
  const [found, counted] = await Promise.all([
    sql<ReturnLine>`SELECT ${LINE} ${matching} ORDER BY number LIMIT ${take} OFFSET ${skip}`.execute(db),
    sql<{ count: number }>`SELECT count(*) AS count ${matching}`.execute(db),
  ]);
  return { lines: found.rows, count: counted.rows[0]?.count ?? 0 };
}

/** Writes down what came of a line; one that has an outcome keeps it. */
export async function saveLineOutcome(
  trx: Db,
  line: Pick<ReturnLine, 'returnId' | 'number'>,
  result: {
    readonly outcome: LineOutcome;
    readonly detail: string | null;
    readonly key: { readonly sellerId: string; readonly id: string } | undefined;
  },
): Promise<void> {
  await trx
    .updateTable('cnab_return_lines')
    .set({
      outcome: result.outcome,
      detail: result.detail,
      seller_id: result.key?.sellerId ?? null,
      record_id: result.key?.id ?? null,
    })
    .where('return_id', '=', line.returnId)
    .where('number', '=', line.number)
    .where('outcome', 'is', null)
    .execute();
}

export interface MatchedBoleto {
  readonly sellerId: string;
  readonly id: string;
  readonly number: string;
  readonly registration: string;
  readonly stage: string;
  /** Whether its charge still waits to be paid. */
  readonly waits: boolean;
  readonly createdAt: Date;
}

export async function findBoletos(
  db: Db,
  bankCode: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, MatchedBoleto>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<MatchedBoleto>`
    SELECT r.seller_id AS "sellerId", r.transaction_id AS id, r.number, r.registration, r.stage,
      t.status IN ('PENDING', 'WAITING_PAYMENT', 'PROCESSING') AS waits, r.created_at AS "createdAt"
    FROM boleto_registrations r JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.transaction_id
    WHERE r.bank_code = ${bankCode} AND r.number = ANY(${numbers}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.number, row]));
}

/** What the bank has told of a boleto; members that are absent stay as they are. */
export async function updateBoleto(
  trx: Db,
  key: { readonly sellerId: string; readonly id: string },
  change: {
    readonly registration?: 'REGISTERED' | 'REJECTED';
    readonly stage?: 'AT_BANK' | 'ENDED';
    readonly reason?: string;
  },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('boleto_registrations')
    .set({ ...change, updated_at: at })
    .where('seller_id', '=', key.sellerId)
    .where('transaction_id', '=', key.id)
    .execute();
}

export interface MatchedPayment {
  readonly sellerId: string;
  readonly id: string;
  readonly reference: number;
  readonly amount: number;
  readonly createdAt: Date;
}

export async function findPayments(
  db: Db,
  references: readonly number[],
): Promise<ReadonlyMap<number, MatchedPayment>> {
  if (references.length === 0) return new Map();
  const { rows } = await sql<MatchedPayment>`
    SELECT seller_id AS "sellerId", withdrawal_id AS id, reference, amount, created_at AS "createdAt"
    FROM cnab_payments WHERE reference = ANY(${references}::bigint[]) AND stage <> 'TO_SHIP'`.execute(db);
  return new Map(rows.map((row) => [row.reference, row]));
}

export async function completePayment(
  trx: Db,
  key: { readonly sellerId: string; readonly id: string },
  at: Date,
): Promise<void> {
  await trx
    .updateTable('cnab_payments')
    .set({ stage: 'ENDED', updated_at: at })
    .where('seller_id', '=', key.sellerId)
    .where('withdrawal_id', '=', key.id)
    .execute();
}
