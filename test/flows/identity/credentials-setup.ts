import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { bodyOf } from '#test/support/errors.ts';

/** Known to the tests, which sign tokens that differ from valid ones in one property. */
export const JWT_SECRET = 'a secret of forty characters for tests!!';

export const PASSWORD = 'a long enough password';

export const NO_CREDENTIAL: CallOptions = { credential: 'none' };

export let gateway: TestGateway;

export let admin: CallOptions;

/**
 * Requests of anonymous clients and failed sign-ins are counted by address, and all tests have one:
 * each group has a separate gateway, and signs in only as often as needed.
 */
export function onItsOwnGateway(): void {
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: { JWT_SECRET } });
    admin = { token: await gateway.adminToken() };
  });
  afterAll(async () => {
    await gateway.stop();
  });
}

export interface TestSeller {
  readonly id: string;
  readonly email: string;
}

export async function newSeller(changes: Readonly<Record<string, unknown>> = {}): Promise<TestSeller> {
  const email = `${randomUUID()}@example.com`;
  const made = await gateway.post(
    '/admin/sellers',
    {
      name: 'Loja',
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: 'Ana Souza',
      ownerEmail: email,
      ownerPassword: PASSWORD,
      ...changes,
    },
    admin,
  );
  expect(made.status).toBe(201);
  return { id: made.body.data.id, email };
}

export async function newKey(sellerId: string, role?: string): Promise<CallOptions> {
  const body = { name: 'test', ...(role === undefined ? {} : { role }) };
  const made = await gateway.post(`/admin/sellers/${sellerId}/api-keys`, body, admin);
  expect(made.status).toBe(201);
  return { apiKey: made.body.data.key };
}

export const login = (email: string, password = PASSWORD): Promise<ApiResponse> =>
  gateway.post('/login', { email, password }, NO_CREDENTIAL);

export const refresh = (refreshToken: string): Promise<ApiResponse> =>
  gateway.post('/auth/refresh', { refreshToken }, NO_CREDENTIAL);

export const wallet = (options: CallOptions): Promise<ApiResponse> =>
  gateway.get('/seller-wallet/gestao', options);

export const resultOf = ({ status, body }: ApiResponse) => ({ status, body });

export const refused = (statusCode: number, message: string) => ({
  status: statusCode,
  body: bodyOf(statusCode, message),
});

export const UNAUTHORIZED = refused(401, 'Unauthorized');

export const FORBIDDEN = refused(403, 'Forbidden resource');

/** Signs the operator in again, after the clock has passed the expiry of the token. */
export async function renewAdmin(): Promise<void> {
  admin = { token: await gateway.adminToken() };
}
