import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';
import { newAdmin } from '#test/support/operator.ts';
import { run, type Exit } from '#test/support/process.ts';
import { newMember, newSeller } from '#test/support/sellers.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ worker: false, environment: SHARED_SECRETS });
});
afterAll(() => gateway.stop());

const recover = (...args: readonly string[]): Promise<Exit> =>
  run(['recover-admin', ...args], {
    ...SHARED_SECRETS,
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'warn',
  }).exit(60_000);

const signIn = (email: string, password: string) =>
  gateway.post('/login', { email, password }, { credential: 'none' });

it('rejects users of sellers and invalid emails, and changes nothing', async () => {
  const { id } = await newSeller(gateway);
  const member = await newMember(gateway, id, 'OWNER');
  const { email } = (await gateway.get('/users/me', member)).body.data;
  const refused = await recover(String(email));
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('the email address belongs to a seller'),
  ]);
  expect((await gateway.get('/users/me', member)).status).toBe(200);
  const invalid = await recover('nobody');
  expect([invalid.code, invalid.stderr]).toEqual([
    1,
    expect.stringContaining('Usage: npm run recover-admin EMAIL'),
  ]);
});

it.each(['known', 'new'])(
  'sets a password for a %s ADMIN, who can approve at once, and is audited',
  async (state) => {
    const admin = await newAdmin(gateway);
    const { id: sellerId } = await newSeller(gateway);
    const path = `/admin/sellers/${sellerId}/api-keys`;
    const requested = await gateway.post(path, { name: 'x' }, admin);
    expect(requested.status).toBe(202);
    const known = (await gateway.get('/users/me', admin)).body.data;
    const email = state === 'known' ? String(known.email) : 'recovered@example.com';
    // Users cannot approve their own requests.
    const by = state === 'known' ? { token: await gateway.adminToken() } : admin;
    const pending = state === 'known' ? await gateway.post(path, { name: 'y' }, by) : requested;

    const { code, stdout, stderr } = await recover(email);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^mode sandbox, host [^\n]*\n$/)]);
    const password = / password (\S+)$/m.exec(stdout)?.[1] ?? '';
    const session = await signIn(email, password);
    expect(session.status).toBe(200);
    const recovered = { token: String(session.body.accessToken) };
    // The sessions of a known ADMIN end. Processes notice it within a second.
    const status = state === 'known' ? 401 : 200;
    await vi.waitFor(async () => expect((await gateway.get('/users/me', admin)).status).toBe(status), 5_000);
    const approved = await gateway.post(
      `/admin/approvals/${pending.body.data.id}/approve`,
      undefined,
      recovered,
    );
    expect(approved.body.data).toMatchObject({ status: 'APPROVED' });
    const log = await gateway.get('/admin/audit-log?action=admin.recovered', recovered);
    expect(log.body.data[0].after).toEqual({ email, created: state === 'new' });
  },
);
