import {
  Alert,
  Anchor,
  Button,
  Divider,
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
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import { ORIGINS } from '../../../src/accounting/ledger/entries.ts';
import { api, unwrap } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { useMay } from '../api/permissions.ts';
import {
  fees,
  queryClient,
  wallet,
  withdrawals,
  type NewWithdrawal,
  type Wallet,
  type Withdrawal,
} from '../api/queries.ts';
import { Money } from '../components/values.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { ErrorAlert, PageTitle, notify } from '../components/feedback.tsx';
import { Dialog } from '../components/overlay.tsx';
import { fieldErrors, formatError } from '../i18n/errors.ts';
import { formatDate, formatDocument, formatMoney, formatPhone } from '../i18n/format.ts';
import { PIX_KEY_TYPES, type PixKeyType } from '../../../src/formats/pix/pix-key.ts';
import { calculateFee, type Fee } from './fee-amounts.ts';
import {
  ALL_ORIGINS,
  pixKeyTypesOf,
  splitByOrigin,
  withdrawable,
  type WithdrawFrom,
} from './withdrawal-plan.ts';

interface Form {
  method: NewWithdrawal['method'];
  amount: number;
  withdrawFrom: WithdrawFrom;
  /** The earlier withdrawal whose destination is paid again; empty for a new destination. */
  destinationOf: string;
  /** Chosen where the key can have two types. */
  pixKeyType: PixKeyType | '';
  pixKey: string;
  cryptoNetwork: 'TRC20' | 'ERC20' | 'POLYGON' | 'BTC';
  cryptoWalletAddress: string;
  description: string;
}

const EMPTY: Form = {
  method: 'PIX',
  amount: 0,
  withdrawFrom: ALL_ORIGINS,
  destinationOf: '',
  pixKeyType: '',
  pixKey: '',
  cryptoNetwork: 'TRC20',
  cryptoWalletAddress: '',
  description: '',
};
/** The type of the typed key; undefined if it has none, or must be chosen. */
function keyTypeOf({ pixKey, pixKeyType }: Form): PixKeyType | undefined {
  const types = pixKeyTypesOf(pixKey);
  return types.length === 1 ? types[0] : types.find((type) => type === pixKeyType);
}

/** A Pix key with its punctuation, so that a wrong digit is seen before the money is sent. */
function formatPixKey(form: Form): string {
  const type = keyTypeOf(form);
  if (type === 'CPF' || type === 'CNPJ') return formatDocument(form.pixKey);
  return type === 'PHONE' ? formatPhone(form.pixKey) : form.pixKey.trim();
}

/** A withdrawal of one origin, with the idempotency key of its request. */
interface Part {
  readonly key: string;
  readonly body: NewWithdrawal;
  readonly id?: string;
  readonly error?: unknown;
}

function destinationOf(form: Form) {
  if (form.destinationOf !== '') return { destinationOf: form.destinationOf };
  return form.method === 'PIX'
    ? { pixKey: form.pixKey.trim(), pixKeyType: keyTypeOf(form) ?? null }
    : { cryptoWalletAddress: form.cryptoWalletAddress.trim(), cryptoNetwork: form.cryptoNetwork };
}

function partsOf(form: Form, balance: Wallet, fee: Fee): readonly Part[] {
  const description = form.description.trim();
  return (splitByOrigin(balance, form.withdrawFrom, form.amount, fee) ?? []).map(({ origin, amount }) => ({
    key: crypto.randomUUID(),
    body: {
      amount,
      method: form.method,
      withdrawFrom: origin,
      ...destinationOf(form),
      ...(description === '' ? {} : { description }),
    },
  }));
}

/** Whether nothing of a part can have been executed. */
const isRejected = ({ id, error }: Part): boolean =>
  id === undefined && error instanceof ApiError && error.status < 500 && error.status !== 429;

async function request(part: Part): Promise<Part> {
  const { key, body } = part;
  if (part.id !== undefined) return part;
  try {
    const params = { header: { 'idempotency-key': key } };
    const { id } = (await unwrap(api.POST('/v1/withdrawals', { params, body }))).data;
    return { key, body, id };
  } catch (error) {
    return { key, body, error };
  }
}

export function NewWithdrawalPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const balance = useQuery(wallet());
  const plan = useQuery(fees());
  const earlier = useQuery(withdrawals({ take: 100 }));
  const [review, setReview] = useState(false);
  const [parts, setParts] = useState<readonly Part[]>([]);
  const [planned, setPlanned] = useState('');
  const form = useForm<Form>({
    initialValues: EMPTY,
    validate: {
      amount: (amount, { withdrawFrom }) => {
        if (amount < 1) return t('create.needText');
        if (balance.data === undefined || plan.data === undefined) return null;
        const { pixOut } = plan.data;
        if (amount > withdrawable(balance.data, withdrawFrom, pixOut)) return t('withdrawals.tooMuch');
        const isPayable = splitByOrigin(balance.data, withdrawFrom, amount, pixOut) !== undefined;
        return isPayable ? null : t('withdrawals.belowFee');
      },
      pixKey: (key, { method, destinationOf: known }) => {
        if (method !== 'PIX' || known !== '') return null;
        if (key.trim() === '') return t('withdrawals.needKey');
        return pixKeyTypesOf(key).length === 0 ? t('withdrawals.unknownKey') : null;
      },
      pixKeyType: (_, values) =>
        values.method === 'PIX' &&
        values.destinationOf === '' &&
        pixKeyTypesOf(values.pixKey).length > 1 &&
        keyTypeOf(values) === undefined
          ? t('withdrawals.chooseKeyType')
          : null,
      cryptoWalletAddress: (address, { method, destinationOf: known }) =>
        method === 'CRYPTO' && known === '' && address.trim() === '' ? t('create.needText') : null,
    },
  });
  const mutation = useMutation({
    mutationFn: async () => {
      // One after the other, so that what was requested is known when one fails.
      const done: Part[] = [];
      for (const part of parts) {
        done.push(await request(part));
        setParts([...done, ...parts.slice(done.length)]);
      }
      return done;
    },
    onSuccess: async (done) => {
      for (const name of ['withdrawals', 'wallet', 'entries']) {
        void queryClient.invalidateQueries({ queryKey: [name] });
      }
      const [first] = done;
      const failed = done.find(({ error }) => error !== undefined);
      if (failed !== undefined) {
        const found = fieldErrors(failed.error, Object.keys(EMPTY));
        if (Object.keys(found).length === 0 || done.some(({ id }) => id !== undefined)) return;
        form.setErrors(found);
        setReview(false);
        return;
      }
      notify(t('withdrawals.done'));
      if (done.length === 1 && first?.id !== undefined)
        await navigate({ to: '/withdrawals/$id', params: { id: first.id } });
      else await navigate({ to: '/withdrawals' });
    },
  });
  if (!may('withdrawals:create')) return <Text>{t('error.forbidden')}</Text>;

  const { values } = form;
  const { data: feePlan } = plan;
  const available =
    balance.data === undefined || feePlan === undefined
      ? 0
      : withdrawable(balance.data, values.withdrawFrom, feePlan.pixOut);
  // Each origin is a withdrawal of its own, with its fee.
  const fee =
    feePlan === undefined
      ? 0
      : parts.reduce((sum, { body }) => sum + (calculateFee(body.amount, feePlan.pixOut) ?? 0), 0);
  const keyTypes = values.method === 'PIX' ? pixKeyTypesOf(values.pixKey) : [];
  const isPartial = !mutation.isPending && parts.some(({ id }) => id !== undefined);
  const known = knownDestinations(earlier.data?.data ?? [], values.method);
  const chosen = known.find(({ id }) => id === values.destinationOf);
  const typed = values.method === 'PIX' ? formatPixKey(values) : values.cryptoWalletAddress;
  const destination = chosen === undefined ? typed : nameOf(chosen);
  return (
    <Stack maw={640}>
      <Anchor component={Link} to="/withdrawals" size="sm">
        ← {t('nav.withdrawals')}
      </Anchor>
      <PageTitle title={t('withdrawals.new')} />
      <form
        noValidate
        onSubmit={form.onSubmit((checked) => {
          if (balance.data === undefined || feePlan === undefined || mutation.isPending) return;
          // What may have been executed keeps its idempotency keys.
          const text = JSON.stringify(checked);
          if (text !== planned || parts.every(isRejected)) {
            setParts(partsOf(checked, balance.data, feePlan.pixOut));
            setPlanned(text);
            mutation.reset();
          }
          setReview(true);
        })}
      >
        <Stack>
          <Paper withBorder p="md">
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <MoneyInput
                  data-autofocus
                  label={t('common.amount')}
                  size="lg"
                  description={t('withdrawals.available', { amount: formatMoney(available) })}
                  required
                  withAsterisk={false}
                  {...form.getInputProps('amount')}
                  value={values.amount}
                />
                <Select
                  label={t('common.origin')}
                  size="lg"
                  description={' '}
                  allowDeselect={false}
                  data={[
                    { value: ALL_ORIGINS, label: t('withdrawals.allOrigins') },
                    ...ORIGINS.map((value) => ({ value, label: t(`method.${value}`) })),
                  ]}
                  {...form.getInputProps('withdrawFrom')}
                />
              </SimpleGrid>
              <Group>
                <Button
                  size="xs"
                  variant="light"
                  disabled={available <= 0}
                  onClick={() => form.setFieldValue('amount', available)}
                >
                  {t('withdrawals.all')}
                </Button>
              </Group>
            </Stack>
          </Paper>
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
              {chosen !== undefined ? null : values.method === 'PIX' ? (
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
              ) : (
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
              )}
              <TextInput
                label={`${t('common.description')} (${t('common.optional')})`}
                maxLength={140}
                {...form.getInputProps('description')}
              />
            </Stack>
          </Paper>
          <Group>
            <Button type="submit" size="md">
              {t('withdrawals.review')}
            </Button>
          </Group>
        </Stack>
      </form>
      <Dialog
        opened={review}
        onClose={() => (mutation.isPending ? undefined : setReview(false))}
        title={t('withdrawals.confirmTitle')}
      >
        <Stack>
          <Text>
            {t(values.method === 'PIX' ? 'withdrawals.confirmPix' : 'withdrawals.confirmCrypto', {
              amount: formatMoney(values.amount),
              net: formatMoney(values.amount - fee),
              destination,
            })}
          </Text>
          <Group justify="space-between">
            <Text>{t('common.amount')}</Text>
            <Money cents={values.amount} />
          </Group>
          <Group justify="space-between">
            <Text>{t('common.fee')}</Text>
            <Money cents={-fee} />
          </Group>
          <Divider />
          <Group justify="space-between">
            <Text fw={600}>{t('common.net')}</Text>
            <Money cents={values.amount - fee} fw={600} />
          </Group>
          {parts.length > 1 ? <Parts parts={parts} /> : <ErrorAlert error={parts[0]?.error} />}
          {isPartial && parts.some(({ error }) => error !== undefined) ? (
            <Alert color="orange" role="alert">
              {t('withdrawals.partial', {
                done: formatMoney(amountOf(parts.filter(({ id }) => id !== undefined))),
                left: formatMoney(amountOf(parts.filter(({ id }) => id === undefined))),
              })}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            {isPartial ? (
              <Button variant="default" component={Link} to="/withdrawals">
                {t('nav.withdrawals')}
              </Button>
            ) : (
              <Button variant="default" disabled={mutation.isPending} onClick={() => setReview(false)}>
                {t('common.back')}
              </Button>
            )}
            <Button data-autofocus loading={mutation.isPending} onClick={() => mutation.mutate()}>
              {isPartial
                ? t('common.retry')
                : t('withdrawals.confirm', { amount: formatMoney(values.amount) })}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </Stack>
  );
}

/** The destinations of earlier withdrawals that were not rejected, the last used first. */
function knownDestinations(earlier: readonly Withdrawal[], method: Form['method']): readonly Withdrawal[] {
  const found = new Map<string, Withdrawal>();
  for (const one of earlier) {
    if (one.method !== method || one.status === 'REJECTED' || one.status === 'FAILED') continue;
    const name = [nameOf(one), one.beneficiaryName, one.beneficiaryDocumentNumber].join(' ');
    if (!found.has(name)) found.set(name, one);
  }
  return [...found.values()];
}

/** Masked. */
const nameOf = ({ pixKey, cryptoWalletAddress }: Withdrawal): string => pixKey ?? cryptoWalletAddress ?? '';

function labelOf(one: Withdrawal, t: TFunction): string {
  const { pixKeyType, cryptoNetwork, beneficiaryName, createdAt } = one;
  const type = PIX_KEY_TYPES.find((known) => known === pixKeyType);
  return [
    nameOf(one),
    type === undefined ? cryptoNetwork : t(`withdrawals.keyTypes.${type}`),
    beneficiaryName,
    t('withdrawals.lastUsed', { date: formatDate(createdAt) }),
  ]
    .filter((text) => text !== null && text !== '')
    .join(' · ');
}

const amountOf = (parts: readonly Part[]): number => parts.reduce((sum, { body }) => sum + body.amount, 0);

/** The withdrawals that one confirmation requests, with the outcome of each. */
function Parts({ parts }: { readonly parts: readonly Part[] }) {
  const { t } = useTranslation();
  return (
    <Stack gap={4}>
      <Text size="sm">{t('withdrawals.parts', { count: parts.length })}</Text>
      {parts.map(({ key, body, id, error }) => (
        <Group key={key} justify="space-between" wrap="nowrap">
          <Text size="sm">
            {t(`method.${body.withdrawFrom ?? 'PIX'}`)}
            {id === undefined ? '' : ` · ${t('withdrawals.requested')}`}
            {error === undefined ? '' : ` · ${formatError(error)}`}
          </Text>
          <Money cents={body.amount} size="sm" />
        </Group>
      ))}
    </Stack>
  );
}
