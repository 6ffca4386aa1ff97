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

/** An authorized subscription, whose recurrence and charge are at a bank. */
async function authorizedAt(name: 'bacen' | 'bacen2') {
  const { createAutomatic, read, today, until, invoicesOf } = subscriptionsOf(gateway, {});
  const { id } = await createAutomatic({ startDate: today(5) });
  await vi.waitFor(async () => expect((await read(id)).pixAutomatico.idRec).not.toBeNull(), SOON);
  const rec = first.recurrences.recs.pop();
  if (rec === undefined) throw new Error('no recurrence at the first bank');
  const psp = name === 'bacen' ? first : second;
  // Those of the second bank were made there before the operator changed their order.
  psp.recurrences.recs.push(rec);
  await gateway.database.query('UPDATE pix_authorizations SET provider = $1 WHERE subscription_id = $2', [
    name,
    id,
  ]);
  rec.status = 'APROVADA';
  const origin = gateway.baseUrl.replace('/v1', '');
  await fetch(`${origin}/providers/${name}/${psp.secret}/rec`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recs: [{ idRec: rec.idRec, status: 'APROVADA' }] }),
  });
  await until(id, { status: 'ACTIVE' });
  await vi.waitFor(async () => expect((await invoicesOf(id))[0].transactionId).not.toBeNull(), SOON);
  const charge = [...psp.recurrences.cobrs.values()].find(({ idRec }) => idRec === rec.idRec);
  if (charge === undefined) throw new Error('no charge at the bank');
  return { id, rec, charge, psp };
}

it('a subscription is charged and ended at its own bank, whatever the bank of new ones is', async () => {
  const { act } = subscriptionsOf(gateway, {});
  const { id, rec, charge } = await authorizedAt('bacen2');
  expect(first.recurrences.cobrs.size).toBe(0);
  expect((await act(id, 'cancel')).status).toBe(200);
  await vi.waitFor(() => expect(rec.status).toBe('CANCELADA'), SOON);
  await vi.waitFor(() => expect(charge.status).toBe('CANCELADA'), SOON);
});

it('the outcome of a debit whose callback was lost is read at its own bank', async () => {
  const { advance, read } = subscriptionsOf(gateway, {});
  const subscriptions = [await authorizedAt('bacen'), await authorizedAt('bacen2')];
  for (const { psp, charge } of subscriptions) psp.recurrences.reject(charge.txid, 'AC05');
  await advance(6);
  for (const { id } of subscriptions)
    await vi.waitFor(async () => expect((await read(id)).status).toBe('PAST_DUE'), SOON);
});
