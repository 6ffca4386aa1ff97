import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { ErrorAlert, notify } from '../../components/feedback.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { refresh, type Settings } from '../queries.ts';

export type SettingName = Settings['details'][number]['name'];

/** Data that is older than a shorter time is deleted within minutes. */
const DELETES = new Set<SettingName>(['webhookLogDays', 'applicationRetentionDays']);

interface SettingProps {
  readonly name: SettingName;
  readonly saved: Settings;
}

function useSetting({ name, saved }: SettingProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState<number | string>(saved[name]);
  const [confirming, setConfirming] = useState<number | null>();
  const save = async (next: number | null) => {
    await unwrap(api.PATCH('/v1/admin/settings', { body: { [name]: next } }));
    notify(t('operator.settings.saved'));
    await refresh('settings', 'audit');
  };
  const mutation = useMutation({ mutationFn: save });
  return { value, setValue, confirming, setConfirming, save, mutation };
}

/** One setting: its value, which operators with the permission change or reset to its default. */
export function SettingRow({ name, saved }: SettingProps): ReactNode {
  const { t, i18n } = useTranslation();
  const readOnly = !useMay()('operator:write');
  const { value, setValue, confirming, setConfirming, save, mutation } = useSetting({ name, saved });
  const detail = saved.details.find((one) => one.name === name);
  if (detail === undefined) return null;
  const { minimum, maximum, default: fallback } = detail;
  const isValid = typeof value === 'number' && value >= minimum && value <= maximum;
  const range = { minimum: formatNumber(minimum), maximum: formatNumber(maximum) };
  const submit = (next: number | null) =>
    DELETES.has(name) && (next ?? fallback) < saved[name] ? setConfirming(next) : mutation.mutate(next);
  return (
    <div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typeof value === 'number' && isValid) submit(value);
        }}
      >
        <Stack gap="xs">
          <NumberInput
            label={t(`operator.settings.names.${name}`)}
            description={t(`operator.settings.meanings.${name}`)}
            error={isValid ? undefined : t('operator.settings.range', range)}
            maw={480}
            min={minimum}
            max={maximum}
            clampBehavior="none"
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator={i18n.language === 'en' ? ',' : '.'}
            decimalSeparator={i18n.language === 'en' ? '.' : ','}
            readOnly={readOnly}
            value={value}
            onChange={setValue}
          />
          <Text size="sm" c="dimmed">
            {t(detail.isStored ? 'operator.settings.changed' : 'operator.settings.isDefault', {
              ...range,
              value: formatNumber(fallback),
            })}
          </Text>
          <ErrorAlert error={mutation.error} />
          {readOnly ? null : (
            <SettingButtons
              detail={detail}
              isChanged={value !== saved[name]}
              isValid={isValid}
              isPending={mutation.isPending}
              onReset={() => submit(null)}
            />
          )}
        </Stack>
      </form>
      <Confirm
        opened={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        danger
        title={t('operator.settings.shortenTitle')}
        message={t('operator.settings.shortenMessage', { count: confirming ?? fallback })}
        action={t('operator.settings.shorten')}
        run={() => save(confirming ?? null)}
      />
    </div>
  );
}

function SettingButtons({
  detail: { isStored, default: fallback },
  isChanged,
  isValid,
  isPending,
  onReset,
}: {
  readonly detail: Settings['details'][number];
  readonly isChanged: boolean;
  readonly isValid: boolean;
  readonly isPending: boolean;
  readonly onReset: () => void;
}): ReactNode {
  const { t } = useTranslation();
  if (!isStored && !isChanged) return null;
  return (
    <Group gap="xs">
      {isChanged ? (
        <Button type="submit" size="xs" disabled={!isValid} loading={isPending}>
          {t('common.save')}
        </Button>
      ) : null}
      {isStored ? (
        <Button size="xs" variant="default" disabled={isPending} onClick={onReset}>
          {t('operator.settings.reset', { value: formatNumber(fallback) })}
        </Button>
      ) : null}
    </Group>
  );
}
