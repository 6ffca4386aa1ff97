/** Replaces pgbench where it is not installed: the same transactions, with as many clients. */
import pg from 'pg';

import { TRANSACTION, type LoopPlan } from './baseline.ts';

async function run({ url, clients, seconds }: LoopPlan): Promise<number> {
  const connections = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  let committed = 0;
  const end = performance.now() + seconds * 1000;
  async function insert(client: pg.Client): Promise<void> {
    while (performance.now() < end) {
      const amount = 100 + Math.floor(Math.random() * 1_000_000);
      await client.query({ name: 'begin', text: 'BEGIN' });
      for (const [index, text] of TRANSACTION.entries()) {
        await client.query({ name: `insert-${index}`, text, values: [amount] });
      }
      await client.query({ name: 'commit', text: 'COMMIT' });
      if (performance.now() <= end) committed += 1;
    }
  }
  await Promise.all(connections.map(insert));
  await Promise.all(connections.map((client) => client.end()));
  return committed / seconds;
}

process.on('message', (plan: LoopPlan) => {
  void run(plan).then((rate) => process.send?.(rate));
});
process.on('disconnect', () => process.exit());
