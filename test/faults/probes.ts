import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { CROWD_PATIENCE_MS } from './load.ts';
import { createClient, type Answer, type Client } from '#test/support/client.ts';
import { sleep, type Program } from '#test/support/process.ts';

/** A charge of a seller that is in nobody's books. */
export const probe = (client: Client, idempotencyKey: string = randomUUID()): Promise<Answer> =>
  client.charge({}, { idempotencyKey });

/** While there is no room for what is written, every answer says so in time, or is one that still had room. */
export async function asksWithoutRoom(client: Client, forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  let refused = 0;
  while (performance.now() < end) {
    const asked = performance.now();
    const answer = await probe(client);
    const tookMs = performance.now() - asked;
    // A page that was begun may still have room for this one.
    expect([201, 503]).toContain(answer.status);
    expect(tookMs).toBeLessThan(CROWD_PATIENCE_MS);
    if (answer.status === 503) {
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      refused += 1;
    }
    await sleep(50);
  }
  expect(refused).toBeGreaterThan(0);
}

/** A seller that the load does not know, so that what is tried beside it does not stand in its books. */
export async function foreignTo({ baseUrl, demo }: Program): Promise<Client> {
  const operator = createClient(baseUrl, '');
  const signedIn = await operator.post('/login', demo.admin, { credential: 'none' });
  const token = String(signedIn.body.accessToken);
  const owner = { ownerName: 'Ana', ownerEmail: `${randomUUID()}@example.com`, ownerPassword: randomUUID() };
  const wanted = { name: 'Loja', documentType: 'CNPJ', document: '11222333000181', ...owner };
  const { id } = (await operator.post('/admin/sellers', wanted, { token })).body.data;
  const key = await operator.post(`/admin/sellers/${id}/api-keys`, { name: 'probe' }, { token });
  return createClient(baseUrl, String(key.body.data.key));
}
