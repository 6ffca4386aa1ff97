import {
  Alert,
  Button,
  Center,
  Image,
  Loader,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocalStorage } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, Delete } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { serverNow } from '../api/clock.ts';
import { api, unwrap } from '../api/client.ts';
import { ApiError, ConnectionError } from '../api/errors.ts';
import { useMay, useUser } from '../api/permissions.ts';
import { charge as one, isInReview, isOpen, queryClient, type Charge } from '../api/queries.ts';
import { COUNTER_KEY } from '../api/session.ts';
import { ConnectionNotice } from '../app/connection-notice.tsx';
import { DocumentInput } from '../components/document-input.tsx';
import { ErrorAlert, PageTitle } from '../components/feedback.tsx';
import { focusFirst } from '../components/first-focus.ts';
import { formatDateTime, formatMoney } from '../i18n/format.ts';
import { translateReason } from '../i18n/reasons.ts';
import { furtherReason } from '../i18n/statuses.ts';
import { SandboxActions } from './actions.tsx';
import { EMPTY_FORM, MIN_CENTS, REQUIRED, toTransactionRequest, validate } from './new-charge.ts';
import { toLocalPath } from './pix-code.tsx';

const MAX_CENTS = 99_999_999;
const RETRY_MS = 3_000;
const POLL_MS = 3_000;
const QR_PX = 320;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0'] as const;

/** The payer that counter sales are made out to, kept on this device. */
interface Counter {
  readonly name: string;
  readonly document: string;
  readonly email: string;
  readonly phone: string;
}
const NO_COUNTER: Counter = { name: '', document: '', email: '', phone: '' };

const isCompleted = (counter: Counter): boolean => Object.keys(counterErrors(counter)).length === 0;
const counterErrors = (counter: Counter) => {
  const { name, document, email, phone } = validate({ ...EMPTY_FORM, ...counter });
  return Object.fromEntries(Object.entries({ name, document, email, phone }).filter(([, fault]) => fault));
};

