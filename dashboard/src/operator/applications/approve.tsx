import {
  Button,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import type { Fees } from '../../api/queries.ts';
import { ErrorAlert, LoadingSkeleton } from '../../components/feedback.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { fieldErrors } from '../../i18n/errors.ts';
import type { Application } from '../queries.ts';
import { seller as sellerQuery, sellerFees, type Seller } from '../sellers/queries.ts';
import { PlanFields } from '../sellers/fee-editor.tsx';

const NUMBERS = ['requestsPerMinute', 'creationsPerMinute', 'boletoDelayDays', 'cardDelayDays'] as const;
const AMOUNTS = ['chargebackFee'] as const;
const LIMITS = [...NUMBERS, ...AMOUNTS];
type Limit = (typeof LIMITS)[number];
type Limits = Readonly<Record<Limit, number | ''>>;

interface ApproveProps {
  readonly application: Application;
  readonly onApproved: (approved: Application, message: string) => Promise<void>;
}

/** The fees and limits with which a seller becomes active. */
export function Approve(props: ApproveProps): ReactNode {
  const { id } = props.application;
  const seller = useQuery(sellerQuery(id));
  const fees = useQuery(sellerFees(id));
  const error = seller.error ?? fees.error;
  if (seller.data !== undefined && fees.data !== undefined)
    return <Form seller={seller.data} fees={fees.data} {...props} />;
  return error === null ? <LoadingSkeleton /> : <ErrorAlert error={error} />;
}

interface FormProps extends ApproveProps {
  readonly seller: Seller;
  readonly fees: Fees;
}

function Form(props: FormProps): ReactNode {
  const { t } = useTranslation();
  const approval = useApproval(props);
  const { errors, mutation } = approval;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutation.mutate();
      }}
    >
      <Paper withBorder p="md">
        <Stack>
          <div>
            <Title order={2} size="h4">
              {t('operator.applications.approveTitle', { name: props.application.name })}
            </Title>
            <Text size="sm" c="dimmed">
              {t('operator.applications.approveHint')}
            </Text>
          </div>
          <LimitFields limits={approval.limits} errors={errors} onChange={approval.setLimit} />
          <SegmentedControl
            aria-label={t('operator.applications.fees')}
            data={[
              { value: 'default', label: t('operator.applications.defaultFees') },
              { value: 'own', label: t('operator.applications.ownFees') },
            ]}
            value={approval.hasOwnFees ? 'own' : 'default'}
            onChange={(next) => approval.setOwnFees(next === 'own')}
          />
          {approval.hasOwnFees ? (
            <PlanFields plan={approval.plan} readOnly={false} onChange={approval.setPlan} />
          ) : null}
          <Textarea
            label={t('operator.applications.welcome')}
            autosize
            minRows={2}
            maxLength={2000}
            value={approval.message}
            onChange={(event) => approval.setMessage(event.currentTarget.value)}
          />
          {Object.keys(errors).length === 0 ? <ErrorAlert error={mutation.error} /> : null}
          <Group>
            <Button type="submit" loading={mutation.isPending}>
              {t('operator.applications.approve')}
            </Button>
          </Group>
        </Stack>
      </Paper>
    </form>
  );
}

/** The limits, fees and message of an approval, and its request. */
function useApproval({ seller, fees, application, onApproved }: FormProps) {
  const { t } = useTranslation();
  const [limits, setLimits] = useState<Limits>(seller);
  const [plan, setPlan] = useState(fees);
  const [hasOwnFees, setOwnFees] = useState(false);
  const [message, setMessage] = useState('');
  const mutation = useMutation({
    mutationFn: async () => {
      const changed = LIMITS.filter((name) => limits[name] !== '' && limits[name] !== seller[name]);
      const { data } = await unwrap(
        api.POST('/v1/admin/applications/{id}/approve', {
          params: { path: { id: application.id } },
          body: {
            limits: Object.fromEntries(changed.map((name) => [name, Number(limits[name])])),
            ...(hasOwnFees ? { fees: plan } : {}),
            ...(message.trim() === '' ? {} : { message: message.trim() }),
          },
        }),
      );
      await onApproved(data, t('operator.applications.approved'));
    },
  });
  const errors = fieldErrors(
    mutation.error,
    LIMITS.map((name) => `limits.${name}`),
  );
  const setLimit = (name: Limit, value: number | '') => setLimits((before) => ({ ...before, [name]: value }));
  return {
    limits,
    setLimit,
    plan,
    setPlan,
    hasOwnFees,
    setOwnFees,
    message,
    setMessage,
    mutation,
    errors,
  };
}

function LimitFields({
  limits,
  errors,
  onChange,
}: {
  readonly limits: Limits;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (name: Limit, value: number | '') => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
      {NUMBERS.map((name) => (
        <NumberInput
          key={name}
          label={t(`operator.limits.${name}`)}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          value={limits[name]}
          error={errors[`limits.${name}`]}
          onChange={(value) => onChange(name, typeof value === 'number' ? value : '')}
        />
      ))}
      {AMOUNTS.map((name) => (
        <MoneyInput
          key={name}
          label={t(`operator.limits.${name}`)}
          value={Number(limits[name])}
          error={errors[`limits.${name}`]}
          onChange={(cents) => onChange(name, cents)}
        />
      ))}
    </SimpleGrid>
  );
}
