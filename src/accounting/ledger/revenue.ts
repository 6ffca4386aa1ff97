import { addDays } from '#formats/calendar/local-date.ts';
import { startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { DatabaseTransaction, Db } from '#platform/database/connect.ts';
import { findRecentPeriod } from './movement-totals.ts';
import { sumRevenue, type ChargeCosts, type GroupedRevenue, type RevenueScope } from './store-revenue.ts';

/**
 * Returns what the gateway earned on some days, from the ledger. Stored totals are used like those
 * of provider movements, with which they share a cursor. Needs a snapshot.
 */
export async function findRevenue(
  handles: { readonly db: Db; readonly trx: DatabaseTransaction },
  scope: RevenueScope,
  costs: ChargeCosts,
): Promise<readonly GroupedRevenue[]> {
  const found = await findRecentPeriod(handles, scope);
  const parts =
    found === undefined
      ? {
          stored: false,
          recent: { from: startOfSaoPauloDay(scope.from), before: startOfSaoPauloDay(addDays(scope.to, 1)) },
        }
      : { stored: true, recent: found.recent };
  return sumRevenue(handles.trx, scope, costs, parts);
}
