import { Button, Group, TextInput } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../../api/clock.ts';
import { api, unwrap, download } from '../../api/client.ts';
import { isSandbox } from '../../api/permissions.ts';
import { useChecks } from '../../components/field-errors.ts';
import { notify, notifyError } from '../../components/feedback.tsx';
import { LocalDates, useCalendarNames, useDayFormat } from '../../components/period.tsx';
import { localDay } from '../../i18n/format.ts';
import { FileForm } from '../components/file-form.tsx';
import { refresh } from '../queries.ts';

const DAY_MS = 86_400_000;
const PROVIDER = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Imports a settlement file, all or nothing. Lists every invalid line. */
export function ImportFile(): ReactNode {
  const { t } = useTranslation();
  const names = useCalendarNames();
  const valueFormat = useDayFormat();
  const [provider, setProvider] = useState(isSandbox ? 'sandbox' : '');
  const { errors, check, clear } = useChecks();
  const [day, setDay] = useState(localDay(new Date(serverNow() - DAY_MS)));
  return (
    <FileForm
      title={t('operator.reconciliation.import')}
      accept="text/csv,.csv"
      hint={t('operator.reconciliation.drop')}
      action={t('operator.reconciliation.send')}
      check={() =>
        check({ provider: !PROVIDER.test(provider.trim()) && t('operator.reconciliation.providerHint') })
      }
      send={async (file) => {
        const { data } = await unwrap(
          api.POST('/v1/admin/reconciliation/files', {
            params: { query: { provider: provider.trim(), day } },
            headers: { 'content-type': 'text/csv' },
            body: await file.text(),
            bodySerializer: (text) => text,
          }),
        );
        notify(
          data.repeated
            ? t('operator.reconciliation.repeated')
            : t('operator.reconciliation.imported', { count: data.lines }),
        );
        await refresh('reconciliation', 'audit');
      }}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          label={t('operator.provider')}
          w={150}
          required
          withAsterisk={false}
          value={provider}
          error={errors['provider']}
          onChange={(event) => {
            setProvider(event.currentTarget.value);
            clear('provider');
          }}
        />
        <LocalDates>
          <DatePickerInput
            label={t('operator.reconciliation.day')}
            w={160}
            valueFormat={valueFormat}
            {...names}
            value={day}
            onChange={(value) => setDay(value ?? day)}
          />
        </LocalDates>
        {isSandbox ? <SandboxFile day={day} /> : null}
      </Group>
    </FileForm>
  );
}

/** Downloads the file that the sandbox's provider would send for a day. */
function SandboxFile({ day }: { readonly day: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Button
      variant="subtle"
      mt={24}
      onClick={() => {
        const path = `/v1/sandbox/settlement-file?day=${encodeURIComponent(day)}`;
        download(path, t('operator.reconciliation.sandboxFileName', { day })).catch(notifyError);
      }}
    >
      {t('operator.reconciliation.sandboxFile')}
    </Button>
  );
}
