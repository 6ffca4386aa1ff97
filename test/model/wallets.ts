import { expect } from 'vitest';

import type { ApiResponse } from '#test/support/client.ts';
import type { ObservableState } from './observable-state.ts';
import { bookedAs, ORIGINS } from './state.ts';

/** A GET as the seller. */
type Get = (path: string) => Promise<ApiResponse>;

/** The balances of a wallet, whose total is their sum. */
export async function readWallets(get: Get): Promise<ObservableState['wallets']> {
  const { body } = await get('/seller-wallet/gestao');
  const parts = ORIGINS.map((origin) => {
    const { availableBalance, blockedBalance } = body.data.byOrigin[origin];
    return [origin, [Number(availableBalance), Number(blockedBalance)]] as const;
  });
  const sum = (which: 0 | 1) => parts.reduce((total, [, part]) => total + part[which], 0);
  expect([body.data.availableBalance, body.data.blockedBalance, body.data.totalBalance]).toEqual([
    sum(0),
    sum(1),
    sum(0) + sum(1),
  ]);
  return { PIX: [0, 0], BOLETO: [0, 0], CARD: [0, 0], ...Object.fromEntries(parts) };
}

/**
 * Reads the whole statement and compares it with the wallet. Only while no command is running.
 */
export async function readStatement(
  get: Get,
  nameOf: (id: string) => string,
  wallets: ObservableState['wallets'],
): Promise<ObservableState['booked']> {
  const booked: Record<string, number> = {};
  const sums: Record<string, [number, number]> = { PIX: [0, 0], BOLETO: [0, 0], CARD: [0, 0] };
  let cursor = '';
  let newest: unknown;
  let lines = 0;
  for (;;) {
    const { body } = await get(`/seller-wallet/entries?take=100${cursor}`);
    for (const line of body.data) {
      newest ??= [line.availableBalance, line.blockedBalance];
      lines += 1;
      const sum = sums[line.origin] ?? [0, 0];
      sums[line.origin] = [sum[0] + line.availableChange, sum[1] + line.blockedChange];
      const name = nameOf(line.recordId);
      const key = bookedAs(name, line.cause, line.from, line.to);
      booked[key] = (booked[key] ?? 0) + line.moved;
    }
    if (body.nextCursor === null) {
      expect(body.count).toBe(lines);
      break;
    }
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  expect(sums).toEqual(wallets);
  const total = (which: 0 | 1) => ORIGINS.reduce((all, origin) => all + wallets[origin][which], 0);
  expect(newest ?? [0, 0]).toEqual([total(0), total(1)]);
  return booked;
}
