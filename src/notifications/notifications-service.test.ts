import { beforeAll, describe, expect, it } from 'vitest';

import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { Clock } from '#platform/kit/clock.ts';
import { newId } from '#platform/kit/ids.ts';
import { useDatabase } from '#test/support/opened-database.ts';
import { writeSeller } from '#test/support/sellers.ts';
import { createNotificationsService, findSummaryReaders } from './notifications-service.ts';

const DAY_MS = 86_400_000;

const store = useDatabase();
const clock = new Clock();
let sellerId: string;
let userId: string;

beforeAll(async () => {
  sellerId = await writeSeller(store.db, clock.now());
  const [user] = await store.query<{ id: string }>('SELECT id FROM users WHERE seller_id = $1', [sellerId]);
  userId = user?.id ?? '';
});

describe('marking notifications as read', () => {
  it('marks all older ones, also more than a thousand', async () => {
    const notifications = createNotificationsService({ db: store.db, clock });
    const ids = Array.from({ length: 1_205 }, (_, index) => newId(clock.nowMs() - DAY_MS + index));
    await store.query(
      `INSERT INTO notifications (user_id, id, kind, params, created_at)
        SELECT $1, id, 'withdrawal-paid', '{}', $3 FROM unnest($2::uuid[]) AS id`,
      [userId, ids, clock.now()],
    );
    expect(await notifications.read(userId, ids[1_199] ?? '')).toBe(5);
    expect(await notifications.read(userId, ids.at(-1) ?? '')).toBe(0);
  });
});

describe('the daily summary', () => {
  it('is not due for operator users, who would keep others waiting', async () => {
    const notifications = createNotificationsService({ db: store.db, clock });
    const operator = { userId, sellerId: null };
    const chosen = await notifications.choose(operator, { 'daily-summary': true }, GATEWAY_ACTOR);
    expect(chosen['daily-summary']).toBe(true);
    const waiting = 'SELECT FROM notification_choices WHERE summary_after IS NOT NULL';
    expect(await store.query(waiting)).toEqual([]);
  });

  it('of the day before is still due if other choices change after midnight', async () => {
    const notifications = createNotificationsService({ db: store.db, clock });
    const choose = (changes: object) => notifications.choose({ userId, sellerId }, changes, GATEWAY_ACTOR);
    const dueOf = async (day: string) =>
      (await findSummaryReaders(store.db, day, 10)).map((reader) => reader.userId);
    const day = saoPauloDate(clock.now());
    await choose({ 'daily-summary': true });
    clock.advanceTo(DAY_MS);
    expect(await dueOf(day)).toEqual([userId]);
    await choose({ 'withdrawal-paid': true });
    expect(await dueOf(day)).toEqual([userId]);
  });
});
