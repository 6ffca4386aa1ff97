import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { startFakePsp, type FakePsp } from '#test/support/fake-psp.ts';
import { RECEIVER } from '#test/support/fake-recurrences.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { subscriptionsOf } from '#test/flows/subscriptions/setup.ts';

vi.setConfig({ testTimeout: 60_000 });

const SOON = { timeout: 20_000, interval: 50 };

let first: FakePsp;
let second: FakePsp;
let gateway: TestGateway;

beforeAll(async () => {
  [first, second] = await Promise.all([startFakePsp(), startFakePsp()]);
  const receiver = Object.entries(RECEIVER);
  gateway = await startTestGateway({
    environment: {
      PIX_PROVIDER: 'bacen,bacen2',
      ...first.environment(),
      ...second.environment('BACEN2'),
      ...RECEIVER,
      ...Object.fromEntries(receiver.map(([name, value]) => [name.replace('BACEN', 'BACEN2'), value])),
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

it('a subscription is charged and ended at its own bank, whatever the bank of new ones is', async () => {
  const { createAutomatic, read, today, until, act } = subscriptionsOf(gateway, {});
  const { id } = await createAutomatic({ startDate: today(5) });
  await vi.waitFor(async () => expect((await read(id)).pixAutomatico.idRec).not.toBeNull(), SOON);
  const [rec] = first.recurrences.recs.splice(0);
  if (rec === undefined) throw new Error('no recurrence at the first bank');
  // It was made at the other bank before the operator changed their order.
  second.recurrences.recs.push(rec);
  await gateway.database.query(
    "UPDATE pix_authorizations SET provider = 'bacen2' WHERE subscription_id = $1",
    [id],
  );
  rec.status = 'APROVADA';
  const origin = gateway.baseUrl.replace('/v1', '');
  await fetch(`${origin}/providers/bacen2/${second.secret}/rec`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recs: [{ idRec: rec.idRec, status: 'APROVADA' }] }),
  });
  await until(id, { status: 'ACTIVE' });
  await vi.waitFor(() => expect(second.recurrences.cobrs.size).toBe(1), SOON);
  expect(first.recurrences.cobrs.size).toBe(0);
  expect((await act(id, 'cancel')).status).toBe(200);
  await vi.waitFor(() => expect(rec.status).toBe('CANCELADA'), SOON);
  const [charge] = second.recurrences.cobrs.values();
  await vi.waitFor(() => expect(charge?.status).toBe('CANCELADA'), SOON);
});
