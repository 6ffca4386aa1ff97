import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { DescriptionItem, DescriptionList } from '../components/description-list.tsx';
import { DateTime, EmailAddress, Money } from '../components/values.tsx';
import { formatDocument } from '../i18n/format.ts';
import type { Application } from './queries.ts';

/** What an applicant has stated, to be read. */
export function ApplicationDetails({ application }: { readonly application: Application }): ReactNode {
  const { t } = useTranslation();
  const { address, bankAccount, expectedVolume } = application;
  const none = t('onboarding.notStated');
  const street = [address?.street, address?.number, address?.complement].filter(Boolean).join(', ');
  const place = [address?.district, address?.city, address?.state, address?.postalCode];
  return (
    <Stack>
      <DescriptionList title={t('onboarding.applicant')}>
        <DescriptionItem name={application.documentType}>
          {formatDocument(application.document)}
        </DescriptionItem>
        <DescriptionItem name={t('onboarding.owner')}>{application.ownerName}</DescriptionItem>
        <DescriptionItem name={t('session.email')}>
          <EmailAddress of={application.ownerEmail} />
        </DescriptionItem>
        <DescriptionItem name={t('onboarding.phone')}>{application.phone ?? none}</DescriptionItem>
        {application.submittedAt === null ? null : (
          <DescriptionItem name={t('onboarding.submittedAt')}>
            <DateTime at={application.submittedAt} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <DescriptionList title={t('onboarding.business')}>
        <DescriptionItem name={t('onboarding.parts.activity')}>
          {application.activity ?? none}
        </DescriptionItem>
        <DescriptionItem name={t('onboarding.parts.expectedVolume')}>
          {expectedVolume === null ? none : <Money cents={expectedVolume} />}
        </DescriptionItem>
        <DescriptionItem name={t('onboarding.parts.address')}>
          {address === null ? none : [street, ...place].filter(Boolean).join(' · ')}
        </DescriptionItem>
        <DescriptionItem name={t('onboarding.parts.bankAccount')}>
          {bankAccount === null
            ? none
            : [
                bankAccount.bank,
                bankAccount.branch,
                bankAccount.account,
                t(`onboarding.accountTypes.${bankAccount.type}`),
              ].join(' · ')}
        </DescriptionItem>
      </DescriptionList>
    </Stack>
  );
}
