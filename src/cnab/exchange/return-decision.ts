import { recordAudit } from '#audit/service.ts';
import type { Caller } from '#platform/http/audit-actor.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { LineDecision, ReturnLine } from './return-file.ts';
import { applyOpenLines, type ReturnImportDeps } from './return-import.ts';
import { decideLine, findLine, findReturnFile, type ReturnLineKey } from './store-returns.ts';

export type LineDecisionResult =
  | { readonly kind: 'decided'; readonly line: ReturnLine }
  | { readonly kind: 'unknown' }
  /** The line needs no review, or its event cannot be applied. */
  | { readonly kind: 'impossible' };

/**
 * Records the operator's decision about a line that needs a review. An accepted line is committed
 * as open before it is applied, so a crash in between leaves it to the next import.
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
  const decided = await db.transaction().execute(async (trx) => {
    if (!(await decideLine(trx, key, { decision, userId: author.id, at }))) return false;
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
  return line.decision === decision ? { kind: 'decided', line } : { kind: 'impossible' };
}
