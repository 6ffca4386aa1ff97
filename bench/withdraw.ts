import { createCharges, pendingCharges } from './charges.ts';
import { costLine, cpuTime } from './cpu.ts';
import { latencyLine, median, percentiles, print, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { dataOf, withServer, type Seller, type Server } from './server.ts';

/** Cents of one withdrawal. */
const AMOUNT = 1_000;
/** Few enough that every balance is contended. */
const SELLERS = 5;
/** Transactions paid into each balance per round: at least R$ 1.000,00 each, minus a fee. */
const CHARGES_A_ROUND = 10;

/**
 * Concurrent withdrawals from the balances of a few sellers, for more than they have. Reports the
 * rate, and verifies that each balance paid exactly what it could and that the ledger balances.
 */
export async function benchWithdraw(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir } = options;
  await withServer({ profileDir, server: options.server }, async (server) => {
    const sellers = await makeSellers(server, Math.min(SELLERS, options.sellers));
    const rates: number[] = [];
    const latencies: Float64Array[] = [];
    let cost = '';
    for (let round = 0; round < rounds; round += 1) {
      await payIn(load, server, sellers, sellers.length * (options.smoke ? 1 : CHARGES_A_ROUND));
      const before = await availableOf(server, sellers);
      const affordable = before.map((available) => Math.floor(available / AMOUNT));
      const could = affordable.reduce((sum, count) => sum + count, 0);
      const started = await cpuTime(server.pid);
      const result = await load.run({
        port: server.port,
        callers,
        seconds: Math.max(seconds, 60),
        status: 201,
        refusal: 422,
        work: { kind: 'withdraw', apiKeys: sellers.map(({ apiKey }) => apiKey), amount: AMOUNT },
        limit: could * 2,
      });
      const asked = result.done + result.refused;
      cost = costLine('withdrawal asked for', started, await cpuTime(server.pid), asked);
      rates.push(asked / result.seconds);
      latencies.push(result.latencies);
      const after = await availableOf(server, sellers);
      const left = after.reduce((sum, available) => sum + available, 0);
      print(`round ${round + 1}: ${asked} asked for, ${result.done} made, ${result.refused} refused`);
      // The fee is included in the amount, so each withdrawal debits exactly the requested amount.
      const spent = before.reduce((sum, available) => sum + available, 0) - left;
      if (after.some((available) => available < 0)) throw new Error('a balance was overdrawn');
      if (spent !== result.done * AMOUNT) throw new Error(`${result.done} withdrawals took ${spent} cents`);
      if (result.done !== could) throw new Error(`${could} could be paid and ${result.done} were made`);
    }
    const check = dataOf(await server.operator('GET', '/admin/ledger/check'));
    if (check['balanced'] !== true) throw new Error('the ledger is not balanced');
    print(
      `withdrawals, ${callers} callers for ${sellers.length} balances: ${whole(median(rates))} requests/s; ` +
        'no overdraft, the ledger is balanced',
    );
    print(cost);
    print(`withdrawal that was made: ${latencyLine(percentiles(latencies))}`);
  });
}

async function payIn(load: Load, server: Server, sellers: readonly Seller[], count: number): Promise<void> {
  await createCharges(load, server, sellers, count);
  const charges = await pendingCharges(server, sellers, count);
  await load.run({
    port: server.port,
    callers: 1,
    seconds: 60,
    status: 200,
    work: {
      kind: 'once',
      calls: charges.map(({ id, apiKey }) => ({
        method: 'POST',
        path: `/v1/sandbox/transactions/${id}/pay`,
        apiKey,
      })),
    },
  });
}

/** Pix balance in cents that each seller can withdraw. */
function availableOf(server: Server, sellers: readonly Seller[]): Promise<readonly number[]> {
  return Promise.all(
    sellers.map(async ({ apiKey }) => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/seller-wallet/gestao`, {
        headers: { 'x-api-key': apiKey },
      });
      const wallet = dataOf(await response.json());
      return Number(wallet['availableBalance']);
    }),
  );
}
