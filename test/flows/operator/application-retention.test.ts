import { afterAll, beforeAll, expect, it } from 'vitest';

import { eraseDue } from '#onboarding/retention.ts';
import { openDatabase, type Database, type Db } from '#platform/database/connect.ts';
import { Clock } from '#platform/kit/clock.ts';
import { addDocument, DETAILS, newApplicant, type Applicant } from '#test/support/applications.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
let database: Database;
let admin: { readonly token: string };

beforeAll(async () => {
  gateway = await startTestGateway({ worker: false });
  database = openDatabase({ url: gateway.database.url, poolSize: 2, onError: () => undefined });
  admin = { token: await gateway.adminToken() };
});
afterAll(async () => {
  await database.close();
  await gateway.stop();
});

/** A complete application that was last changed before the retention. */
async function abandoned(): Promise<Applicant> {
  const applicant = await newApplicant(gateway);
  await gateway.patch('/application', DETAILS, applicant.as);
  await addDocument(gateway, applicant, 'IDENTITY');
  await gateway.database.query(
    "UPDATE seller_applications SET updated_at = now() - interval '100 days' WHERE seller_id = $1",
    [applicant.id],
  );
  return applicant;
}

/** Runs the job, which finds what is due before `change` and locks it after. */
async function eraseAround(change: () => Promise<unknown>): Promise<void> {
  const { db } = database;
  const racing = {
    selectFrom: db.selectFrom.bind(db),
    transaction: () => ({
      execute: async (work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) => {
        await change();
        return db.transaction().execute(work);
      },
    }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that the job calls
  const deps = { db: racing as unknown as Db, clock: new Clock(), getRetentionDays: async () => 90 };
  await eraseDue(deps, 100);
}

const read = async ({ id }: Applicant) => (await gateway.get(`/admin/applications/${id}`, admin)).body.data;
const kept = { name: 'Canecas', activity: DETAILS.activity, documents: [{ kind: 'IDENTITY' }] };

it.each([
  ['submitted', 'SUBMITTED', ({ as }: Applicant) => gateway.post('/application/submit', {}, as)],
  [
    'approved',
    'APPROVED',
    ({ id }: Applicant) => gateway.post(`/admin/applications/${id}/approve`, {}, admin),
  ],
  ['changed', 'DRAFT', ({ as }: Applicant) => gateway.patch('/application', { phone: '8133334444' }, as)],
])('keeps an application that is %s while the job begins', async (_, status, change) => {
  const applicant = await abandoned();
  await eraseAround(async () => expect((await change(applicant)).status).toBe(200));
  expect(await read(applicant)).toMatchObject({ ...kept, status, erasedAt: null });
  expect((await gateway.get('/users/me', applicant.as)).status).toBe(200);
});

it('erases an application that nobody changes', async () => {
  const applicant = await abandoned();
  await eraseAround(async () => undefined);
  expect(await read(applicant)).toMatchObject({ status: 'EXPIRED', name: 'Apagado', documents: [] });
});
