import { sql, type RawBuilder, type SqlBool } from 'kysely';

/**
 * SQL: whether a delivery has not ended. It is the condition of the index deliveries_open, which a
 * statement uses only if it contains the same expression.
 */
export const isOpen = (table: 'deliveries' | 'd'): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.raw(table)}.status IN ('PENDING', 'HELD')) IS TRUE`;
