import { afterAll, beforeAll, expect } from 'vitest';
import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { ApiResponse, CallOptions } from '#test/support/client.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { newSeller, type TestSeller } from '#test/support/sellers.ts';

export const HEADER = 'id,type,amount,fee,date,reference';

export let gateway: TestGateway;

export let seller: TestSeller;

/** The offset of the domain clock from the system clock. */
let aheadMs = 0;

export const operator = async (): Promise<CallOptions> => ({ token: await gateway.adminToken() });

export const now = (): number => Date.now() + aheadMs;

export const today = (): string => saoPauloDate(new Date(now()));

export async function advance(ms: number): Promise<void> {
  const seconds = Math.ceil(ms / 1000);
  await gateway.advance(seconds);
  aheadMs += seconds * 1000;
}

/**
 * Advances the clock to ten o'clock of the next day, so that each test has a separate day without a
 * midnight.
 */
export async function newDay(): Promise<string> {
  const day = addDays(today(), 1);
  await advance(startOfSaoPauloDay(day).getTime() + 10 * 3_600_000 - now());
  return day;
}

export const importFile = async (
  day: string,
  text: string,
  options: { readonly provider?: string; readonly as?: CallOptions; readonly type?: string } = {},
): Promise<ApiResponse> =>
  gateway.post(`/admin/reconciliation/files?provider=${options.provider ?? 'sandbox'}&day=${day}`, text, {
    ...(options.as ?? (await operator())),
    headers: { 'content-type': options.type ?? 'text/csv' },
  });

/** Makes a provider known by an old file, like one that is no longer configured. */
export async function knowProvider({ database }: TestGateway, provider: string): Promise<void> {
  await database.query(
    `INSERT INTO settlement_files (id, provider, day, sha256, bytes, lines, duplicates, money_in, money_out,
       fees, imported_by, imported_at)
     VALUES (gen_random_uuid(), $1, '2000-01-01', '', 0, 0, 0, 0, 0, 0, gen_random_uuid(), now())`,
    [provider],
  );
}

export async function report(query: string) {
  const response = await gateway.get(`/admin/reconciliation?${query}`, await operator());
  expect(response.status).toBe(200);
  return response.body.data;
}

export const reportOf = async (day: string, provider = 'sandbox') =>
  (await report(`provider=${provider}&day=${day}`))[0];

export async function differences(query: string) {
  const response = await gateway.get(`/admin/reconciliation/differences?take=100&${query}`, await operator());
  expect(response.status).toBe(200);
  return response.body.data;
}

export const as = () => ({ apiKey: seller.apiKey });

export const simulate = (id: string, what: string) =>
  gateway.post(`/sandbox/transactions/${id}/${what}`, undefined, as());

export async function paid(amount: number, changes: object = {}): Promise<string> {
  const { body } = await gateway.charge({ amount, ...changes }, as());
  expect((await simulate(body.data.id, 'pay')).status).toBe(200);
  return String(body.data.id);
}

export interface Line {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly date: string;
  readonly reference: string;
}

/** Values of a line; absent ones are empty. */
export type Cells = { readonly [Name in keyof Line]?: string | number | undefined };

export const fileOf = (lines: readonly Cells[]): string =>
  [
    HEADER,
    ...lines.map(({ id, type, amount, fee, date, reference }) =>
      [id, type, amount, fee ?? 0, date, reference ?? ''].join(','),
    ),
  ].join('\n');

/** Registers the hooks of a test file. */
export function setUp(): void {
  beforeAll(async () => {
    // Test files of one worker share this module.
    aheadMs = 0;
    gateway = await startTestGateway();
    seller = await newSeller(gateway);
  });
  afterAll(async () => {
    await gateway.stop();
  });
}
