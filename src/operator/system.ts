import { findDatabaseSize } from '#platform/database/size.ts';
import type { Db } from '#platform/database/connect.ts';
import { findPayoutPause } from '#platform/database/payout-pause.ts';
import { findHeartbeats, type Heartbeat } from '#platform/jobs/heartbeats.ts';
import { findWebhookStats } from '#webhooks/service.ts';

/** The state of the installation, as far as its database shows it. */
export interface SystemState {
  readonly databaseBytes: number;
  readonly deliveries: { readonly due: number; readonly waiting: number; readonly oldestDueAt: Date | null };
  readonly webhooksDisabled: number;
  readonly workers: readonly Heartbeat[];
  /** Why nothing is paid out. */
  readonly payoutsPaused: 'restored' | null;
}

export async function readSystemState(db: Db): Promise<SystemState> {
  const [databaseBytes, { queue, disabledWebhooks }, workers, pause] = await Promise.all([
    findDatabaseSize(db),
    findWebhookStats(db),
    findHeartbeats(db),
    findPayoutPause(db),
  ]);
  const deliveries = { due: queue.depth, waiting: queue.waiting, oldestDueAt: queue.oldest };
  const payoutsPaused = pause === undefined ? null : 'restored';
  return { databaseBytes, deliveries, webhooksDisabled: disabledWebhooks, workers, payoutsPaused };
}