/** Sends a sale until it is answered. Repeats carry the same key, so that it is created once. */
async function sell(amount: number, counter: Counter, description: string): Promise<Charge> {
  const body = toTransactionRequest({ ...EMPTY_FORM, ...counter, amount, description }, serverNow());
  const params = { header: { 'idempotency-key': crypto.randomUUID() } };
  for (;;) {
    try {
      return (await unwrap(api.POST('/v1/transactions', { params, body }))).data;
    } catch (error) {
      const isTransient =
        error instanceof ConnectionError ||
        (error instanceof ApiError && (error.status === 429 || error.status >= 500));
      if (!isTransient) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Sells at a counter: an amount, a Pix code on the whole screen, and the confirmation. */
export function PointOfSalePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { id } = useUser();
  const [isEditing, setEditing] = useState(false);
  const [counter, setCounter] = useLocalStorage<Counter>({
    key: `${COUNTER_KEY}${id}`,
    defaultValue: NO_COUNTER,
    getInitialValueInEffect: false,
  });
  const [amount, setAmount] = useState(0);
  const [sold, setSold] = useState<Charge>();
  const mutation = useMutation({
    mutationFn: () => sell(amount, counter, t('pointOfSale.description')),
    onSuccess: (charge) => {
      setSold(charge);
      void queryClient.invalidateQueries({ queryKey: ['charges', 'list'] });
    },
  });
  if (!may('transactions:create')) return <Text>{t('error.forbidden')}</Text>;
  if (isEditing || !isCompleted(counter)) {
    const save = (typed: Counter) => {
      setCounter(typed);
      setEditing(false);
    };
    return <CounterForm initial={counter} onSave={save} />;
  }
  if (sold !== undefined) {
    return (
      <Sale
        made={sold}
        onNext={() => {
          setAmount(0);
          setSold(undefined);
        }}
      />
    );
  }
  return (
    <Stack maw={420} mx="auto" gap="md">
      <PageTitle title={t('pointOfSale.title')} />
      <Text ta="center" fz={44} fw={700} className="figures" role="status" aria-label={t('common.amount')}>
        {formatMoney(amount)}
      </Text>
      <Keypad disabled={mutation.isPending} onChange={setAmount} />
      {amount > 0 && amount < MIN_CENTS ? (
        <Text size="sm" c="dimmed" ta="center" role="status">
          {t('create.needAmount', { amount: formatMoney(MIN_CENTS) })}
        </Text>
      ) : null}
      <ErrorAlert error={mutation.error} />
      {mutation.isPending ? (
        <Alert color="gray" role="status" icon={<Loader size="xs" aria-hidden />}>
          {t('pointOfSale.sending')}
        </Alert>
      ) : null}
      <Button
        size="xl"
        disabled={amount < MIN_CENTS}
        loading={mutation.isPending}
        onClick={() => mutation.mutate()}
      >
        {t('create.submitPix')}
      </Button>
      <Button variant="subtle" onClick={() => setEditing(true)} disabled={mutation.isPending}>
        {t('pointOfSale.changeCounter', { name: counter.name })}
      </Button>
    </Stack>
  );
}

function Keypad({
  disabled,
  onChange,
}: {
  readonly disabled: boolean;
  /** Called with what a key does to the cents typed before. */
  readonly onChange: (change: (cents: number) => number) => void;
}) {
  const { t } = useTranslation();
  const press = (key: string) =>
    onChange((cents) => {
      const next = Number(`${cents}${key}`);
      return next > MAX_CENTS ? cents : next;
    });
  return (
    <SimpleGrid cols={3} spacing="xs">
      {KEYS.map((key) => (
        <Button key={key} variant="default" h={64} fz={24} disabled={disabled} onClick={() => press(key)}>
          {key}
        </Button>
      ))}
      <Button
        variant="default"
        h={64}
        aria-label={t('pointOfSale.erase')}
        disabled={disabled}
        onClick={() => onChange((cents) => Math.floor(cents / 10))}
      >
        <Delete aria-hidden />
      </Button>
    </SimpleGrid>
  );
}

/** Asked once: the API needs a payer, who at a counter is not asked for a document. */
function CounterForm({
  initial,
  onSave,
}: {
  readonly initial: Counter;
  readonly onSave: (counter: Counter) => void;
}) {
  const { t } = useTranslation();
  const form = useForm<Counter>({
    initialValues: initial,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(counterErrors(values)).map(([name, fault]) => [
          name,
          fault && t(`create.${fault}`, { amount: formatMoney(MIN_CENTS) }),
        ]),
      ),
  });
  return (
    <form noValidate onSubmit={form.onSubmit(onSave)}>
      <Stack maw={420} mx="auto">
        <PageTitle title={t('pointOfSale.title')} intro={t('pointOfSale.counterIntro')} />
        <TextInput
          data-autofocus
          label={t('pointOfSale.counterName')}
          maxLength={255}
          {...REQUIRED}
          {...form.getInputProps('name')}
        />
        <DocumentInput label={t('create.document')} {...REQUIRED} {...form.getInputProps('document')} />
        <TextInput label={t('create.email')} type="email" {...REQUIRED} {...form.getInputProps('email')} />
        <TextInput label={t('create.phone')} inputMode="tel" {...REQUIRED} {...form.getInputProps('phone')} />
        <Button type="submit" size="md">
          {t('common.save')}
        </Button>
      </Stack>
    </form>
  );
}

/**
 * While an element covers the screen, nothing below it can be reached, and its heading has the
 * focus.
 */
function coverScreen(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  focusFirst(element);
  const below = [...document.querySelectorAll<HTMLElement>('#root header, #root nav, #root footer')];
  for (const part of below) part.inert = true;
  return () => {
    for (const part of below) part.inert = false;
  };
}

/** Shows the code on the whole screen until it is paid. Polls, independent of live updates. */
function Sale({ made, onNext }: { readonly made: Charge; readonly onNext: () => void }) {
  const { t } = useTranslation();
  const { data: charge = made } = useQuery({
    ...one(made.id),
    placeholderData: made,
    refetchInterval: POLL_MS,
  });
  const { pix, status } = charge;
  const isPaid = status === 'PAID';
  const title = isInReview(charge)
    ? t('chargeStatus.IN_REVIEW.label')
    : isOpen(status)
      ? t('create.donePix')
      : t('pointOfSale.ended');
  const reason = isOpen(status) ? null : furtherReason(charge.statusReason);
  return (
    <div className="whole-screen" ref={coverScreen}>
      <Stack align="center" gap="md" p="md">
        <ConnectionNotice />
        {/* The same elements in every state: the focus stays, and a screen reader says the change. */}
        <Stack align="center" role="status">
          {isPaid ? (
            <ThemeIcon size={120} radius="xl" aria-hidden>
              <Check size={72} />
            </ThemeIcon>
          ) : null}
          <Title order={1} size={isPaid ? 'h1' : 'h3'} ta="center">
            {isPaid ? t('pointOfSale.paid') : title}
          </Title>
          {isInReview(charge) ? <Text ta="center">{t('chargeStatus.IN_REVIEW.description')}</Text> : null}
          {reason === null ? null : <Text ta="center">{translateReason(reason)}</Text>}
        </Stack>
        <Text fz={36} fw={700} className="figures">
          {formatMoney(charge.amount)}
        </Text>
        {pix === null || !isOpen(status) ? null : (
          <>
            <Center>
              <Image
                className="qr"
                src={toLocalPath(pix.qrcodeUrl)}
                alt={t('charges.qr', { amount: formatMoney(charge.amount) })}
                w={`min(80vw, 60dvh, ${QR_PX}px)`}
                p={8}
              />
            </Center>
            <Text size="sm" c="dimmed">
              {t('pointOfSale.until', { when: formatDateTime(pix.expirationDate) })}
            </Text>
          </>
        )}
        <SandboxActions charge={charge} />
        <Button size="lg" variant={isOpen(status) ? 'default' : 'filled'} onClick={onNext}>
          {t('pointOfSale.next')}
        </Button>
      </Stack>
    </div>
  );
}
