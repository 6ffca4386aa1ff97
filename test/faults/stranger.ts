import { randomUUID } from 'node:crypto';

import { createClient, type Answer, type Client } from '#test/support/client.ts';
import type { Program } from '#test/support/process.ts';

/** A charge of a seller that is in nobody's books. */
export const probe = (client: Client, idempotencyKey: string = randomUUID()): Promise<Answer> =>
  client.charge({}, { idempotencyKey });

/** A seller that the load does not know, so that what is tried beside it does not stand in its books. */
export async function strangerTo({ baseUrl, demo }: Program): Promise<Client> {
  const operator = createClient(baseUrl, '');
  const signedIn = await operator.post('/login', demo.admin, { credential: 'none' });
  const token = String(signedIn.body.accessToken);
  const owner = { ownerName: 'Ana', ownerEmail: `${randomUUID()}@example.com`, ownerPassword: randomUUID() };
  const wanted = { name: 'Loja', documentType: 'CNPJ', document: '11222333000181', ...owner };
  const { id } = (await operator.post('/admin/sellers', wanted, { token })).body.data;
  const key = await operator.post(`/admin/sellers/${id}/api-keys`, { name: 'probe' }, { token });
  return createClient(baseUrl, String(key.body.data.key));
}
