import type { Client } from '#test/support/client.ts';
import { sleep } from '#test/support/process.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { different } from './comparisons.ts';
import { TIMEOUT_MS, type SellerRecords } from './records.ts';

/** Longer than a lease and the delay before the second attempt of a delivery. */
const NEXT_POLL_SECONDS = 31;

/** Advances the clock of the sandbox. */
type AdvanceClock = (seconds: number) => Promise<unknown>;

/** The changes that a seller's webhook receives, by record. */
function changesOf({ charges, withdrawals }: SellerRecords): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const { created, method, paid, refund } of charges) {
    if (created === undefined) continue;
    // An authorized card payment sends an event at once.
    const reported =
      (method === 'PIX' ? 0 : 1) + (paid === 'done' ? 1 : 0) + (refund.asked === 'done' ? 1 : 0);
    if (reported > 0) changes.set(created.id, reported);
  }
  for (const { created, paid } of withdrawals) {
    // Approved, submitted to its provider, and paid.
    if (created !== undefined) changes.set(created.id, paid === 'done' ? 3 : 2);
  }
  return changes;
}

/**
 * Every change is one event, and every event was received at least once, with one id and the same
 * bytes.
 */
export async function compareEvents(
  records: SellerRecords,
  receiver: Receiver | undefined,
  advanceClock: AdvanceClock,
): Promise<readonly string[]> {
  const { seller } = records;
  const changes = changesOf(records);
  const expected = [...changes].map(([id, count]) => `${count} events of ${id}`);
  const written = await eventsOf(seller.client);
  const wrong = [...different(expected, counted(written))];
  if (!seller.listens) return wrong;
  const sum = [...changes.values()].reduce((total, reported) => total + reported, 0);
  const { count } = (await seller.client.get('/webhooks/deliveries?take=1')).body;
  if (count !== sum) wrong.push(`${count} deliveries for ${sum} changes`);
  if (receiver === undefined) return wrong;
  const reported = await untilDelivered(receiver, changes, advanceClock);
  return [...wrong, ...reported];
}

async function untilDelivered(
  receiver: Receiver,
  changes: ReadonlyMap<string, number>,
  advanceClock: AdvanceClock,
): Promise<readonly string[]> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const came = receiver.received.filter(({ body }) => changes.has(body.data.id));
    const ids = new Map(came.map((call) => [String(call.headers['webhook-id']), call]));
    const missing = [...changes.values()].reduce((sum, reported) => sum + reported, 0) - ids.size;
    if (missing <= 0 || performance.now() > deadline) {
      const reported = counted([...ids.values()].map(({ body }) => ({ recordId: String(body.data.id) })));
      const same = new Map<string, string>();
      const twice = came.filter(({ headers, text }) => {
        const id = String(headers['webhook-id']);
        if (!same.has(id)) same.set(id, text);
        return same.get(id) !== text;
      });
      return [
        ...different(
          [...changes].map(([id, number]) => `${number} events of ${id}`),
          reported,
        ),
        ...twice.map(({ headers }) => `event ${String(headers['webhook-id'])} was sent with two contents`),
      ];
    }
    // The deliveries that a killed worker has leased are sent when the lease expires.
    await sleep(1_000);
    await advanceClock(NEXT_POLL_SECONDS);
  }
}

/** Every event of a seller, read with the cursor. */
async function eventsOf(client: Client): Promise<readonly { readonly recordId: string }[]> {
  const events: { readonly id: string; readonly recordId: string }[] = [];
  for (let after = ''; ;) {
    const { body } = await client.get(`/events?take=100${after}`);
    events.push(...body.data);
    if (body.more !== true) break;
    after = `&after=${encodeURIComponent(body.nextCursor)}`;
  }
  if (new Set(events.map(({ id }) => id)).size !== events.length) throw new Error('an event was read twice');
  return events;
}

const counted = (events: readonly { readonly recordId: string }[]): readonly string[] =>
  [...Map.groupBy(events, ({ recordId }) => recordId)].map(
    ([id, those]) => `${those.length} events of ${id}`,
  );
