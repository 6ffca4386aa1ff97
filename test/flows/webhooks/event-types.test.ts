import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { EVENTS } from '#app/routes.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

it('lists every event type with a schema that its example passes, as sellers see it', async () => {
  const response = await gateway.get('/webhooks/event-types');
  expect(response.status).toBe(200);
  const { data, count } = response.body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(EVENTS.map(({ name }) => name));
  expect(count).toBe(EVENTS.length);
  expect(data.map(({ eventType }: { eventType: string }) => eventType)).toEqual([
    'TRANSACTION',
    'WITHDRAWAL',
    'DISPUTE',
    'SUBSCRIPTION',
    'SUBSCRIPTION',
    'SUBSCRIPTION',
    null,
  ]);
  for (const { name, schema, example } of data) {
    expect(schema).toMatchObject({ type: 'object', properties: { event: { const: name } } });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    expect(ajv.validate(schema, example)).toBe(true);
    expect(ajv.validate(schema, { ...example, event: 'ANOTHER' })).toBe(false);
  }
  expect((await gateway.get('/webhooks/event-types', { credential: 'none' })).status).toBe(401);
});
