import type { Data } from '../../../sdk/src/index.ts';
import { advanceClock } from '../operator.ts';
import { until, type Context, type Scenario } from './context.ts';
import { paid } from './transactions.ts';

/** No server has this name, so every attempt fails. */
const SAMPLE_URL = 'https://shop.example/webhooks';

/** Seconds between the five attempts of a delivery. */
const RETRY_DELAYS = [30, 120, 600, 3_600] as const;

/** The sample webhook of earlier runs, or a new one. A seller can have 20 webhooks only. */
async function sampleWebhook({ vereda }: Context, status: 'ACTIVE' | 'DISABLED' = 'ACTIVE') {
  const webhooks = await vereda.webhooks.list().toArray();
  const found = webhooks.find(({ url }) => url === SAMPLE_URL);
  const { id } = found ?? (await vereda.webhooks.create({ url: SAMPLE_URL, eventType: 'ALL' }));
  return vereda.webhooks.update(id, { status });
}

/** Tests each webhook of the seller, or the sample webhook if there is none. */
async function ping(context: Context): Promise<object> {
  const { webhooks } = context.vereda;
  const active = (await webhooks.list().toArray()).filter(({ status }) => status === 'ACTIVE');
  const tested = active.length > 0 ? active : [await sampleWebhook(context)];
  return Promise.all(tested.map(({ id }) => webhooks.test(id)));
}

const attempted = ({ vereda }: Context, id: string, count: number) =>
  until(
    () => vereda.webhooks.deliveries.get(id),
    ({ attemptCount }) => attemptCount >= count,
  );

/** A delivery whose first attempt has failed. */
async function pending(context: Context): Promise<Data<'getDelivery'>> {
  const { id } = await sampleWebhook(context);
  const { deliveryId } = await context.vereda.webhooks.test(id);
  return attempted(context, deliveryId, 1);
}

/** Tests the seller's own webhooks. */
async function delivered(context: Context): Promise<Data<'getDelivery'>> {
  for await (const { id, url, status } of context.vereda.webhooks.list()) {
    if (status !== 'ACTIVE' || url === SAMPLE_URL) continue;
    const { deliveryId } = await context.vereda.webhooks.test(id);
    const delivery = await attempted(context, deliveryId, 1);
    if (delivery.status === 'DELIVERED') return delivery;
  }
  throw new Error('no webhook of the seller responded with 2xx');
}

async function failed(context: Context) {
  let delivery = await pending(context);
  for (const seconds of RETRY_DELAYS) {
    await advanceClock(context.options, seconds);
    delivery = await attempted(context, delivery.id, delivery.attemptCount + 1);
  }
  return delivery;
}

/** An event of a webhook that is disabled. */
async function held(context: Context) {
  const { vereda } = context;
  const { id: webhookId } = await sampleWebhook(context, 'DISABLED');
  const { id: recordId } = await paid(context);
  const [delivery] = await until(
    () => vereda.webhooks.deliveries.list({ webhookId, recordId }).toArray(1),
    (deliveries) => deliveries.length > 0,
  );
  return delivery ?? {};
}

export const WEBHOOKS = {
  'webhook.active': (context) => sampleWebhook(context),
  'webhook.disabled': (context) => sampleWebhook(context, 'DISABLED'),
  'delivery.pending': pending,
  'delivery.delivered': delivered,
  'delivery.failed': failed,
  'delivery.held': held,
  ping,
} as const satisfies Readonly<Record<string, Scenario>>;
