import { SANDBOX_ONLY } from '#providers/choice.ts';
import { randomBytes } from 'node:crypto';

import { sql } from 'kysely';

import { GATEWAY } from '#platform/http/author.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { Config } from '#app/config.ts';
import type { Database, Db } from '#platform/database/connect.ts';
import { letWorkersRest, readDomainClock } from '#platform/database/domain-clock.ts';
import { prepareDemo } from '#app/demo.ts';
import { lowestIdAt } from '#platform/kit/ids.ts';
import type { Logger } from '#platform/kit/log.ts';
import { createSeller } from '#sellers/service.ts';
import { recogniseKeys } from '#platform/crypto/service.ts';
import { SecretBox } from '#platform/crypto/secrets.ts';
import { composeServices } from '#app/services.ts';
import type { WebhooksService, WebhookStatus } from '#webhooks/service.ts';
import { DEMO_SHOP, OTHER_SHOPS, type Shop } from './demand.ts';
import { tellHistory } from './history.ts';

export const DEMO_CHARGES = 200_000;

const YEAR_MS = 365 * 24 * 3_600_000;
/** Workers are asked again long before their rest ends, and hear of it twice a second. */
const REST_MS = 20_000;
const ASK_AGAIN_MS = 5_000;
const HEARD_MS = 1_500;

/** The same year every time. */
const SEED = 20_260_101;

export interface DemoData {
  readonly charges: number;
  readonly sellers: number;
}

/**
 * Gives the demo seller, and a few others, a year that has been. A gateway may be running on the same database: its workers rest
 * meanwhile. Refused where the demo seller has a past already.
 */
export async function writeDemoData(
  given: Config,
  database: Database,
  log: Logger,
  charges: number,
  say: (line: string) => void,
): Promise<DemoData> {
  // What is invented is no bank's business.
  const rails = { boletoProvider: 'sandbox', payoutProviders: ['sandbox'], cnab: undefined } as const;
  const config = { ...given, ...rails };
  const { db } = database;
  const clock = new Clock();
  clock.moveTo((await readDomainClock(db)).offsetMs);
  await recogniseKeys(db, new SecretBox(config.encryptionKeys), clock.now());
  const services = composeServices({
    config,
    database,
    clock,
    log,
    providers: SANDBOX_ONLY,
    onDeliveries: () => undefined,
  });
  const demo = await prepareDemo(config, { db, clock, ...services });
  if (demo === undefined) throw new Error('the demo seller of this database belongs to another DATA_DIR');
  const everything = {
    statuses: [],
    method: undefined,
    transactionId: undefined,
    metadataKey: undefined,
    metadataValue: undefined,
  };
  const monthAgo = { take: 1, skip: 0, after: lowestIdAt(clock.nowMs() - YEAR_MS / 12) };
  const past = await services.transactions.list(demo.seller.id, everything, monthAgo);
  if (past.summaries.length > 0) {
    throw new Error('the demo seller has a past already: for a new one, start on an empty DATA_DIR');
  }
  const operators = await services.users.list(null, { take: 100, skip: 0, after: undefined });
  const operator = operators.found.find(({ role }) => role === 'ADMIN');
  const seller = await services.sellers.find(demo.seller.id);
  if (operator === undefined || seller === undefined)
    throw new Error('the demo has no operator or no seller');

  return resting(db, async () => {
    const endMs = clock.nowMs();
    const startMs = endMs - YEAR_MS;
    const { name, documentType, document } = seller;
    const shops = [{ ...DEMO_SHOP, name, documentType, document, sellerId: seller.id }];
    await services.sellers.change(seller.id, limitsOf(DEMO_SHOP), clock.now(), GATEWAY);
    for (const shop of OTHER_SHOPS) {
      const sellerId = await openShop(db, shop, new Date(startMs));
      await services.sellers.change(sellerId, limitsOf(shop), new Date(startMs), GATEWAY);
      shops.push({ ...shop, sellerId });
    }
    const made = await untold(services.webhooks, seller.id, async () =>
      tellHistory({
        config,
        database,
        log,
        endMs,
        charges,
        shops,
        operator: { kind: 'OPERATOR_USER', id: operator.id, name: operator.name, requestId: 'demo-data' },
        seed: SEED,
        tell: (day, count) => say(`${day}: ${count} charges`),
      }),
    );
    await sql`ANALYZE`.execute(db);
    return { charges: made, sellers: shops.length };
  });
}

const limitsOf = ({ autoApproveUpTo, chargebackFee }: Pick<Shop, 'autoApproveUpTo' | 'chargebackFee'>) => ({
  autoApproveUpTo,
  chargebackFee,
});

/** A seller to whom nobody signs in: its owner's password is thrown away. */
async function openShop(db: Db, shop: Shop, at: Date): Promise<string> {
  const { name, documentType, document } = shop;
  const created = await createSeller(
    db,
    {
      name,
      documentType,
      document,
      ownerName: name,
      ownerEmail: `${name.toLowerCase().replaceAll(' ', '.')}@example.com`,
      ownerPassword: randomBytes(24).toString('base64url'),
      status: 'ACTIVE',
    },
    at,
    GATEWAY,
  );
  if (!created.ok) throw new Error(`${name} cannot be made: ${created.failure}`);
  return created.seller.id;
}

/**
 * Works while the seller's webhooks are disabled. A year of old news would go before all that really happens; it is kept, and a
 * replay sends it.
 */
async function untold<T>(webhooks: WebhooksService, sellerId: string, work: () => Promise<T>): Promise<T> {
  const active = (await webhooks.list(sellerId)).filter(({ disabledAt }) => disabledAt === null);
  const change = async (status: WebhookStatus) => {
    for (const { id } of active) await webhooks.change(sellerId, id, { status }, GATEWAY);
  };
  await change('DISABLED');
  try {
    return await work();
  } finally {
    await change('ACTIVE');
  }
}

/** Works while no worker does. */
async function resting<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const ask = () => letWorkersRest(db, new Date(Date.now() + REST_MS));
  await ask();
  await new Promise((resolve) => setTimeout(resolve, HEARD_MS));
  const timer = setInterval(() => {
    // A database that is away stops the work itself.
    ask().catch(() => undefined);
  }, ASK_AGAIN_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await letWorkersRest(db, null);
  }
}
