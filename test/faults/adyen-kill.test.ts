import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { cardOf, GOOD, shopAt, SOON, type Charged, type Shop } from '#test/support/adyen-shop.ts';
import { startFakeAdyen, type FakeAdyen } from '#test/support/fake-adyen.ts';
import { startAfterKill } from '#test/support/killed-process.ts';
import { makePlace, type Place, type Program } from '#test/support/process.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let fake: FakeAdyen;
let place: Place;
let program: Program;
let shop: Shop;
let output = '';

beforeAll(async () => {
  fake = await startFakeAdyen();
  place = await makePlace({ ...fake.settings, LOG_LEVEL: 'info' });
  await start();
  const token = await adminToken();
  const limits = { negativeBalanceUpTo: 1_000_000 };
  await program.client.patch(`/admin/sellers/${program.demo.seller.id}`, limits, { token });
});
afterAll(async () => {
  await place.remove();
  await fake.close();
});

async function start(started: Promise<Program> = place.start()): Promise<void> {
  program = await started;
  shop = shopAt(program.client, fake);
}

/** Sends SIGKILL to all processes, and starts again with the same data. */
async function killAndStart(): Promise<void> {
  await program.killAll();
  output += program.stdout() + program.stderr();
  fake.release();
  await start(startAfterKill(place));
}

async function adminToken(): Promise<string> {
  const signedIn = await program.client.post('/login', program.demo.admin, { credential: 'none' });
  return String(signedIn.body.accessToken);
}

async function advance(advanceSeconds: number): Promise<void> {
  const moved = await program.client.post(
    '/sandbox/clock',
    { advanceSeconds },
    { token: await adminToken() },
  );
  expect(moved.status).toBe(200);
}

async function expectBalanced(): Promise<void> {
  const check = await program.client.get('/admin/ledger/check', { token: await adminToken() });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}

const act = (id: string, action: string) => program.client.post(`/transactions/${id}/${action}`);

/** Starts a charge whose response never arrives, and waits until Adyen has been called. */
async function beginPaying(changes: Readonly<Record<string, unknown>>) {
  const key = randomUUID();
  const calls = fake.callsOf('payments').length;
  const lost = shop.pay(changes, key).catch(() => undefined);
  const call = (await fake.called('payments', calls + 1)).at(-1);
  void lost;
  return { key, id: String(call?.body.reference), psp: call?.pspReference ?? '' };
}

/**
 * A repeated request waits for the outcome of the first one, as long as the process of that one may
 * still be calling Adyen.
 */
const endCallOfKilled = () => advance(31);

/** Waits for the call that a request causes. */
async function calledOnce(operation: 'captures' | 'refunds', { psp }: Charged): Promise<void> {
  await vi.waitFor(() => expect(fake.callsOf(operation, psp)).toHaveLength(1), SOON);
}

it('neither loses nor duplicates a payment when killed before Adyen executes the call', async () => {
  const authorized = shop.charged(await shop.pay({ capture: false }));
  const paid = shop.charged(await shop.pay());

  fake.err('payments', 'early');
  fake.err('captures', 'early');
  const begun = await beginPaying({});
  await act(authorized.id, 'capture');
  await calledOnce('captures', authorized);
  await killAndStart();
  await endCallOfKilled();
  const again = await shop.pay({}, begun.key);
  expect(again.body.data).toMatchObject({ id: begun.id, status: 'PENDING' });
  await advance(200);
  await shop.until(begun.id, { status: 'FAILED', statusReason: 'the card provider did not respond in time' });
  expect((await shop.pay({}, begun.key)).text).toBe(again.text);
  expect(fake.payments.filter(({ reference }) => reference === begun.id)).toEqual([]);
  expect(fake.callsOf('payments', begun.id)).toHaveLength(1);
  await shop.notify(await shop.ofModification(authorized, 'captures', 'CAPTURE'));
  expect(await shop.read(authorized.id)).toMatchObject({ status: 'PAID' });
  expect(fake.kept(authorized.id)).toBe(10_000);

  fake.err('refunds', 'early');
  const refundKey = randomUUID();
  const refunded = await shop.refund(paid.id, null, refundKey);
  await calledOnce('refunds', paid);
  await killAndStart();
  expect((await shop.refund(paid.id, null, refundKey)).text).toBe(refunded.text);
  await advance(65);
  await shop.notify(await shop.ofModification(paid, 'refunds', 'REFUND'));
  expect(await shop.read(paid.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 10_000 });
  expect(fake.kept(paid.id)).toBe(0);
  await expectBalanced();
});

