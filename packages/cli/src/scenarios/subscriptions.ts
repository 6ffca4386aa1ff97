import type { Body, Item } from '../../../sdk/src/index.ts';
import { advanceClock } from '../operator.ts';
import { SAMPLE_CUSTOMER } from '../samples.ts';
import {
  AUTHORIZED_CARD,
  dayAfter,
  EXPIRED_CARD,
  readClock,
  sampleCard,
  until,
  type Context,
  type Scenario,
} from './context.ts';

const DAY_SECONDS = 86_400;

/** Banks need a few days between the authorization and the first debit. */
const LEAD_DAYS = 3;

/** A subscription whose first cycle is some days away. */
async function subscription(context: Context, changes: Partial<Body<'createSubscription'>>, days = 0) {
  const startDate = dayAfter(await readClock(context), days);
  return context.vereda.subscriptions.create({
    amount: context.amount,
    interval: 'MONTHLY',
    method: 'PIX',
    customer: SAMPLE_CUSTOMER,
    startDate,
    ...changes,
  });
}

const automatic = (context: Context) => subscription(context, { method: 'PIX_AUTOMATICO' }, LEAD_DAYS);

async function active(context: Context) {
  const { id } = await automatic(context);
  return context.vereda.sandbox.authorizeSubscription(id);
}

async function byCard(context: Context, number: string, changes: { cycles?: number; days?: number } = {}) {
  const { cvv: _, ...card } = sampleCard(number);
  const { id: cardTokenId } = await context.vereda.cardTokens.create(card);
  const { days, ...others } = changes;
  return subscription(context, { method: 'CREDIT_CARD', cardTokenId, ...others }, days);
}

type InvoiceStatus = Item<'listInvoices'>['status'];
type Status = Awaited<ReturnType<typeof active>>['status'];

const untilStatus = ({ vereda }: Context, id: string, wanted: Status) =>
  until(
    () => vereda.subscriptions.get(id),
    ({ status }) => status === wanted,
  );

/** The first invoice, once its transaction is created and it is in a status. */
async function firstInvoice({ vereda }: Context, id: string, wanted: InvoiceStatus) {
  const isWanted = ({ status, transactionId }: Item<'listInvoices'>) =>
    status === wanted && transactionId !== null;
  const invoices = await until(
    () => vereda.subscriptions.invoices(id).toArray(1),
    (found) => found.some(isWanted),
  );
  return invoices[0] ?? {};
}

/** The card is checked a week before the cycle, and is missing then. */
async function cardRequired(context: Context) {
  const { vereda } = context;
  const { id, cardTokenId } = await byCard(context, AUTHORIZED_CARD, { days: 8 });
  await vereda.cardTokens.delete(cardTokenId ?? '');
  const { nextCursor: after } = await vereda.events.list({ after: 'now' });
  await advanceClock(context.options, 2 * DAY_SECONDS);
  const types = 'SUBSCRIPTION_CARD_REQUIRED';
  await until(
    () => vereda.events.list({ after, types, take: 100 }),
    ({ data }) => data.some(({ recordId }) => recordId === id),
  );
  return vereda.subscriptions.get(id);
}

async function canceledInvoice(context: Context) {
  const { id } = await subscription(context, { method: 'PIX' });
  await firstInvoice(context, id, 'PENDING');
  const [charge] = await context.vereda.transactions.list({ subscriptionId: id }).toArray(1);
  await context.vereda.transactions.cancel(charge?.id ?? '');
  return firstInvoice(context, id, 'CANCELLED');
}

export const SUBSCRIPTIONS = {
  'subscription.created': automatic,
  'subscription.active': active,
  'subscription.rejected': async (context) =>
    context.vereda.sandbox.rejectSubscription((await automatic(context)).id),
  'subscription.paused': async (context) => context.vereda.subscriptions.pause((await active(context)).id),
  'subscription.resumed': async (context) => {
    const { id } = await active(context);
    await context.vereda.subscriptions.pause(id);
    return context.vereda.subscriptions.resume(id);
  },
  'subscription.past_due': async (context) =>
    untilStatus(context, (await byCard(context, EXPIRED_CARD)).id, 'PAST_DUE'),
  'subscription.completed': async (context) =>
    untilStatus(context, (await byCard(context, AUTHORIZED_CARD, { cycles: 1 })).id, 'COMPLETED'),
  'subscription.cancelled': async (context) =>
    context.vereda.subscriptions.cancel((await active(context)).id),
  'subscription.revoked': async (context) =>
    context.vereda.sandbox.revokeSubscription((await active(context)).id),
  'subscription.expired': async (context) =>
    context.vereda.sandbox.expireSubscription((await automatic(context)).id),
  'subscription.card_required': cardRequired,
  'subscription_invoice.scheduled': async (context) =>
    firstInvoice(context, (await active(context)).id, 'SCHEDULED'),
  'subscription_invoice.created': async (context) =>
    firstInvoice(context, (await subscription(context, { method: 'PIX' })).id, 'PENDING'),
  'subscription_invoice.paid': async (context) =>
    firstInvoice(context, (await byCard(context, AUTHORIZED_CARD)).id, 'PAID'),
  'subscription_invoice.failed': async (context) =>
    firstInvoice(context, (await byCard(context, EXPIRED_CARD)).id, 'FAILED'),
  'subscription_invoice.cancelled': canceledInvoice,
} as const satisfies Readonly<Record<string, Scenario>>;
