import type { Config } from '#app/config.ts';
import type { SystemCheck } from '#operator/system-routes.ts';
import type { Db } from '#platform/database/connect.ts';
import { checkInstallation } from './checks.ts';

/** How long results are cached. */
const TTL_MS = 60_000;

/** The checks of this process. Its settings were accepted at its start. */
export function recentChecks(config: Config, db: Db): () => Promise<readonly SystemCheck[]> {
  let latest: { readonly atMs: number; readonly checks: Promise<readonly SystemCheck[]> } | undefined;
  return () => {
    const atMs = performance.now();
    if (latest === undefined || atMs - latest.atMs > TTL_MS) {
      latest = { atMs, checks: checkInstallation(config, db) };
    }
    return latest.checks;
  };
}
