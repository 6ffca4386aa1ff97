import { callAsOperator } from '../operator.ts';
import { SAMPLE_CUSTOMER } from '../samples.ts';
import { until, type Context, type Scenario } from './context.ts';
import { paid } from './transactions.ts';

/** A withdrawal of money that a sample payer has just paid. */
async function withdrawal(context: Context) {
  await paid({ ...context, amount: context.amount * 2 });
  const { name, document } = SAMPLE_CUSTOMER;
  return context.vereda.withdrawals.create({
    amount: context.amount,
    method: 'PIX',
    pixKeyType: 'EMAIL',
    pixKey: 'ana@example.com',
    beneficiaryName: name,
    beneficiaryDocumentType: 'CPF',
    beneficiaryDocumentNumber: document,
  });
}

/** Approved by the operator, unless that is automatic. */
async function approved(context: Context) {
  const created = await withdrawal(context);
  if (created.status !== 'PENDING') return created;
  return callAsOperator<typeof created>(context.options, `/admin/withdrawals/${created.id}/approve`, {});
}

async function rejected(context: Context) {
  const { id } = await withdrawal(context);
  return callAsOperator(context.options, `/admin/withdrawals/${id}/reject`, {
    reason: 'unknown beneficiary',
  });
}

/** Approved, and with its provider. */
async function sent(context: Context) {
  const { id } = await approved(context);
  return until(
    () => context.vereda.withdrawals.get(id),
    ({ status }) => status !== 'PENDING' && status !== 'APPROVED',
  );
}

export const WITHDRAWALS = {
  'withdrawal.created': withdrawal,
  'withdrawal.approved': approved,
  'withdrawal.rejected': rejected,
  'withdrawal.processing': sent,
  'withdrawal.paid': async (context) => context.vereda.sandbox.payWithdrawal((await sent(context)).id),
  'withdrawal.failed': async (context) => context.vereda.sandbox.failWithdrawal((await sent(context)).id),
} as const satisfies Readonly<Record<string, Scenario>>;
