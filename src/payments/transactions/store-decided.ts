import type { RunStatement } from '#platform/database/statements.ts';
import { saveResponses } from '#payments/idempotency/store.ts';
import type { RecordDeclines } from './risk-port.ts';
import { applyChanges, type ChangeRecord } from './store-change.ts';
import { createTransactions, creationKey, type Creation } from './store-create.ts';

/** A creation together with the first decision on the transaction. */
export interface DecidedCreation extends Creation {
  /** Null: the transaction stays in its first status. */
  readonly record: ChangeRecord | null;
  readonly isDecline: boolean;
  /** The state in which the creation returns the transaction, as JSON. */
  readonly snapshot: string;
}

/**
 * Creates transactions with their decisions. Returns for each whether it was created; otherwise
 * another request has used its idempotency key. Must run inside a transaction, and is safe to
 * repeat.
 */
export const createDecidedTransactions =
  (recordDeclines: RecordDeclines) =>
  async (query: RunStatement, creations: readonly DecidedCreation[]): Promise<readonly boolean[]> => {
    const created = await createTransactions(query, creations);
    const decided = creations.filter((_, index) => created[index]);
    if (decided.length > 0) await saveDecisions(query, decided, recordDeclines);
    return created;
  };

/** The wallets of the changes come last, so that the row of a busy seller is locked briefly. */
export async function saveDecisions(
  query: RunStatement,
  creations: readonly DecidedCreation[],
  recordDeclines: RecordDeclines,
): Promise<void> {
  await saveResponses(
    query,
    creations.map(({ transaction: { sellerId }, idempotencyKey, snapshot }) => ({
      ...creationKey(sellerId, idempotencyKey),
      response: snapshot,
    })),
  );
  const declined = creations.filter(({ isDecline }) => isDecline);
  if (declined.length > 0)
    await recordDeclines(
      query,
      declined.map(({ transaction }) => transaction),
    );
  const records = creations.flatMap(({ record }) => record ?? []);
  if (records.length === 0) return;
  const outcomes = await applyChanges(query, records);
  if (outcomes.some(({ applied }) => !applied)) throw new Error('a new transaction was not at its version');
}
