import { createCharges } from './charges.ts';
import { median, ms, print, whole } from './figures.ts';
import type { Load } from './load.ts';
import type { BenchOptions } from './options.ts';
import { makeSellers } from './sellers.ts';
import { startServer, withDataDir } from './server.ts';

const MEGABYTE = 1024 * 1024;
const LOOKS = 5;

/** Time until the gateway responds on existing data, and its memory after many creations. */
export async function benchStart(options: BenchOptions, load: Load): Promise<void> {
  await withDataDir(async (dataDir) => {
    const first = await startServer({ dataDir, profileDir: options.profileDir });
    print(`first start, on an empty folder: ${ms(first.startMs)}`);
    const memory = async () => `${whole((await first.memory()) / MEGABYTE)} MB`;
    const sellers = await makeSellers(first, options.sellers);
    print(`resident memory of the Node process after no creations: ${await memory()}`);
    for (let look = 1; look <= LOOKS; look += 1) {
      await createCharges(load, first, sellers, options.charges / LOOKS);
      print(`after ${(look * options.charges) / LOOKS} creations: ${await memory()}`);
    }
    await first.stop();

    const starts: number[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const again = await startServer({ dataDir });
      starts.push(again.startMs);
      await again.stop();
    }
    print(`start on existing data, to the first 200: ${ms(median(starts))}`);
  });
}
