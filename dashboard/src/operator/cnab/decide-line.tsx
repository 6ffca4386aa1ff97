import { Button, Group, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isUnprocessed } from '../../../../src/cnab/exchange/line-details.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { formatMoney } from '../../i18n/format.ts';
import { refresh } from '../queries.ts';
import type { BankReturnLine } from './queries.ts';

type Decision = NonNullable<BankReturnLine['decision']>;

/** The decision about a line that needs a review: any can be dismissed, some can be accepted. */
export function DecideLine({
  returnId,
  line,
}: {
  readonly returnId: string;
  readonly line: BankReturnLine;
}): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const [decision, setDecision] = useState<Decision>();
  const [note, setNote] = useState('');
  const { errors, check, clear } = useChecks();
  if (!may('operator:write')) return null;
  const acceptance = acceptanceOf(line);
  const accepts = decision === 'ACCEPTED';
  const acceptDescription =
    acceptance && t(`operator.cnab.${acceptance}`, { amount: formatMoney(line.amount) });
  return (
    <Group gap="xs" mt={4} mb="xs">
      {acceptance === undefined ? null : (
        <Button size="compact-sm" variant="light" onClick={() => setDecision('ACCEPTED')}>
          {t('operator.cnab.accept')}
        </Button>
      )}
      <Button size="compact-sm" variant="default" onClick={() => setDecision('DISMISSED')}>
        {t('operator.cnab.dismiss')}
      </Button>
      <Confirm
        opened={decision !== undefined}
        onClose={() => setDecision(undefined)}
        title={t(`operator.cnab.${accepts ? 'acceptTitle' : 'dismissTitle'}`, { line: line.line })}
        message={(accepts && acceptDescription) || t('operator.cnab.dismissDescription')}
        action={t(`operator.cnab.${accepts ? 'accept' : 'dismiss'}`)}
        done={t(`operator.cnab.${accepts ? 'accepted' : 'dismissed'}`)}
        check={() => check({ note: note.trim() === '' && t('operator.cnab.needNote') })}
        onClosed={() => check({})}
        run={async () => {
          if (decision === undefined) return;
          await unwrap(
            api.POST('/v1/admin/cnab/returns/{id}/lines/{line}/decide', {
              params: { path: { id: returnId, line: String(line.line) } },
              body: { decision, note: note.trim() },
            }),
          );
          await refresh('bank-returns', 'returns', 'reports', 'withdrawals', 'audit');
        }}
      >
        <Textarea
          label={t('operator.cnab.note')}
          description={t('operator.cnab.noteHint')}
          required
          withAsterisk={false}
          autosize
          minRows={2}
          maxLength={500}
          value={note}
          error={errors['note']}
          onChange={(event) => {
            setNote(event.currentTarget.value);
            clear('note');
          }}
          data-autofocus
        />
      </Confirm>
    </Group>
  );
}

/** What accepting a line does; undefined if it can only be dismissed. */
function acceptanceOf({ kind, outcome, reason, recordId }: BankReturnLine) {
  if (isUnprocessed(reason)) return 'acceptUnprocessed';
  if (kind === 'PAYOUT_FAILED' && outcome === 'REJECTED' && recordId !== null) return 'acceptFailure';
  return kind === 'PAID' && outcome === 'REPEATED' ? 'acceptPayment' : undefined;
}