it('neither loses nor duplicates a payment when killed after Adyen executes the call', async () => {
  const authorized = shop.charged(await shop.pay({ capture: false }));
  const paid = shop.charged(await shop.pay());

  fake.err('payments', 'held', 'held', 'held');
  fake.err('captures', 'held');
  const reported = await beginPaying({});
  const late = await beginPaying({});
  const given = await beginPaying({ capture: false });
  await act(authorized.id, 'capture');
  await calledOnce('captures', authorized);
  await killAndStart();
  await endCallOfKilled();
  for (const { key, id } of [reported, late, given]) {
    const again = await shop.pay(id === given.id ? { capture: false } : {}, key);
    expect(again.body.data).toMatchObject({ id, status: 'PENDING' });
  }
  await shop.notify(shop.ofPayment(reported, 'AUTHORISATION'));
  expect(await shop.read(reported.id)).toMatchObject({ status: 'PAID' });
  await advance(200);
  await shop.until(late.id, { status: 'FAILED' });
  await shop.until(given.id, { status: 'FAILED' });
  await vi.waitFor(() => expect(fake.payment(given.id).cancelled).toBe(true), SOON);
  await shop.notify(shop.ofPayment(late, 'AUTHORISATION'));
  await vi.waitFor(() => expect(fake.kept(late.id)).toBe(0), SOON);
  expect(
    fake.callsOf('payments').filter(({ body }) => [reported.id, late.id, given.id].includes(body.reference)),
  ).toHaveLength(3);
  await vi.waitFor(() => expect(fake.callsOf('captures', authorized.psp)).toHaveLength(2), SOON);
  await shop.notify(await shop.ofModification(authorized, 'captures', 'CAPTURE'));
  expect(await shop.read(authorized.id)).toMatchObject({ status: 'PAID' });
  expect(fake.kept(authorized.id)).toBe(10_000);

  fake.err('refunds', 'held');
  await shop.refund(paid.id);
  await calledOnce('refunds', paid);
  await killAndStart();
  await advance(65);
  await vi.waitFor(() => expect(fake.callsOf('refunds', paid.psp)).toHaveLength(2), SOON);
  await shop.notify(await shop.ofModification(paid, 'refunds', 'REFUND'));
  expect(await shop.read(paid.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: 10_000 });
  expect(fake.kept(paid.id)).toBe(0);
  await expectBalanced();
});

it('applies each reported capture once when killed while Adyen sends notifications', async () => {
  const charged = await Promise.all(
    Array.from({ length: 6 }, async () => shop.charged(await shop.pay({ capture: false }))),
  );
  const notifications = [];
  for (const one of charged) {
    await act(one.id, 'capture');
    notifications.push(await shop.ofModification(one, 'captures', 'CAPTURE'));
  }
  const before = (await shop.wallet()).totalBalance;
  const lost = Promise.all(
    notifications.map((reported) => fake.send(program.baseUrl, [reported]).catch(() => undefined)),
  );
  await killAndStart();
  await lost;
  for (let time = 0; time < 2; time += 1) {
    expect((await fake.send(program.baseUrl, notifications)).status).toBe(200);
  }
  for (const { id } of charged) expect(await shop.read(id)).toMatchObject({ status: 'PAID' });
  expect((await shop.wallet()).totalBalance).toBe(before + 6 * 9_601);
  await expectBalanced();
});

it('writes no card number or security code to the data directory or the log', async () => {
  const card = cardOf('378282246310005', { cvv: '7391' });
  expect((await shop.pay({ card })).body.data.status).toBe('PAID');
  fake.err('payments', 'cut');
  expect((await shop.pay({ card })).body.data.status).toBe('PENDING');
  await program.end();
  output += program.stdout() + program.stderr();
  const secrets = ['378282246310005', GOOD].map((number) => Buffer.from(number));
  const found: string[] = [];
  let files = 0;
  for (const entry of await readdir(place.dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name));
    files += 1;
    if (secrets.some((secret) => content.includes(secret))) found.push(entry.name);
  }
  expect(found).toEqual([]);
  expect(files).toBeGreaterThan(100);
  expect(output).toContain('is running');
  for (const secret of secrets) expect(output).not.toContain(String(secret));
  expect(output).not.toMatch(/(?<![\w.:-])7391(?![\w.:-])/);
});
