import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import type { Dispute } from '../api/queries.ts';
import { DescriptionItem, DescriptionList } from '../components/description-list.tsx';
import { Simulations } from '../components/simulations.tsx';
import { DateTime, Status } from '../components/values.tsx';
import { formatMoney } from '../i18n/format.ts';
import { translateReason } from '../i18n/reasons.ts';
import { DaysLeft, daysLeft } from './deadline.tsx';

/** The recovery of values by MED: its state, and what is due when. */
export function MedRecovery({ med }: { readonly med: Dispute['med'] }): ReactNode {
  const { t } = useTranslation();
  if (med === null) return null;
  const isHeld = !['REFUNDING', 'COMPLETED', 'CANCELLED'].includes(med.status);
  return (
    <DescriptionList title={t('disputes.med.title')}>
      <DescriptionItem name={t('common.status')}>
        <Status kind="med" of={med.status} size="sm" />
      </DescriptionItem>
      <DescriptionItem name={t('disputes.med.type')}>
        {translateReason(med.type.toLowerCase().replaceAll('_', ' '))}
      </DescriptionItem>
      {isHeld ? (
        <DescriptionItem name={t('disputes.med.analysisDue')}>
          <DateTime at={med.analysisDueAt} size="sm" />
          {' · '}
          <DaysLeft days={daysLeft(med.analysisDueAt)} />
        </DescriptionItem>
      ) : null}
      {isHeld || med.status === 'REFUNDING' ? (
        <DescriptionItem name={t('disputes.med.refundDue')}>
          <DateTime at={med.refundDueAt} size="sm" />
          {' · '}
          <DaysLeft days={daysLeft(med.refundDueAt)} />
        </DescriptionItem>
      ) : null}
      {med.acceptedAmount === null ? null : (
        <DescriptionItem name={t('disputes.med.accepted')}>{formatMoney(med.acceptedAmount)}</DescriptionItem>
      )}
      {med.monitorAccount ? <Text size="sm">{t('disputes.med.monitor')}</Text> : null}
    </DescriptionList>
  );
}

/** Simulates the banks in the sandbox: moves an open claim to its next status. */
export function SandboxMed({ dispute: { id, med } }: { readonly dispute: Dispute }): ReactNode {
  const { t } = useTranslation();
  if (med === null || med.status === 'COMPLETED' || med.status === 'CANCELLED') return null;
  const advance = {
    label: t('disputes.med.advance'),
    run: () =>
      unwrap(api.POST('/v1/sandbox/disputes/{id}/med/advance', { params: { path: { id } }, body: {} })),
  };
  return <Simulations simulations={[advance]} queries={['disputes', 'charges', 'wallet', 'entries']} />;
}
