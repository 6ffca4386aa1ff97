import { Badge, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { usePeople } from '../components/people.ts';
import type { OwnedWithdrawal } from './queries.ts';

/** Approvals given and required. Hidden if one approval is enough. */
export function Approvals({ of }: { readonly of: OwnedWithdrawal }): ReactNode {
  const { t } = useTranslation();
  const nameOf = usePeople();
  const { approvals, approvalsNeeded: needed } = of;
  if (needed < 2 && approvals.length === 0) {
    return (
      <Badge variant="light" color="blue" tt="none" className="status" style={{ cursor: 'inherit' }}>
        {t('operator.withdrawalStatus.PENDING.label')}
      </Badge>
    );
  }
  const names = approvals.map(({ userId }) => nameOf(userId) ?? t('operator.deletedUser')).join(', ');
  return (
    <Tooltip
      multiline
      maw={260}
      label={
        approvals.length === 0
          ? t('operator.withdrawals.needsTwo')
          : t('operator.withdrawals.approvedBy', { names })
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      <Badge variant="light" color="orange" tt="none" className="status">
        {t('operator.withdrawals.approvals', { given: approvals.length, needed })}
      </Badge>
    </Tooltip>
  );
}
