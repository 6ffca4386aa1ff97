import { randomUUID } from 'node:crypto';

import type { Db } from '#platform/database/connect.ts';
import { countAllWebhooks, findQueueStats } from '#webhooks/service.ts';
import type { LoopState } from '#platform/jobs/loop.ts';
import { findDatabaseBytes, findHeartbeats, writeHeartbeat, type Heartbeat } from '#platform/jobs/store.ts';

const HEARTBEAT_RETENTION_MS = 24 * 3_600_000;

/** Says that this process does due work, and when each of its loops last looked. On the machine's clock. */
export function createHeartbeat(db: Db, getLoopStates: () => readonly LoopState[]): () => Promise<boolean> {
  const [id, startedAt] = [randomUUID(), new Date()];
  return async () => {
    const seenAt = new Date();
    const loops = getLoopStates().map(({ name, lastRunMs, lastSuccessMs, failures }) => ({
      name,
      lastRunAt: lastRunMs === undefined ? null : new Date(lastRunMs).toISOString(),
      lastSuccessAt: lastSuccessMs === undefined ? null : new Date(lastSuccessMs).toISOString(),
      failures,
    }));
    await writeHeartbeat(
      db,
      { id, startedAt, seenAt, loops },
      new Date(seenAt.getTime() - HEARTBEAT_RETENTION_MS),
    );
    return false;
  };
}

/** How the installation is, as far as its database tells. */
export interface SystemState {
  readonly databaseBytes: number;
  readonly deliveries: { readonly due: number; readonly waiting: number; readonly oldestDueAt: Date | null };
  readonly webhooksDisabled: number;
  readonly workers: readonly Heartbeat[];
}

export async function readSystemState(db: Db): Promise<SystemState> {
  const [databaseBytes, queue, webhooksDisabled, workers] = await Promise.all([
    findDatabaseBytes(db),
    findQueueStats(db),
    countAllWebhooks(db, { disabled: true, sellerId: undefined }),
    findHeartbeats(db),
  ]);
  const deliveries = { due: queue.depth, waiting: queue.waiting, oldestDueAt: queue.oldest };
  return { databaseBytes, deliveries, webhooksDisabled, workers };
}
