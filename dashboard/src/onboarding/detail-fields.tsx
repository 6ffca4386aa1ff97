import { Paper, Select, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ACCOUNT_TYPES } from '../../../src/onboarding/application.ts';
import { MoneyInput } from '../components/money-input.tsx';
import type { Application } from './queries.ts';

const ADDRESS = ['postalCode', 'street', 'number', 'complement', 'district', 'city', 'state'] as const;
const BANK = ['bank', 'branch', 'account'] as const;

/** The paths of the fields in the API. */
export const DETAIL_FIELDS: readonly string[] = [
  'phone',
  'activity',
  'expectedVolume',
  'bankAccount.type',
  ...ADDRESS.map((name) => `address.${name}`),
  ...BANK.map((name) => `bankAccount.${name}`),
];

export interface DetailForm {
  readonly phone: string;
  readonly activity: string;
  readonly expectedVolume: number;
  readonly address: Readonly<Record<(typeof ADDRESS)[number], string>>;
  readonly bankAccount: Readonly<Record<(typeof BANK)[number], string>> & {
    readonly type: (typeof ACCOUNT_TYPES)[number];
  };
}

export const toForm = ({
  phone,
  activity,
  expectedVolume,
  address,
  bankAccount,
}: Application): DetailForm => ({
  phone: phone ?? '',
  activity: activity ?? '',
  expectedVolume: expectedVolume ?? 0,
  address: {
    postalCode: address?.postalCode ?? '',
    street: address?.street ?? '',
    number: address?.number ?? '',
    complement: address?.complement ?? '',
    district: address?.district ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
  },
  bankAccount: bankAccount ?? { bank: '', branch: '', account: '', type: 'CHECKING' },
});

const orNull = (text: string): string | null => text.trim() || null;

const isStated = (values: readonly string[]): boolean => values.some((value) => value.trim() !== '');

/** The body of the change. Fields without text are null. */
export function toBody({ phone, activity, expectedVolume, address, bankAccount }: DetailForm) {
  const { type, ...numbers } = bankAccount;
  return {
    phone: orNull(phone),
    activity: orNull(activity),
    expectedVolume: expectedVolume === 0 ? null : expectedVolume,
    address: isStated(Object.values(address))
      ? {
          postalCode: orNull(address.postalCode),
          street: orNull(address.street),
          number: orNull(address.number),
          complement: orNull(address.complement),
          district: orNull(address.district),
          city: orNull(address.city),
          state: orNull(address.state.toUpperCase()),
          country: 'BR',
        }
      : null,
    bankAccount: isStated(Object.values(numbers))
      ? {
          bank: numbers.bank.trim(),
          branch: numbers.branch.trim(),
          account: numbers.account.trim(),
          type,
        }
      : null,
  };
}

interface DetailFieldsProps {
  readonly form: DetailForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (form: DetailForm) => void;
}

/** What an applicant states after the sign-up. */
export function DetailFields(props: DetailFieldsProps): ReactNode {
  return (
    <>
      <BusinessFields {...props} />
      <AddressFields {...props} />
      <BankAccountFields {...props} />
    </>
  );
}

function BusinessFields({ form, errors, onChange }: DetailFieldsProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('onboarding.business')}
        </Title>
        <Textarea
          label={t('onboarding.parts.activity')}
          description={t('onboarding.activityHint')}
          autosize
          minRows={2}
          maxLength={1000}
          value={form.activity}
          error={errors['activity']}
          onChange={(event) => onChange({ ...form, activity: event.currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <MoneyInput
            label={t('onboarding.parts.expectedVolume')}
            value={form.expectedVolume}
            error={errors['expectedVolume']}
            onChange={(expectedVolume) => onChange({ ...form, expectedVolume })}
          />
          <TextInput
            type="tel"
            label={t('onboarding.phone')}
            autoComplete="tel-national"
            maxLength={20}
            value={form.phone}
            error={errors['phone']}
            onChange={(event) => onChange({ ...form, phone: event.currentTarget.value })}
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function AddressFields({ form, errors, onChange }: DetailFieldsProps) {
  const { t } = useTranslation();
  const { address } = form;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('onboarding.parts.address')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {ADDRESS.map((name) => (
            <TextInput
              key={name}
              label={t(`onboarding.address.${name}`)}
              autoComplete={AUTOCOMPLETE[name]}
              maxLength={name === 'state' ? 2 : 255}
              value={address[name]}
              error={errors[`address.${name}`]}
              onChange={(event) =>
                onChange({ ...form, address: { ...address, [name]: event.currentTarget.value } })
              }
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

function BankAccountFields({ form, errors, onChange }: DetailFieldsProps) {
  const { t } = useTranslation();
  const { bankAccount } = form;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h4">
          {t('onboarding.parts.bankAccount')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {BANK.map((name) => (
            <TextInput
              key={name}
              label={t(`onboarding.bank.${name}`)}
              inputMode={name === 'account' ? 'text' : 'numeric'}
              autoComplete="off"
              maxLength={20}
              value={bankAccount[name]}
              error={errors[`bankAccount.${name}`]}
              onChange={(event) =>
                onChange({ ...form, bankAccount: { ...bankAccount, [name]: event.currentTarget.value } })
              }
            />
          ))}
          <Select
            label={t('onboarding.bank.type')}
            allowDeselect={false}
            data={ACCOUNT_TYPES.map((value) => ({ value, label: t(`onboarding.accountTypes.${value}`) }))}
            value={bankAccount.type}
            error={errors['bankAccount.type']}
            onChange={(next) =>
              onChange({
                ...form,
                bankAccount: {
                  ...bankAccount,
                  type: ACCOUNT_TYPES.find((known) => known === next) ?? bankAccount.type,
                },
              })
            }
          />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}

const AUTOCOMPLETE: Readonly<Record<(typeof ADDRESS)[number], string>> = {
  postalCode: 'postal-code',
  street: 'address-line1',
  number: 'off',
  complement: 'address-line2',
  district: 'address-level3',
  city: 'address-level2',
  state: 'address-level1',
};
