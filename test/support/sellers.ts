import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Db } from '#platform/database/connect.ts';
import { createSeller } from '#onboarding/create-seller.ts';
import type { CallOptions } from '#test/support/client.ts';
import type { TestGateway } from '#test/support/gateway.ts';

export interface TestSeller {
  readonly id: string;
  /** An API key with the role OWNER. */
  readonly apiKey: string;
}

const wanted = (ownerPassword = 'a long password') => ({
  name: 'Loja',
  documentType: 'CNPJ' as const,
  document: '11222333000181',
  ownerName: 'Dona',
  ownerEmail: `${randomUUID()}@example.com`,
  ownerPassword,
});

/** Creates a seller whose owner signs in with this password; returns the owner's email address. */
export async function newOwner(gateway: TestGateway, password: string): Promise<string> {
  const seller = wanted(password);
  const made = await gateway.post('/admin/sellers', seller, { token: await gateway.adminToken() });
  expect(made.status).toBe(201);
  return seller.ownerEmail;
}

/** Creates a seller with rate limits that no test reaches. */
export async function newSeller(gateway: TestGateway): Promise<TestSeller> {
  const token = await gateway.adminToken();
  const made = await gateway.post('/admin/sellers', wanted(), { token });
  const id = String(made.body.data.id);
  const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000 };
  await gateway.patch(`/admin/sellers/${id}`, rates, { token });
  const key = await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'test' }, { token });
  return { id, apiKey: String(key.body.data.key) };
}

/** Inserts a seller without a gateway; returns its id. */
export async function writeSeller(db: Db, at = new Date()): Promise<string> {
  const made = await createSeller(db, { ...wanted(), status: 'ACTIVE' }, at, GATEWAY_ACTOR);
  if (!made.ok) throw new Error(made.failure);
  return made.seller.id;
}

/** Another user of the seller, signed in. */
export async function newMember(gateway: TestGateway, sellerId: string, role: string): Promise<CallOptions> {
  const email = `${randomUUID()}@example.com`;
  const password = 'a long password';
  const member = { name: 'Caio', email, password, role };
  const token = await gateway.adminToken();
  await gateway.post(`/admin/sellers/${sellerId}/users`, member, { token });
  const signedIn = await gateway.post('/login', { email, password }, { credential: 'none' });
  return { token: String(signedIn.body.accessToken) };
}
