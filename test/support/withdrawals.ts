import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { secondApproval } from '#test/support/operator.ts';
import type { TestGateway } from '#test/support/gateway.ts';

/** Creates a seller, so that tests do not share a balance. */
export interface TestSeller {
  readonly id: string;
  readonly apiKey: string;
}

export interface SellerOptions {
  readonly fee?: { readonly type: 'FIXED' | 'PERCENTAGE'; readonly value: number };
  readonly autoApproveUpTo?: number;
  /** Pix balance in cents, paid in without a fee. */
  readonly balance?: number;
}

export async function newSeller(gateway: TestGateway, options: SellerOptions = {}): Promise<TestSeller> {
  const token = await gateway.adminToken();
  const wanted = {
    name: 'Loja',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Dona',
    ownerEmail: `${randomUUID()}@example.com`,
    ownerPassword: 'a long password',
  };
  const made = await gateway.post('/admin/sellers', wanted, { token });
  if (made.status !== 201) throw new Error(`the seller was not created: ${made.text}`);
  const id = String(made.body.data.id);
  const { type, value } = options.fee ?? { type: 'FIXED', value: 0 };
  // Runs before the plan is first read, because plans are cached.
  await gateway.database.query(
    `UPDATE fee_schedules SET pix_in_type = 'FIXED', pix_in_value = 0, pix_out_type = $2, pix_out_value = $3,
        boleto_type = 'FIXED', boleto_value = 0, credit_card_type = 'FIXED',
        credit_card_values = array_fill(0, ARRAY[12])
      WHERE seller_id = $1`,
    [id, type, value],
  );
  const changed = await gateway.patch(
    `/admin/sellers/${id}`,
    {
      requestsPerMinute: 1_000_000,
      creationsPerMinute: 1_000_000,
      boletoDelayDays: 0,
      cardDelayDays: 0,
      autoApproveUpTo: options.autoApproveUpTo ?? 0,
    },
    { token },
  );
  await secondApproval(gateway, changed);
  const key = await secondApproval(
    gateway,
    await gateway.post(`/admin/sellers/${id}/api-keys`, { name: 'test' }, { token }),
  );
  const seller = { id, apiKey: String(key.key) };
  if (options.balance !== undefined) await payIn(gateway, seller, options.balance);
  return seller;
}

/** Pays in this many cents by Pix, available immediately. */
export async function payIn(gateway: TestGateway, { apiKey }: TestSeller, amount: number): Promise<void> {
  const created = await gateway.charge({ amount }, { apiKey });
  const paid = await gateway.post(`/sandbox/transactions/${created.body.data.id}/pay`, undefined, { apiKey });
  expect(paid.status).toBe(200);
}

/** A body that withdraws R$ 10,00 by Pix. */
export const goodWithdrawal = (changes: Readonly<Record<string, unknown>> = {}) => ({
  amount: 1000,
  method: 'PIX',
  pixKey: '529.982.247-25',
  pixKeyType: 'CPF',
  ...changes,
});

export function withdraw(
  gateway: TestGateway,
  { apiKey }: TestSeller,
  changes?: Readonly<Record<string, unknown>>,
  options?: CallOptions,
): Promise<ApiResponse> {
  const body = goodWithdrawal(changes);
  return gateway.post('/withdrawals', body, { apiKey, idempotencyKey: randomUUID(), ...options });
}

/** Creates a withdrawal; returns its id. */
export async function withdrawn(
  gateway: TestGateway,
  seller: TestSeller,
  changes?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const created = await withdraw(gateway, seller, changes);
  expect(created.status).toBe(201);
  return String(created.body.data.id);
}

/** Makes the default destination a known one, with an approved withdrawal that then fails. */
export async function trustDestination(gateway: TestGateway, seller: TestSeller): Promise<void> {
  await withdrawalThatIs(gateway, seller, 'FAILED', { amount: 1_000 });
}

export async function readWithdrawal(gateway: TestGateway, { apiKey }: TestSeller, id: string) {
  return (await gateway.get(`/withdrawals/${id}`, { apiKey })).body.data;
}

/** A worker takes at most a second, on a machine that is not loaded. */
const STATUS_DEADLINE_MS = 10_000;

/** Waits until the withdrawal has the status. */
export async function untilStatus(
  gateway: TestGateway,
  seller: TestSeller,
  id: string,
  status: string,
): Promise<void> {
  await vi.waitFor(async () => expect((await readWithdrawal(gateway, seller, id)).status).toBe(status), {
    timeout: STATUS_DEADLINE_MS,
    interval: 20,
  });
}

export type Reached = 'PENDING' | 'REJECTED' | 'PROCESSING' | 'PAID' | 'FAILED';

/** Moves a new withdrawal to the status through the API. */
export async function bringTo(
  gateway: TestGateway,
  seller: TestSeller,
  id: string,
  status: Reached,
): Promise<void> {
  if (status === 'PENDING') return;
  const token = await gateway.adminToken();
  if (status === 'REJECTED') {
    const rejected = await gateway.post(`/admin/withdrawals/${id}/reject`, { reason: 'no' }, { token });
    expect(rejected.status).toBe(200);
    return;
  }
  const approved = await gateway.post(`/admin/withdrawals/${id}/approve`, undefined, { token });
  expect(approved.status).toBe(200);
  await untilStatus(gateway, seller, id, 'PROCESSING');
  if (status === 'PROCESSING') return;
  const simulated = await simulate(gateway, seller, id, status === 'PAID' ? 'pay' : 'fail');
  expect(simulated.status).toBe(200);
}

/** Creates a withdrawal in the status; returns its id. */
export async function withdrawalThatIs(
  gateway: TestGateway,
  seller: TestSeller,
  status: Reached,
  changes?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = await withdrawn(gateway, seller, changes);
  await bringTo(gateway, seller, id, status);
  return id;
}

export function simulate(gateway: TestGateway, { apiKey }: TestSeller, id: string, name: 'pay' | 'fail') {
  return gateway.post(`/sandbox/withdrawals/${id}/${name}`, undefined, { apiKey });
}

/** Available and blocked Pix balance of the seller. */
export async function balanceOf(
  gateway: TestGateway,
  { apiKey }: TestSeller,
  origin: 'PIX' | 'BOLETO' | 'CARD' = 'PIX',
) {
  const wallet = await gateway.get('/seller-wallet/gestao', { apiKey });
  const { availableBalance, blockedBalance } = wallet.body.data.byOrigin[origin];
  return [availableBalance, blockedBalance];
}

export async function expectBalanced(gateway: TestGateway): Promise<void> {
  const check = await gateway.get('/admin/ledger/check', { token: await gateway.adminToken() });
  expect(check.body.data).toMatchObject({ balanced: true, discrepancies: [] });
}
