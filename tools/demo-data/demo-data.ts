import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { CommandContext } from '#app/commands/cnab-command.ts';
import type { Db } from '#platform/database/connect.ts';
import { resetDailyCounts } from '#platform/database/daily-counts.ts';
import { pauseWorkers } from '#platform/database/domain-clock.ts';
import { prepareDemo } from '#app/demo.ts';
import { minIdAt } from '#platform/kit/ids.ts';
import { createSeller } from '#onboarding/create-seller.ts';
import { openRuntime } from '#app/runtime.ts';
import { composeOfflineServices, type Services } from '#app/services.ts';
import { ALL_TRANSACTIONS } from '#payments/transactions/service.ts';
import type { WebhooksService } from '#webhooks/service.ts';
import type { WebhookStatus } from '#webhooks/webhook.ts';
import { DEMO_SHOP, emailOf, OTHER_SHOPS, type Shop } from './demand.ts';
import { writeHistory } from './history.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
/** Workers renew their pause long before it expires, and check for it twice per second. */
const PAUSE_MS = 20_000;
const PAUSE_RENEWAL_MS = 5_000;
const PAUSE_PROPAGATION_MS = 1_500;

/** A fixed seed: the same year every time. */
const SEED = 20_260_101;

export interface DemoData {
  readonly charges: number;
  readonly sellers: number;
}

/**
 * Creates a year of history for the demo seller and a few others. A gateway may be running on the
 * same database; its workers are paused meanwhile. Rejected if the demo seller already has a
 * history.
 */
export async function writeDemoData(
  { config: baseConfig, database, log }: CommandContext,
  transactionCount: number,
  say: (line: string) => void,
): Promise<DemoData> {
  // Invented payments must not be sent to a bank.
  const sandboxProviders = {
    boletoProvider: 'sandbox',
    payoutProviders: ['sandbox'],
    cnab: undefined,
  } as const;
  const config = { ...baseConfig, ...sandboxProviders };
  const { db } = database;
  const runtime = await openRuntime({ config, database, log });
  const { clock } = runtime;
  const services = composeOfflineServices(runtime);
  const demo = await prepareDemo(runtime, services, { serves: false });
  if (demo === undefined) throw new Error('the demo seller of this database belongs to another DATA_DIR');
  await requireNoHistory(services, demo.seller.id, clock.nowMs());
  const operators = await services.users.list(null, { take: 100, skip: 0, after: undefined });
  const operator = operators.items.find(({ role }) => role === 'ADMIN');
  const seller = await services.sellers.find(demo.seller.id);
  if (operator === undefined || seller === undefined)
    throw new Error('the demo has no operator or no seller');

  return withWorkersPaused(db, async () => {
    const endMs = clock.nowMs();
    const startMs = endMs - YEAR_MS;
    const { name, documentType, document } = seller;
    const shops = [{ ...DEMO_SHOP, name, documentType, document, sellerId: seller.id }];
    await services.sellers.update(seller.id, sellerLimitsOf(DEMO_SHOP), {
      actor: GATEWAY_ACTOR,
      at: clock.now(),
    });
    for (const shop of OTHER_SHOPS) {
      const sellerId = await createShop(db, shop, new Date(startMs));
      await services.sellers.update(sellerId, sellerLimitsOf(shop), {
        actor: GATEWAY_ACTOR,
        at: new Date(startMs),
      });
      shops.push({ ...shop, sellerId });
    }
    // Before the history, so that an interrupted one is counted too. No worker counts meanwhile.
    await resetDailyCounts(db);
    const created = await withWebhooksDisabled({ db, webhooks: services.webhooks }, seller.id, async () =>
      writeHistory({
        ...runtime,
        endMs,
        charges: transactionCount,
        shops,
        operator: {
          kind: 'OPERATOR_USER',
          id: operator.id,
          name: operator.name,
          role: operator.role,
          keyPrefix: null,
          requestId: 'demo-data',
        },
        seed: SEED,
        onProgress: (day, count) => say(`${day}: ${count} transactions`),
      }),
    );
    await sql`ANALYZE`.execute(db);
    return { charges: created, sellers: shops.length };
  });
}

async function requireNoHistory(services: Services, sellerId: string, nowMs: number): Promise<void> {
  const monthAgo = { take: 1, skip: 0, after: minIdAt(nowMs - YEAR_MS / 12) };
  const past = await services.transactions.list(sellerId, ALL_TRANSACTIONS, monthAgo);
  if (past.summaries.length > 0) {
    throw new Error('the demo seller already has a history: start on an empty DATA_DIR for a new one');
  }
}

const sellerLimitsOf = ({
  autoApproveUpTo,
  chargebackFee,
}: Pick<Shop, 'autoApproveUpTo' | 'chargebackFee'>) => ({
  autoApproveUpTo,
  chargebackFee,
});

/** Creates a seller whose owner's password is discarded. */
async function createShop(db: Db, shop: Shop, at: Date): Promise<string> {
  const { name, documentType, document } = shop;
  const created = await createSeller(
    db,
    {
      name,
      documentType,
      document,
      ownerName: name,
      ownerEmail: emailOf(name),
      ownerPassword: randomBytes(24).toString('base64url'),
      status: 'ACTIVE',
    },
    at,
    GATEWAY_ACTOR,
  );
  if (!created.ok) throw new Error(`${name} cannot be made: ${created.failure}`);
  return created.seller.id;
}

/**
 * Runs while the seller's webhooks are disabled, because a year of old events would delay new ones.
 * Discards the deliveries that were held.
 */
async function withWebhooksDisabled<T>(
  { db, webhooks }: { readonly db: Db; readonly webhooks: WebhooksService },
  sellerId: string,
  work: () => Promise<T>,
): Promise<T> {
  const active = (await webhooks.list(sellerId)).filter(({ disabledAt }) => disabledAt === null);
  const change = async (status: WebhookStatus) => {
    for (const webhook of active) await webhooks.update(webhook, { status }, GATEWAY_ACTOR);
  };
  await change('DISABLED');
  try {
    return await work();
  } finally {
    for (const { id } of active) {
      await sql`
        DELETE FROM deliveries
        WHERE seller_id = ${sellerId} AND webhook_id = ${id} AND status = 'HELD'`.execute(db);
    }
    await change('ACTIVE');
  }
}

/** Runs while all workers are paused. */
async function withWorkersPaused<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const renewPause = () => pauseWorkers(db, new Date(Date.now() + PAUSE_MS));
  await renewPause();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_PROPAGATION_MS));
  const timer = setInterval(() => {
    // If the database is unavailable, the work fails by itself.
    renewPause().catch(() => undefined);
  }, PAUSE_RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await pauseWorkers(db, null);
  }
}
