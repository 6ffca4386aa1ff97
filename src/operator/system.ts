import { findDatabaseSize } from '#platform/database/size.ts';
import type { Db } from '#platform/database/connect.ts';
import { findHeartbeats, type Heartbeat } from '#platform/jobs/heartbeats.ts';
import { findWebhookStats } from '#webhooks/service.ts';

/** The state of the installation, as far as its database shows it. */
export interface SystemState {
  readonly databaseBytes: number;
  readonly deliveries: { readonly due: number; readonly waiting: number; readonly oldestDueAt: Date | null };
  readonly webhooksDisabled: number;
  readonly workers: readonly Heartbeat[];
}

export async function readSystemState(db: Db): Promise<SystemState> {
  const [databaseBytes, { queue, disabledWebhooks }, workers] = await Promise.all([
    findDatabaseSize(db),
    findWebhookStats(db),
    findHeartbeats(db),
  ]);
  const deliveries = { due: queue.depth, waiting: queue.waiting, oldestDueAt: queue.oldest };
  return { databaseBytes, deliveries, webhooksDisabled: disabledWebhooks, workers };
}
