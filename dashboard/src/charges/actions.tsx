import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { isInReview, isOpen, queryClient, type Charge } from '../api/queries.ts';
import { useIdempotencyKey } from '../components/idempotency-key.ts';
import { Confirm } from '../components/confirm.tsx';
import { useChecks } from '../components/field-errors.ts';
import { MoneyInput } from '../components/money-input.tsx';
import { Simulations } from '../components/simulations.tsx';
import { formatMoney } from '../i18n/format.ts';
import { REQUIRED } from './new-charge.ts';

/** Queries affected by a change of a charge. */
const AFFECTED = ['charges', 'wallet', 'entries', 'disputes', 'deliveries', 'reports'];
const refresh = () => Promise.all(AFFECTED.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

type DialogName = 'refund' | 'cancel' | 'capture' | 'void';

const leftToRefund = ({ amount, refundedAmount, refundingAmount }: Charge): number =>
  amount - refundedAmount - refundingAmount;

/** Which dialog is open, and what is typed into it. */
function useChargeDialog() {
  const [name, setName] = useState<DialogName>();
  const [amount, setAmount] = useState(0);
  const [reason, setReason] = useState('');
  const checks = useChecks();
  const open = (which: DialogName, cents: number) => {
    setAmount(cents);
    setReason('');
    checks.check({});
    setName(which);
  };
  const close = () => setName(undefined);
  const changeAmount = (cents: number) => {
    setAmount(cents);
    checks.clear('amount');
  };
  const changeReason = (text: string) => {
    setReason(text);
    checks.clear('reason');
  };
  return { name, open, close, amount, changeAmount, reason, changeReason, ...checks };
}

interface DialogProps {
  readonly charge: Charge;
  readonly dialog: ReturnType<typeof useChargeDialog>;
}

/** Actions that the charge's status allows. Each dialog states its effect on the balance. */
export function ChargeActions({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const may = useMay();
  const dialog = useChargeDialog();
  const left = leftToRefund(charge);
  return (
    <>
      <Group gap="xs">
        {charge.status === 'PAID' && left > 0 && may('refunds:create') ? (
          <Button size="sm" variant="default" onClick={() => dialog.open('refund', left)}>
            {t('charges.refund')}
          </Button>
        ) : null}
        {charge.status === 'AUTHORIZED' && may('transactions:create') ? (
          <>
            {isInReview(charge) ? null : (
              <Button size="sm" onClick={() => dialog.open('capture', charge.amount)}>
                {t('charges.capture')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={() => dialog.open('void', 0)}>
              {t('charges.void')}
            </Button>
          </>
        ) : null}
        {isOpen(charge.status) && charge.status !== 'PROCESSING' && may('transactions:create') ? (
          <Button size="sm" variant="default" onClick={() => dialog.open('cancel', 0)}>
            {t('charges.cancelCharge')}
          </Button>
        ) : null}
      </Group>
      <RefundDialog charge={charge} dialog={dialog} />
      <CaptureDialog charge={charge} dialog={dialog} />
      <VoidDialog charge={charge} dialog={dialog} />
      <CancelDialog charge={charge} dialog={dialog} />
    </>
  );
}

function RefundDialog({ charge, dialog }: DialogProps) {
  const { t } = useTranslation();
  const { amount, reason } = dialog;
  // The same refund has the same idempotency key until it is answered, even after the dialog was
  // closed.
  const { keyOf, end } = useIdempotencyKey();
  const { id } = charge;
  const amountError =
    amount === 0 ? t('create.needValue') : amount > leftToRefund(charge) && t('invalid.refundTooLarge');
  return (
    <Confirm
      opened={dialog.name === 'refund'}
      onClose={dialog.close}
      danger
      title={t('charges.refundTitle')}
      message={t(`charges.${charge.method === 'BOLETO' ? 'refundBoletoDescription' : 'refundDescription'}`, {
        amount: formatMoney(amount),
        fee: formatMoney(charge.feeAmount),
      })}
      action={`${t('charges.refund')} ${formatMoney(amount)}`}
      done={t('charges.refundDone')}
      check={() =>
        dialog.check({
          amount: amountError,
          reason: reason.trim() === '' && t('charges.needReason'),
        })
      }
      run={async () => {
        const body = { amount, reason: reason.trim() };
        const params = { path: { id }, header: { 'idempotency-key': keyOf({ id, ...body }) } };
        await unwrap(api.POST('/v1/transactions/{id}/refund', { params, body }));
        end();
        await refresh();
      }}
    >
      <MoneyInput
        label={t('charges.refundAmount')}
        description={t('charges.refundLeft', { amount: formatMoney(leftToRefund(charge)) })}
        {...REQUIRED}
        value={amount}
        error={dialog.errors['amount']}
        onChange={dialog.changeAmount}
        data-autofocus
      />
      <TextInput
        label={t('charges.refundReason')}
        description={t('charges.refundReasonHint')}
        maxLength={255}
        required
        withAsterisk={false}
        value={reason}
        error={dialog.errors['reason']}
        onChange={(event) => dialog.changeReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

function CaptureDialog({ charge, dialog }: DialogProps) {
  const { t } = useTranslation();
  const { amount } = dialog;
  const params = { path: { id: charge.id } };
  const amountError =
    amount === 0 ? t('create.needValue') : amount > charge.amount && t('invalid.captureTooLarge');
  return (
    <Confirm
      opened={dialog.name === 'capture'}
      onClose={dialog.close}
      title={t('charges.capture')}
      message={t('charges.captureDescription', { amount: formatMoney(charge.amount) })}
      action={`${t('charges.capture')} ${formatMoney(amount)}`}
      done={t('charges.captureDone')}
      check={() => dialog.check({ amount: amountError })}
      run={async () => {
        await unwrap(api.POST('/v1/transactions/{id}/capture', { params, body: { amount } }));
        await refresh();
      }}
    >
      <MoneyInput
        label={t('common.amount')}
        value={amount}
        error={dialog.errors['amount']}
        onChange={dialog.changeAmount}
        data-autofocus
      />
    </Confirm>
  );
}

function VoidDialog({ charge, dialog }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Confirm
      opened={dialog.name === 'void'}
      onClose={dialog.close}
      dismiss={t('common.back')}
      danger
      title={t('charges.void')}
      message={t('charges.voidDescription')}
      action={t('charges.void')}
      done={t('charges.voidDone')}
      run={async () => {
        await unwrap(api.POST('/v1/transactions/{id}/void', { params: { path: { id: charge.id } } }));
        await refresh();
      }}
    />
  );
}

function CancelDialog({ charge, dialog }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Confirm
      opened={dialog.name === 'cancel'}
      onClose={dialog.close}
      dismiss={t('common.back')}
      danger
      title={t('charges.cancelCharge')}
      message={t('charges.cancelDescription')}
      action={t('charges.cancelCharge')}
      done={t('charges.cancelDone')}
      run={async () => {
        await unwrap(api.POST('/v1/transactions/{id}/cancel', { params: { path: { id: charge.id } } }));
        await refresh();
      }}
    />
  );
}

const SIMULATIONS = {
  pay: (id: string) => api.POST('/v1/sandbox/transactions/{id}/pay', { params: { path: { id } } }),
  fail: (id: string) => api.POST('/v1/sandbox/transactions/{id}/fail', { params: { path: { id } } }),
  refuse: (id: string) => api.POST('/v1/sandbox/transactions/{id}/refuse', { params: { path: { id } } }),
  dispute: (id: string) => api.POST('/v1/sandbox/transactions/{id}/dispute', { params: { path: { id } } }),
  med: (id: string) =>
    api.POST('/v1/sandbox/transactions/{id}/med', { params: { path: { id } }, body: { type: 'SCAM' } }),
  chargeback: (id: string) =>
    api.POST('/v1/sandbox/transactions/{id}/chargeback', { params: { path: { id } } }),
};
type Simulation = keyof typeof SIMULATIONS;

const AFTER_PAYMENT = {
  PIX: ['dispute', 'med'],
  BOLETO: ['dispute'],
  CREDIT_CARD: ['dispute', 'chargeback'],
} as const satisfies Record<Charge['method'], readonly Simulation[]>;

function simulationsFor(charge: Charge): readonly Simulation[] {
  const { status, method } = charge;
  if (isInReview(charge) && method !== 'CREDIT_CARD') return ['fail'];
  if (status === 'PENDING') return method === 'BOLETO' ? ['pay', 'fail'] : ['pay', 'fail', 'refuse'];
  if (isOpen(status)) return ['pay', 'fail'];
  return status === 'PAID' ? AFTER_PAYMENT[method] : [];
}

/** Simulates the provider in the sandbox. */
export function SandboxActions({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const simulations = simulationsFor(charge).map((simulation) => ({
    label: t(`charges.simulate.${simulation}`),
    run: () => unwrap<unknown>(SIMULATIONS[simulation](charge.id)),
  }));
  return <Simulations simulations={simulations} queries={AFFECTED} />;
}
