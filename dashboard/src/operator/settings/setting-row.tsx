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

/** One setting: its value, which operators with the permission change or reset to its default. */
export function SettingRow({
  name,
  saved,
}: {
  readonly name: SettingName;
  readonly saved: Settings;
}): ReactNode {
  const { t } = useTranslation();
  const readOnly = !useMay()('operator:write');
  const [value, setValue] = useState<number | string>(saved[name]);
  const [confirming, setConfirming] = useState<number | null>();
  const detail = saved.details.find((one) => one.name === name);
  const save = async (next: number | null) => {
    await unwrap(api.PATCH('/v1/admin/settings', { body: { [name]: next } }));
    notify(t('operator.settings.saved'));
    await refresh('settings', 'audit');
  };
  const mutation = useMutation({ mutationFn: save });
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
          {readOnly || (!detail.isStored && value === saved[name]) ? null : (
            <Group gap="xs">
              {value === saved[name] ? null : (
                <Button type="submit" size="xs" disabled={!isValid} loading={mutation.isPending}>
                  {t('common.save')}
                </Button>
              )}
              {detail.isStored ? (
                <Button
                  size="xs"
                  variant="default"
                  disabled={mutation.isPending}
                  onClick={() => submit(null)}
                >
                  {t('operator.settings.reset', { value: formatNumber(fallback) })}
                </Button>
              ) : null}
            </Group>
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
