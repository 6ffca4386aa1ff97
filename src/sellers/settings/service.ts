import { recordAudit } from '#audit/service.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { findSettings, lockSettings, saveSettings, type Settings } from './store.ts';

export type { Settings } from './store.ts';

/**
 * How many ADMINs must approve a withdrawal of so many cents now. Asked in the transaction of the decision, so that the
 * limit of that moment counts, whatever it was when the withdrawal was made or first approved.
 */
export async function approvalsNeeded(trx: Db, amount: number): Promise<1 | 2> {
  return calculateApprovalsNeeded(await findSettings(trx), amount);
}

/** The same under settings that were read before. */
export const calculateApprovalsNeeded = (
  { twoPersonApprovalAbove: limit }: Settings,
  amount: number,
): 1 | 2 => (limit !== null && amount > limit ? 2 : 1);

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(db: Db, clock: Clock) {
  return {
    get: (): Promise<Settings> => findSettings(db),

    async replace(settings: Settings, author: AuditActor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const before = await lockSettings(trx);
        await saveSettings(trx, settings);
        await recordAudit(trx, author, {
          action: 'settings.updated',
          recordType: 'settings',
          recordId: null,
          sellerId: null,
          before: { ...before },
          after: { ...settings },
          at: clock.now(),
        });
      });
    },
  };
}
