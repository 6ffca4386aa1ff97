import { Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isUnprocessed } from '../../../../src/cnab/exchange/line-details.ts';
import { api, unwrap } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useChecks } from '../../components/field-errors.ts';
import { formatMoney } from '../../i18n/format.ts';
import { refresh } from '../queries.ts';
import type { BankReturnLine, QueuedLine } from './queries.ts';

export type LineDecision = NonNullable<BankReturnLine['decision']>;

/** What accepting a line does; undefined if it can only be dismissed. */
function acceptanceOf({ kind, outcome, reason, recordId }: BankReturnLine) {
  if (isUnprocessed(reason)) return 'acceptUnprocessed';
  if (kind === 'PAYOUT_FAILED' && outcome === 'REJECTED' && recordId !== null) return 'acceptFailure';
  return kind === 'PAID' && outcome === 'REPEATED' ? 'acceptPayment' : undefined;
}

export const canAccept = (line: BankReturnLine): boolean => acceptanceOf(line) !== undefined;

interface Deciding {
  readonly what: LineDecision;
  readonly about: QueuedLine;
}

/** Asks before a line is decided. */
export function DecideLine({
  deciding,
  onClose,
  onDone,
}: {
  readonly deciding: Deciding | undefined;
  readonly onClose: () => void;
  readonly onDone: (decided: QueuedLine) => void;
}): ReactNode {
  const { t } = useTranslation();
  // Keeps the content of the dialog during its closing animation.
  const [last, setLast] = useState(deciding);
  const [note, setNote] = useState('');
  const { errors, check, clear } = useChecks();
  if (deciding !== undefined && deciding !== last) {
    // A note belongs to one line. It is kept if the gateway rejects the request.
    if (deciding.about.id !== last?.about.id) setNote('');
    setLast(deciding);
  }
  const shown = deciding ?? last;
  if (shown === undefined) return null;
  const { what, about } = shown;
  const accepts = what === 'ACCEPTED';
  const acceptance = acceptanceOf(about);
  const acceptDescription =
    acceptance && t(`operator.cnab.${acceptance}`, { amount: formatMoney(about.amount) });
  return (
    <Confirm
      opened={deciding !== undefined}
      onClose={onClose}
      ready
      title={t(`operator.cnab.${accepts ? 'acceptTitle' : 'dismissTitle'}`, { line: about.line })}
      message={(accepts && acceptDescription) || t('operator.cnab.dismissDescription')}
      action={t(`operator.cnab.${accepts ? 'accept' : 'dismiss'}`)}
      done={t(`operator.cnab.${accepts ? 'accepted' : 'dismissed'}`)}
      check={() => check({ note: note.trim() === '' && t('operator.cnab.needNote') })}
      onClosed={() => check({})}
      run={async () => {
        await unwrap(
          api.POST('/v1/admin/cnab/returns/{id}/lines/{line}/decide', {
            params: { path: { id: about.returnId, line: String(about.line) } },
            body: { decision: what, note: note.trim() },
          }),
        );
        void refresh('bank-returns', 'returns', 'reports', 'transactions', 'withdrawals', 'audit');
        onDone(about);
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
  );
}
