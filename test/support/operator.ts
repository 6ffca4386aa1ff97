import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import { newId } from '#platform/kit/ids.ts';
import type { TestGateway } from '#test/support/gateway.ts';

/** Due work happens within this time. */
export const PROMPTLY = { timeout: 2_000, interval: 20 };

/**
 * A new ADMIN who can approve at once, because it was not created by another ADMIN. It has the
 * first one's password.
 */
export async function newAdmin(
  gateway: TestGateway,
): Promise<{ readonly id: string; readonly email: string; readonly token: string }> {
  const { password } = gateway.demo.admin;
  const email = `${randomUUID()}@example.com`;
  const [user] = await gateway.database.query<{ id: string }>(
    `INSERT INTO users (id, name, email, role, password_hash, created_at, updated_at)
      SELECT $1, 'ADMIN', $2, role, password_hash, created_at, updated_at FROM users
      WHERE role = 'ADMIN' ORDER BY created_at LIMIT 1
      RETURNING id`,
    [newId(Date.now()), email],
  );
  const signedIn = await gateway.post('/login', { email, password }, { credential: 'none' });
  return { id: user?.id ?? '', email, token: String(signedIn.body.accessToken) };
}

/** The data of a response. With two ADMINs, a second one approves the request first. */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON
export async function secondApproval(gateway: TestGateway, { status, body }: ApiResponse): Promise<any> {
  if (status >= 400) throw new Error(`the request failed: ${status} ${JSON.stringify(body)}`);
  if (status !== 202) return body.data;
  const second = await newAdmin(gateway);
  const path = `/admin/approvals/${body.data.id}/approve`;
  const approved = await gateway.post(path, undefined, second);
  if (approved.status >= 400) throw new Error(`the approval failed: ${approved.text}`);
  await gateway.database.query('DELETE FROM users WHERE id = $1', [second.id]);
  return approved.body.data.result;
}

/**
 * A signed-in operator, because sign-ins are rate-limited. Its token lasts an hour of the domain
 * clock.
 */
export interface Operator {
  readonly token: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  read(path: string): Promise<any>;
  /** The reversals of one charge, newest first. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  reversalsOf(transactionId: string): Promise<any>;
  /** Waits until the charge's only reversal has the status; returns it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  untilReversal(transactionId: string, status: string): Promise<any>;
}

export async function operatorOf(gateway: TestGateway): Promise<Operator> {
  const token = await gateway.adminToken();
  const read: Operator['read'] = async (path) => {
    const response = await gateway.get(path, { token });
    expect(response.status).toBe(200);
    return response.body;
  };
  const reversalsOf: Operator['reversalsOf'] = async (id) =>
    (await read(`/admin/reversals?transactionId=${id}&take=100`)).data;
  return {
    token,
    read,
    reversalsOf,
    async untilReversal(id, status) {
      await vi.waitFor(async () => expect(await reversalsOf(id)).toMatchObject([{ status }]), PROMPTLY);
      return (await reversalsOf(id))[0];
    },
  };
}
