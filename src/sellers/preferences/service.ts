import { recordAudit } from '#audit/service.ts';
import type { Db } from '#platform/database/connect.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { findPreferences, lockPreferences, savePreferences, type Preferences } from './store.ts';

export {
  endReminderTurn,
  findReminderTurns,
  PAYER_LANGUAGES,
  type Preferences,
  type ReminderTurn,
} from './store.ts';

interface PreferencesDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type PreferencesService = ReturnType<typeof createPreferencesService>;

export const createPreferencesService = (deps: PreferencesDeps) => bindDeps(deps, { get, update });

const get = ({ db }: PreferencesDeps, sellerId: string): Promise<Preferences> =>
  findPreferences(db, sellerId);

/** The changes of a request that are set. */
type Changes = { readonly [Name in keyof Preferences]?: Preferences[Name] | undefined };

/** Changes what is set. Returns all preferences. */
async function update(
  { db, clock }: PreferencesDeps,
  sellerId: string,
  changes: Changes,
  actor: AuditActor,
): Promise<Preferences> {
  return db.transaction().execute(async (trx) => {
    const at = clock.now();
    const before = await lockPreferences(trx, sellerId, at);
    const {
      displayName = before.displayName,
      logoUrl = before.logoUrl,
      payerEmails = before.payerEmails,
      payerLanguage = before.payerLanguage,
      embedOrigins = before.embedOrigins,
    } = changes;
    const after = { displayName, logoUrl, payerEmails, payerLanguage, embedOrigins };
    await savePreferences(trx, sellerId, after, at);
    await recordAudit(trx, actor, {
      action: 'seller-settings.updated',
      recordType: 'seller-settings',
      recordId: null,
      sellerId,
      before: { ...before },
      after,
      at,
    });
    return after;
  });
}
