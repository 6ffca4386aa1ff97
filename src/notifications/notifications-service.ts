import { recordAudit } from '#audit/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { countedPage } from '#platform/database/pagination.ts';
import type { AuditActor } from '#platform/http/audit-actor.ts';
import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { CHOSEN_KINDS, DEFAULT_CHOICES, type ChosenKind } from './kinds.ts';
import {
  countNotifications,
  countUnread,
  findChoices,
  findNotifications,
  lockChoices,
  markRead,
  saveChoices,
} from './store-notifications.ts';

export { findSummaryReaders, markSummarized, type SummaryReader } from './store-notifications.ts';

/** The dashboard shows "99+". */
const MAX_UNREAD = 100;
/** Notifications that one statement marks as read. */
const CHUNK_SIZE = 1_000;

interface NotificationsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export type NotificationsService = ReturnType<typeof createNotificationsService>;

/** What a user is notified of, and how. */
export const createNotificationsService = (deps: NotificationsDeps) =>
  bindDeps(deps, { choices, choose, feed, unread, read });

/** Whether each kind is mailed to a user. */
type Choices = Readonly<Record<ChosenKind, boolean>>;

const choices = async ({ db }: NotificationsDeps, userId: string): Promise<Choices> =>
  toChoices(await findChoices(db, userId));

function toChoices(mailed: readonly string[] = DEFAULT_CHOICES): Choices {
  const entries = CHOSEN_KINDS.map((kind) => [kind, mailed.includes(kind)] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has each kind
  return Object.fromEntries(entries) as Choices;
}

/** Changes which kinds are mailed; others stay. Returns all choices. */
async function choose(
  { db, clock }: NotificationsDeps,
  { userId, sellerId }: { readonly userId: string; readonly sellerId: string | null },
  changes: { readonly [Kind in ChosenKind]?: boolean | undefined },
  actor: AuditActor,
): Promise<Choices> {
  return db.transaction().execute(async (trx) => {
    const at = clock.now();
    const before = toChoices(await lockChoices(trx, userId, DEFAULT_CHOICES, at));
    const after = toChoices(CHOSEN_KINDS.filter((kind) => changes[kind] ?? before[kind]));
    const [was, is] = [mailedOf(before), mailedOf(after)];
    // There is no summary for operator users, who would stay the first ones that wait for it.
    const isSummarized = sellerId !== null && after['daily-summary'];
    await saveChoices(trx, userId, { mailed: is, isSummarized }, at);
    await recordAudit(trx, actor, {
      action: 'user.notifications-chosen',
      recordType: 'user',
      recordId: userId,
      sellerId,
      before: { mailed: was },
      after: { mailed: is },
      at,
    });
    return after;
  });
}

const mailedOf = (chosen: Choices): readonly ChosenKind[] => CHOSEN_KINDS.filter((kind) => chosen[kind]);

/** A page of a user's notifications, newest first, and their number. */
const feed = ({ db }: NotificationsDeps, userId: string, page: Page) =>
  countedPage(findNotifications(db, userId, page), countNotifications(db, userId));

/** How many notifications a user has not read, up to 100. */
const unread = ({ db }: NotificationsDeps, userId: string): Promise<number> =>
  countUnread(db, userId, MAX_UNREAD);

/** Marks the notifications up to this one as read. Returns how many are left. */
async function read({ db, clock }: NotificationsDeps, userId: string, upTo: string): Promise<number> {
  const chunk = { at: clock.now(), limit: CHUNK_SIZE };
  let marked = isUuid(upTo) ? CHUNK_SIZE : 0;
  while (marked === CHUNK_SIZE) marked = await markRead(db, userId, upTo.toLowerCase(), chunk);
  return countUnread(db, userId, MAX_UNREAD);
}
