import { Alert, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { Confirm } from '../../components/confirm.tsx';
import { refresh, type ProviderRoute } from '../queries.ts';

interface DialogProps {
  readonly route: ProviderRoute;
  /** Undefined while the dialog is closed. */
  readonly provider: string | undefined;
  readonly onClose: () => void;
}

/** Asks for the reason, and says what stops. */
export function PauseDialog({ route, provider = '', onClose }: DialogProps): ReactNode {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { method, providers } = route;
  const isLast = providers.every(({ name, paused }) => name === provider || paused !== null);
  const names = { provider, method: t(`operator.settings.methods.${method}`) };
  return (
    <Confirm
      opened={provider !== ''}
      onClose={onClose}
      danger
      title={t('operator.settings.pauseTitle', names)}
      message={t(`operator.settings.pauseMessage.${method === 'PAYOUT' ? 'payout' : 'charges'}`)}
      action={t('operator.settings.pause')}
      done={t('operator.settings.pauseDone')}
      check={() => {
        setIsMissing(reason.trim() === '');
        return reason.trim() !== '';
      }}
      run={async () => {
        const body = { provider, reason: reason.trim() };
        const params = { path: { method } };
        await unwrap(api.POST('/v1/admin/provider-routes/{method}/pause', { params, body }));
        setReason('');
        await refresh('provider-routes', 'audit');
      }}
    >
      {isLast ? (
        <Alert color="orange" variant="light">
          {t(`operator.settings.pauseLast.${method === 'PAYOUT' ? 'payout' : 'charges'}`, names)}
        </Alert>
      ) : null}
      <TextInput
        label={t('common.reason')}
        required
        withAsterisk={false}
        maxLength={255}
        value={reason}
        error={isMissing && reason.trim() === '' ? t('operator.settings.reasonMissing') : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  );
}

export function ResumeDialog({ route: { method }, provider = '', onClose }: DialogProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Confirm
      opened={provider !== ''}
      onClose={onClose}
      title={t('operator.settings.resumeTitle', {
        provider,
        method: t(`operator.settings.methods.${method}`),
      })}
      message={t(`operator.settings.resumeMessage.${method === 'PAYOUT' ? 'payout' : 'charges'}`)}
      action={t('operator.settings.resume')}
      done={t('operator.settings.resumeDone')}
      run={async () => {
        const params = { path: { method } };
        await unwrap(api.POST('/v1/admin/provider-routes/{method}/resume', { params, body: { provider } }));
        await refresh('provider-routes', 'audit');
      }}
    />
  );
}
