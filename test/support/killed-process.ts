import { join } from 'node:path';

import pg from 'pg';

import { findRunningEmbeddedUrl } from '#platform/database/embedded.ts';
import type { Place, Program } from './process.ts';

/** Runs one statement in the embedded database of a program. */
export async function queryEmbedded<Row extends object>(
  { dataDir }: Place,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const connectionString = (await findRunningEmbeddedUrl(join(dataDir, 'postgres'))) ?? '';
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * Starts the program again after it was killed. The last heartbeat of the killed one is made old,
 * so that its leases end at once and not after ten seconds.
 */
export async function startAfterKill(place: Place): Promise<Program> {
  const killedAt = new Date();
  const program = await place.start();
  await queryEmbedded(
    place,
    "UPDATE worker_heartbeats SET alive_at = alive_at - interval '1 minute' WHERE started_at < $1",
    [killedAt],
  );
  return program;
}
