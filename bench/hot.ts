import { createWork, preparePayments } from './charges.ts';
import { Comparison, print } from './figures.ts';
import { rateOf, type Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { PAYMENTS_A_SECOND } from './pay.ts';
import { makeSellers } from './sellers.ts';
import { withServer, type Seller } from './server.ts';

/**
 * All operations of one seller, whose wallet is a single contended row, compared with many sellers.
 */
export async function benchHot(options: BenchOptions, load: Load): Promise<void> {
  const { callers, seconds, rounds, profileDir } = options;
  const count = options.smoke ? 100 : seconds * PAYMENTS_A_SECOND;
  await withServer({ profileDir, server: options.server }, async (server) => {
    const sellers = await makeSellers(server, options.sellers);
    const one = sellers.slice(0, 1);
    const many = `${sellers.length} sellers`;
    const plan = { port: server.port, callers, seconds };
    const create = async (who: readonly Seller[]): Promise<number> =>
      rateOf(await load.run({ ...plan, status: 201, work: createWork(who) }));
    const pay = async (who: readonly Seller[], limit: number): Promise<number> => {
      const calls = await preparePayments(load, server, who, limit);
      return rateOf(await load.run({ ...plan, status: 200, work: { kind: 'once', calls } }));
    };
    await create(sellers);
    await pay(sellers, options.smoke ? 100 : 5_000);

    print(`creations, ${callers} callers`);
    const creations = new Comparison('one seller', many);
    for (let round = 0; round < rounds; round += 1) creations.add(await create(one), await create(sellers));
    creations.close();
    print(`payments, ${callers} callers`);
    const payments = new Comparison('one seller', many);
    for (let round = 0; round < rounds; round += 1)
      payments.add(await pay(one, count), await pay(sellers, count));
    payments.close();
  });
}
