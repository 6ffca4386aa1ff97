import { advanceClock } from '../operator.ts';
import { readClock, until, type Context, type Scenario } from './context.ts';
import { cardPaid, paid } from './transactions.ts';

/** The release of a transaction's money: a boleto, or a card without installments, has one. */
async function releaseOf({ vereda }: Context, id: string) {
  const [release] = (await vereda.transactions.timeline(id)).releases;
  if (release === undefined) throw new Error('release not found');
  return release;
}

async function pending(context: Context) {
  const { id } = await paid(context, 'BOLETO');
  return { id, release: await releaseOf(context, id) };
}

async function released(context: Context) {
  const { id, release } = await pending(context);
  const waitMs = Date.parse(release.availableAt) - Date.parse(await readClock(context));
  await advanceClock(context.options, Math.ceil(waitMs / 1000) + 1);
  return until(
    () => releaseOf(context, id),
    ({ status }) => status === 'RELEASED',
  );
}

export const RELEASES = {
  'release.pending': async (context) => (await pending(context)).release,
  'release.released': released,
  'release.held': async (context) => {
    const { id } = await pending(context);
    await context.vereda.sandbox.openDispute(id);
    return releaseOf(context, id);
  },
  'release.taken': async (context) => {
    const { id } = await cardPaid(context);
    await context.vereda.sandbox.chargebackTransaction(id);
    return releaseOf(context, id);
  },
} as const satisfies Readonly<Record<string, Scenario>>;
