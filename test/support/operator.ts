import { expect, vi } from 'vitest';

import type { TestGateway } from '#test/support/gateway.ts';

/** What is due happens within this time. */
export const PROMPTLY = { timeout: 2_000, interval: 20 };

/** The operator, signed in once: signing in is rationed. Good for an hour of the domain's clock. */
export interface Operator {
  readonly token: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  read(path: string): Promise<any>;
  /** The returns of one charge, newest first. */
  // oxlint-disable-next-line typescript/no-explicit-any
  returnsOf(transactionId: string): Promise<any>;
  /** Waits until the charge's one return has come to the status; answers it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  untilReturned(transactionId: string, status: string): Promise<any>;
}

export async function operatorOf(gateway: TestGateway): Promise<Operator> {
  const token = await gateway.adminToken();
  const read: Operator['read'] = async (path) => {
    const answer = await gateway.get(path, { token });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const returnsOf: Operator['returnsOf'] = async (id) =>
    (await read(`/admin/reversals?transactionId=${id}&take=100`)).data;
  return {
    token,
    read,
    returnsOf,
    async untilReturned(id, status) {
      await vi.waitFor(async () => expect(await returnsOf(id)).toMatchObject([{ status }]), PROMPTLY);
      return (await returnsOf(id))[0];
    },
  };
}
