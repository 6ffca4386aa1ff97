import type { Body, Vereda } from '../../../sdk/src/index.ts';
import { callAsOperator } from '../operator.ts';
import type { Context, Scenario } from './context.ts';
import { paid } from './transactions.ts';

export async function findDisputeOf(vereda: Vereda, transactionId: string) {
  const [dispute] = await vereda.disputes.list({ transactionId, take: 1 }).toArray(1);
  if (dispute === undefined) throw new Error('dispute not found');
  return dispute;
}

async function dispute(context: Context) {
  const { id } = await paid(context);
  await context.vereda.sandbox.openDispute(id);
  return findDisputeOf(context.vereda, id);
}

async function appealed(context: Context) {
  const { id } = await dispute(context);
  const { data } = await context.vereda.disputes.appeal({
    disputeId: id,
    appealReason: 'The order was delivered.',
  });
  return data[0] ?? {};
}

/** Closes a dispute as the operator. */
async function closed(context: Context, outcome: 'RESOLVED' | 'REJECTED') {
  const { id } = await dispute(context);
  return callAsOperator(context.options, `/admin/disputes/${id}/resolve`, { outcome });
}

type MedChange = Body<'sandboxAdvanceMed'>;

/** A MED claim on a Pix payment, after some changes of its status. */
async function claim(context: Context, changes: readonly MedChange[] = []) {
  const { vereda, medType: type } = context;
  const { id } = await paid(context);
  let dispute = await vereda.sandbox.claimByMed(id, { type });
  for (const change of changes) dispute = await vereda.sandbox.advanceMed(dispute.id, change);
  return dispute;
}

export const DISPUTES = {
  'dispute.opened': dispute,
  'dispute.under_review': appealed,
  'dispute.resolved': (context) => closed(context, 'RESOLVED'),
  'dispute.rejected': (context) => closed(context, 'REJECTED'),
  'med.created': (context) => claim(context),
  'med.tracked': (context) => claim(context, [{ status: 'TRACKED' }]),
  'med.awaiting_analysis': (context) => claim(context, [{ status: 'AWAITING_ANALYSIS' }]),
  'med.analysed': (context) => claim(context, [{ status: 'ANALYSED' }]),
  'med.refunding': (context) => claim(context, [{ status: 'REFUNDING' }]),
  'med.completed': (context) => claim(context, [{ status: 'REFUNDING' }, { status: 'COMPLETED' }]),
  'med.denied': (context) =>
    claim(context, [{ status: 'ANALYSED', outcome: 'DENIED' }, { status: 'COMPLETED' }]),
  'med.cancelled': (context) => claim(context, [{ status: 'CANCELLED' }]),
} as const satisfies Readonly<Record<string, Scenario>>;
