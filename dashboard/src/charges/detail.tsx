import {
  Accordion,
  Anchor,
  Box,
  Button,
  Code,
  Divider,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { brandName } from '../../../src/formats/card/brand-names.ts';
import { useMay } from '../api/permissions.ts';
import {
  charge as one,
  chargeTimeline,
  deliveries,
  isInReview,
  isOpen,
  webhooks,
  type Charge,
} from '../api/queries.ts';
import { DeliveryDetail } from '../developers/delivery.tsx';
import {
  CopyBlock,
  DateTime,
  Id,
  Money,
  RelativeTime,
  Status,
  StatusDescription,
} from '../components/values.tsx';
import { DetailHeading, ErrorAlert, LoadingSkeleton } from '../components/feedback.tsx';
import { mailtoUrl } from '../components/mailto.ts';
import { translateReason } from '../i18n/reasons.ts';
import { formatDate, formatMoney, formatPhone } from '../i18n/format.ts';
import { chargeOutcome, furtherReason } from '../i18n/statuses.ts';
import { ChargeActions, SandboxActions } from './actions.tsx';
import { BoletoCode } from './boleto.tsx';
import { PixCode, toLocalPath } from './pix-code.tsx';
import { ChargeTimeline } from './timeline.tsx';

/** Details of a charge. `panel` is the compact layout beside a list. */
export function ChargeDetail({ id, panel = false }: { readonly id: string; readonly panel?: boolean }) {
  const { t } = useTranslation();
  const query = useQuery(one(id));
  if (query.isError && query.data === undefined) {
    return <ErrorAlert error={query.error} retry={query.refetch} />;
  }
  if (query.data === undefined) return <LoadingSkeleton count={8} />;
  const charge = query.data;
  const reason = furtherReason(charge.statusReason);
  const columns = panel ? 1 : { base: 1, md: 2 };
  return (
    <Stack>
      <ChargeHeader charge={charge} panel={panel} />
      {reason === null ? null : (
        <Text size="sm">
          {t('common.reason')}: {translateReason(reason)}
        </Text>
      )}
      <ChargeActions charge={charge} />
      <SandboxActions charge={charge} />
      {charge.status === 'DISPUTE' ? (
        <Group>
          <Button size="sm" variant="light" component={Link} to={`/disputes?transactionId=${charge.id}`}>
            {t('charges.seeDispute')}
          </Button>
        </Group>
      ) : null}
      <SimpleGrid cols={columns}>
        <Stack>
          {isOpen(charge.status) && charge.pix !== null ? (
            <Part title={t('method.PIX')}>
              <PixCode charge={charge} size={200} />
            </Part>
          ) : null}
          {charge.boleto === null ? null : (
            <Part title={t('method.BOLETO')}>
              <BoletoCode charge={charge} />
            </Part>
          )}
          <Part title={t('charges.summary')}>
            <Breakdown charge={charge} />
          </Part>
          <Part title={t('charges.payment')}>
            <Payment charge={charge} />
          </Part>
          <Releases charge={charge} />
          <Part title={t('charges.payer')}>
            <Payer charge={charge} />
          </Part>
          <Part title={t('charges.items')}>
            <Items charge={charge} />
          </Part>
        </Stack>
        <Part title={t('charges.timeline')}>
          <ChargeTimeline charge={charge} />
        </Part>
      </SimpleGrid>
      <Deliveries recordId={charge.id} />
      <Metadata charge={charge} />
    </Stack>
  );
}

function ChargeHeader({ charge, panel }: { readonly charge: Charge; readonly panel: boolean }) {
  const { t } = useTranslation();
  const outcome = isInReview(charge)
    ? 'IN_REVIEW'
    : chargeOutcome(charge.method, charge.status, charge.statusReason, charge.refundedAmount);
  return (
    <Group justify="space-between" align="flex-start">
      <Stack gap={4}>
        <Group gap="sm">
          <DetailHeading page={!panel}>{formatMoney(charge.amount)}</DetailHeading>
          <Box role="status">
            <Status kind="charge" of={outcome} size="lg" />
          </Box>
        </Group>
        <StatusDescription kind="charge" of={outcome} />
        <Text c="dimmed" size="sm" component="div" className="whole">
          {t(`method.${charge.method}`)}
          {charge.installments !== null && charge.installments > 1 ? ` · ${charge.installments}x` : ''}
          {charge.description === null ? '' : ` · ${charge.description}`}
          {' · '}
          <RelativeTime at={charge.createdAt} />
        </Text>
        <Text size="sm" className="whole">
          {t('charges.payer')}: <b>{charge.customer.name}</b> · {charge.customer.email}
        </Text>
        {charge.externalRef === null ? null : (
          <Text size="sm" className="whole">
            {t('charges.orderRef')}: <b>{charge.externalRef}</b>
          </Text>
        )}
        <RelatedRecords charge={charge} />
        <Id id={charge.id} />
      </Stack>
      {panel ? (
        <Button size="xs" variant="default" component={Link} to={`/charges/${charge.id}`}>
          {t('charges.openPage')}
        </Button>
      ) : null}
    </Group>
  );
}

function RelatedRecords({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  return (
    <Group gap="md">
      {charge.customerId === null ? null : (
        <Anchor component={Link} to={`/customers/${charge.customerId}`} size="sm">
          {t('charges.openCustomer')}
        </Anchor>
      )}
      {charge.subscriptionId === null ? null : (
        <Anchor component={Link} to={`/subscriptions/${charge.subscriptionId}`} size="sm">
          {t('subscriptions.openSubscription')}
        </Anchor>
      )}
      {charge.paymentLinkId === null ? null : (
        <Anchor component={Link} to={`/links/${charge.paymentLinkId}`} size="sm">
          {t('charges.openLink')}
        </Anchor>
      )}
    </Group>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function Line({ name, cents, bold = false }: { name: string; cents: number; bold?: boolean }) {
  return (
    <Group justify="space-between">
      <Text size="sm" fw={bold ? 600 : 400}>
        {name}
      </Text>
      <Money cents={cents} balance={bold} size="sm" fw={bold ? 600 : 400} />
    </Group>
  );
}

function Breakdown({ charge }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  return (
    <Stack gap={6}>
      <Line name={t('common.amount')} cents={charge.amount} />
      <Line name={t('common.fee')} cents={-charge.feeAmount} />
      {charge.refundedAmount === 0 ? null : (
        <Line name={t('charges.refunded')} cents={-charge.refundedAmount} />
      )}
      {charge.refundingAmount === 0 ? null : (
        <Line name={t('charges.refunding')} cents={-charge.refundingAmount} />
      )}
      <Divider />
      <Line
        name={t('common.net')}
        cents={charge.netAmount - charge.refundedAmount - charge.refundingAmount}
        bold
      />
      {charge.paidAt === null ? null : (
        <Text size="sm" c="dimmed">
          {t('charges.paidAt')}: <DateTime at={charge.paidAt} />
        </Text>
      )}
    </Stack>
  );
}

/** Codes that a bank asks for, and the pages of the payer. */
function Payment({ charge: { pix, card, paymentUrl, paidAt } }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const payer = pix?.payer ?? null;
  const lines: readonly (readonly [name: string, value: string | null | undefined])[] = [
    [t('charges.paidBy'), [payer?.name, payer?.document].filter(Boolean).join(' · ')],
    [t('charges.paidByBank'), payer?.ispb],
    [
      t('charges.card'),
      card === null
        ? null
        : t('charges.cardNumber', { brand: brandName(card.brand), lastFour: card.lastFour }),
    ],
    [t('charges.authorizationCode'), card?.authorizationCode],
    [t('charges.nsu'), card?.nsu],
  ];
  const endToEndId = pix?.endToEndId ?? null;
  const page = toLocalPath(paymentUrl);
  const receipt = `/v1/public/payments/${page.slice(page.lastIndexOf('/') + 1)}/receipt.pdf`;
  return (
    <Stack gap="xs">
      {lines.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <Text key={name} size="sm" className="whole">
            {name}: <b>{value}</b>
          </Text>
        ),
      )}
      {endToEndId === null ? null : (
        <>
          <Text size="sm">{t('charges.endToEndId')}</Text>
          <CopyBlock value={endToEndId} label={t('charges.endToEndId')} />
        </>
      )}
      <Text size="sm">{t('charges.paymentPage')}</Text>
      <CopyBlock value={paymentUrl} label={t('charges.paymentPage')} />
      <Group gap="xs" className="no-print">
        <Button size="xs" variant="default" component="a" href={page} target="_blank">
          {t('charges.openPaymentPage')}
        </Button>
        {paidAt === null ? null : (
          <Button size="xs" variant="default" component="a" href={receipt} target="_blank">
            {t('charges.receipt')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** When the money of a boleto or a card payment becomes available. */
function Releases({ charge: { id, method } }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...chargeTimeline(id), enabled: method !== 'PIX' });
  if (data === undefined || data.releases.length === 0) return null;
  return (
    <Part title={t('charges.releases')}>
      <Table verticalSpacing={4} aria-label={t('charges.releases')}>
        <Table.Tbody>
          {data.releases.map(({ number, amount, status, availableAt }) => (
            <Table.Tr key={number}>
              <Table.Td pl={0}>
                <Text size="sm">{formatDate(availableAt)}</Text>
                {data.releases.length === 1 ? null : (
                  <Text size="xs" c="dimmed">
                    {t('charges.releaseOf', { number })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm">{t(`charges.releaseStatus.${status}`)}</Text>
              </Table.Td>
              <Table.Td ta="right" pr={0}>
                <Money cents={amount} size="sm" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  );
}

function Payer({ charge: { customer } }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  return (
    <Stack gap={4}>
      <Text fw={600} className="whole">
        {customer.name}
      </Text>
      <Anchor size="sm" href={mailtoUrl(customer.email)} underline="always" className="whole">
        {customer.email}
      </Anchor>
      <Text size="sm">
        {t('charges.phone')}: {formatPhone(customer.phone)}
      </Text>
      <Text size="sm">
        {customer.documentType}: {customer.document}
      </Text>
    </Stack>
  );
}

function Items({ charge: { items } }: { readonly charge: Charge }) {
  return (
    <Table>
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.id}>
            <Table.Td className="whole" pl={0}>
              {item.quantity} × {item.title}
            </Table.Td>
            <Table.Td ta="right" pr={0}>
              <Money cents={item.amount * item.quantity} size="sm" />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Webhook deliveries of this charge with their responses. */
function Deliveries({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  const may = useMay();
  const query = useQuery({ ...deliveries({ recordId, take: 20 }), enabled: may('webhooks:read') });
  const hooks = useQuery({ ...webhooks(), enabled: may('webhooks:read') });
  const rows = query.data?.data ?? [];
  const isNotified = hooks.data?.some(({ status }) => status === 'ACTIVE') === true;
  return (
    <Part title={t('charges.deliveries')}>
      {query.data !== undefined && rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(isNotified ? 'charges.noDeliveriesYet' : 'charges.noDeliveries')}
        </Text>
      ) : (
        <Accordion variant="separated">
          {rows.map((row) => (
            <Accordion.Item key={row.id} value={row.id}>
              <Accordion.Control>
                <Group gap="xs">
                  <Status kind="delivery" of={row.status} size="sm" />
                  <Text size="sm">{row.event}</Text>
                  <RelativeTime at={row.createdAt} size="xs" c="dimmed" />
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <DeliveryDetail id={row.id} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Part>
  );
}

function Metadata({ charge: { metadata } }: { readonly charge: Charge }) {
  const { t } = useTranslation();
  if (metadata === null || Object.keys(metadata).length === 0) return null;
  return (
    <Part title={t('charges.metadata')}>
      <Code block tabIndex={0}>
        {JSON.stringify(metadata, null, 2)}
      </Code>
    </Part>
  );
}
