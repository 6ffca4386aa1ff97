import {
  Group,
  Paper,
  Radio,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import type { Withdrawal } from '../api/queries.ts';
import { formatDate } from '../i18n/format.ts';
import { PIX_KEY_TYPES } from '../../../src/formats/pix/pix-key.ts';
import { destinationLabel } from './destination.ts';
import type { WithdrawalForm } from './new-withdrawal.ts';
import { pixKeyTypesOf } from './withdrawal-plan.ts';

interface Fields {
  readonly form: UseFormReturnType<WithdrawalForm>;
}

/** Where the money goes: to a known destination, or to a new Pix key or wallet. */
export function DestinationFields({ form, known }: Fields & { readonly known: readonly Withdrawal[] }) {
  const { t } = useTranslation();
  const { method, destinationOf } = form.values;
  const isKnown = known.some(({ id }) => id === destinationOf);
  return (
    <Paper withBorder p="md">
      <Stack>
        <SegmentedControl
          aria-label={t('withdrawals.method')}
          data={[
            { value: 'PIX', label: t('method.PIX') },
            { value: 'CRYPTO', label: t('method.CRYPTO') },
          ]}
          {...form.getInputProps('method')}
          onChange={(method: unknown) => {
            form.setFieldValue('method', method === 'CRYPTO' ? 'CRYPTO' : 'PIX');
            form.setFieldValue('destinationOf', '');
          }}
        />
        {known.length > 0 ? (
          <Select
            label={t('withdrawals.destination')}
            allowDeselect={false}
            data={[
              { value: '', label: t('withdrawals.newDestination') },
              ...known.map((one) => ({ value: one.id, label: labelOf(one, t) })),
            ]}
            {...form.getInputProps('destinationOf')}
          />
        ) : null}
        {isKnown ? null : method === 'PIX' ? <PixKeyFields form={form} /> : <WalletFields form={form} />}
        <TextInput
          label={`${t('common.description')} (${t('common.optional')})`}
          maxLength={140}
          {...form.getInputProps('description')}
        />
      </Stack>
    </Paper>
  );
}

function PixKeyFields({ form }: Fields) {
  const { t } = useTranslation();
  const keyTypes = pixKeyTypesOf(form.values.pixKey);
  return (
    <>
      <TextInput
        label={t('withdrawals.key')}
        description={t('withdrawals.keyHint')}
        maxLength={100}
        autoComplete="off"
        required
        withAsterisk={false}
        {...form.getInputProps('pixKey')}
      />
      <Text size="sm" role="status">
        {keyTypes.length === 1 && keyTypes[0] !== undefined
          ? `${t('withdrawals.keyType')}: ${t(`withdrawals.keyTypes.${keyTypes[0]}`)}`
          : ''}
      </Text>
      {keyTypes.length > 1 ? (
        <Radio.Group label={t('withdrawals.whichKeyType')} {...form.getInputProps('pixKeyType')}>
          <Group mt="xs">
            {keyTypes.map((type) => (
              <Radio key={type} value={type} label={t(`withdrawals.keyTypes.${type}`)} />
            ))}
          </Group>
        </Radio.Group>
      ) : null}
    </>
  );
}

function WalletFields({ form }: Fields) {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t('withdrawals.network')}
        allowDeselect={false}
        data={['TRC20', 'ERC20', 'POLYGON', 'BTC']}
        {...form.getInputProps('cryptoNetwork')}
      />
      <TextInput
        label={t('withdrawals.address')}
        maxLength={100}
        {...form.getInputProps('cryptoWalletAddress')}
      />
    </SimpleGrid>
  );
}

function labelOf(one: Withdrawal, t: TFunction): string {
  const { pixKeyType, cryptoNetwork, beneficiaryName, createdAt } = one;
  const type = PIX_KEY_TYPES.find((known) => known === pixKeyType);
  return [
    destinationLabel(one),
    type === undefined ? cryptoNetwork : t(`withdrawals.keyTypes.${type}`),
    beneficiaryName,
    t('withdrawals.lastUsed', { date: formatDate(createdAt) }),
  ]
    .filter((text) => text !== null && text !== '')
    .join(' · ');
}
