import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { isUnprocessed } from './line-details.ts';
import type { LineDecision, ReturnLine } from './return-file.ts';
import { applyOpenLines, type ReturnImportDeps } from './return-import.ts';
import { decideLine, findLine, findReturnFile, reopenLine, type ReturnLineKey } from './store-returns.ts';

export type LineDecisionResult =
  | { readonly kind: 'decided'; readonly line: ReturnLine }
  | { readonly kind: 'unknown' }
  /** The line needs no review, or its event cannot be applied. */
  | { readonly kind: 'impossible' };

/**
 * Records the operator's decision about a line that needs a review. An accepted line is committed
 * as open before it is applied, so a crash in between leaves it to the next import. A line that was
 * not processed is opened without a decision, as if it had just been imported.
 */
export async function decideReturnLine(
  deps: ReturnImportDeps,
  key: ReturnLineKey,
  { decision, note }: { readonly decision: LineDecision; readonly note: string },
  author: Caller,
): Promise<LineDecisionResult> {
  const { db, clock } = deps;
  const { returnId, number } = key;
  const file = isUuid(returnId) ? await findReturnFile(db, returnId) : undefined;
  const before = file === undefined ? undefined : await findLine(db, key);
  if (file === undefined || before === undefined) return { kind: 'unknown' };
  const at = clock.now();
  const isRetry = decision === 'ACCEPTED' && isUnprocessed(before.detail);
  const decided = await db.transaction().execute(async (trx) => {
    const change = { decision, userId: author.id, at };
    const isOpen = isRetry ? await reopenLine(trx, key) : await decideLine(trx, key, change);
    if (!isOpen) return false;
    await recordAudit(trx, author, {
      action: decision === 'ACCEPTED' ? 'cnab-return-line.accepted' : 'cnab-return-line.dismissed',
      recordType: 'cnab-return',
      recordId: returnId,
      sellerId: before.sellerId,
      before: { line: null, decision: null, note: null },
      after: { line: number, decision, note },
      at,
    });
    return true;
  });
  if (!decided) return { kind: 'impossible' };
  if (decision === 'ACCEPTED') await applyOpenLines(deps, file.bankCode);
  const line = await findLine(db, key);
  if (line === undefined) throw new Error('a decided line of a return file was not found');
  // It waits again if its event could not be applied, and another user may have decided since.
  const isDone = isRetry ? !isUnprocessed(line.detail) : line.decision === decision;
  return isDone ? { kind: 'decided', line } : { kind: 'impossible' };
}
