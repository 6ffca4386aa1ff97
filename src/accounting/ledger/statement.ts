import type { Db } from '#platform/database/connect.ts';
import { paginate, type ListCount, type Page } from '#platform/http/pagination.ts';
import type { EntryCause, LedgerAccount, Origin } from './entries.ts';
import { countMovements, findMovements, type Movement, type StatementFilter } from './store-statement.ts';

const BLOCKED: ReadonlySet<LedgerAccount> = new Set(['retained', 'disputed', 'reserved']);

/**
 * A line of the statement. Amounts in cents; the balances are those of the whole wallet after it.
 */
export interface StatementLine {
  readonly id: string;
  readonly createdAt: string;
  readonly cause: EntryCause;
  readonly origin: Origin;
  readonly recordType: 'TRANSACTION' | 'WITHDRAWAL';
  readonly recordId: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly moved: number;
  readonly amount: number;
  readonly availableChange: number;
  readonly blockedChange: number;
  readonly availableBalance: number;
  readonly blockedBalance: number;
  readonly totalBalance: number;
}

export async function listStatement(
  db: Db,
  sellerId: string,
  filter: StatementFilter,
  page: Page,
): Promise<{ readonly lines: readonly StatementLine[]; readonly count: ListCount }> {
  const [movements, count] = await Promise.all([
    findMovements(db, sellerId, filter, page),
    countMovements(db, sellerId, filter),
  ]);
  return { lines: movements.map(toStatementLine), count };
}

/**
 * Streams the whole statement newest first, page by page along the key, without entries booked
 * meanwhile.
 */
export async function* streamStatement(
  db: Db,
  sellerId: string,
  filter: StatementFilter,
): AsyncGenerator<StatementLine> {
  const movements = paginate((page) => findMovements(db, sellerId, filter, page));
  for await (const movement of movements) yield toStatementLine(movement);
}

function toStatementLine(movement: Movement): StatementLine {
  const { debit, credit, amount, availableAfter, blockedAfter } = movement;
  const change = (matches: (account: LedgerAccount) => boolean): number =>
    (matches(credit) ? amount : 0) - (matches(debit) ? amount : 0);
  const availableChange = change((account) => account === 'available');
  const blockedChange = change((account) => BLOCKED.has(account));
  return {
    id: movement.id,
    createdAt: movement.createdAt.toISOString(),
    cause: movement.cause,
    origin: movement.origin,
    recordType: movement.cause.startsWith('WITHDRAWAL') ? 'WITHDRAWAL' : 'TRANSACTION',
    recordId: movement.recordId,
    from: debit,
    to: credit,
    moved: amount,
    amount: availableChange + blockedChange,
    availableChange,
    blockedChange,
    availableBalance: availableAfter,
    blockedBalance: blockedAfter,
    totalBalance: availableAfter + blockedAfter,
  };
}
