import {
  Accordion,
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { HandCoins } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../api/permissions.ts';
import { charges, queryClient } from '../api/queries.ts';
import { compact } from '../app/search.ts';
import { chargeColumns } from '../charges/columns.tsx';
import { Confirm } from '../components/confirm.tsx';
import { CountBars } from '../components/count-bars.tsx';
import { CursorTable } from '../components/cursor-table.tsx';
import { DescriptionItem, DescriptionList } from '../components/description-list.tsx';
import {
  EmptyState,
  ErrorAlert,
  LoadingSkeleton,
  notify,
  notifyError,
  PageTitle,
} from '../components/feedback.tsx';
import { useUpdateSearch } from '../components/listing.tsx';
import {
  CopyBlock,
  DateTime,
  Money,
  RelativeTime,
  Status,
  StatusDescription,
} from '../components/values.tsx';
import { formatNumber } from '../i18n/format.ts';
import { LinkAmount } from './amount.tsx';
import { EditLinkDialog } from './edit-dialog.tsx';
import { embedSnippet } from './embed-snippet.ts';
import { link as one, updateLink, type PaymentLink } from './queries.ts';
import { ShareLink } from './share.tsx';

const page = getRouteApi('/links/$id');
const TAKE = 20;
const PAYERS = {
  paid: 'PAID,DISPUTE,REFUNDED,CHARGEDBACK',
  unpaid: 'PENDING,WAITING_PAYMENT,PROCESSING,AUTHORIZED,FAILED,REFUSED',
} as const;

export function LinkPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  const query = useQuery(one(id));
  return (
    <Stack>
      <Anchor component={Link} to="/links" activeOptions={{ exact: true }} size="sm">
        ← {t('links.title')}
      </Anchor>
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton count={8} /> : null}
      {query.data === undefined ? null : <LinkDetail link={query.data} />}
    </Stack>
  );
}

function LinkDetail({ link }: { readonly link: PaymentLink }) {
  const { t } = useTranslation();
  const { paymentsCount: count, maxPayments: max } = link;
  return (
    <>
      <PageTitle title={link.title}>
        <LinkActions link={link} />
      </PageTitle>
      <Group gap="sm">
        <Status kind="link" of={link.status} size="lg" />
        <LinkAmount link={link} size="lg" fw={600} />
      </Group>
      <StatusDescription kind="link" of={link.status} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <ShareLink link={link} />
        <Stack>
          <SimpleGrid cols={2}>
            <Figure name={t('links.received')}>
              <Money cents={link.paidAmount} fz={{ base: 22, sm: 28 }} fw={700} />
            </Figure>
            <Figure name={t('links.payments')}>
              <Text fz={{ base: 22, sm: 28 }} fw={700}>
                {max === null ? formatNumber(count) : t('links.ofLimit', { count, max })}
              </Text>
            </Figure>
          </SimpleGrid>
          <Funnel linkId={link.id} />
        </Stack>
      </SimpleGrid>
      <Payers linkId={link.id} />
      <Settings link={link} />
    </>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      {children}
    </Paper>
  );
}

function LinkActions({ link }: { readonly link: PaymentLink }) {
  const { t } = useTranslation();
  const may = useMay();
  const [open, setOpen] = useState<'edit' | 'deactivate'>();
  if (!may('payment-links:write')) return null;
  const close = () => setOpen(undefined);
  const setStatus = async (status: 'ACTIVE' | 'INACTIVE') => {
    const updated = await updateLink(link.id, { status });
    queryClient.setQueryData(one(link.id).queryKey, updated);
    void queryClient.invalidateQueries({ queryKey: ['links', 'list'] });
  };
  const activate = () => setStatus('ACTIVE').then(() => notify(t('links.activated')), notifyError);
  return (
    <>
      <Button variant="default" onClick={() => setOpen('edit')}>
        {t('links.edit')}
      </Button>
      {link.status === 'ACTIVE' ? (
        <Button variant="default" onClick={() => setOpen('deactivate')}>
          {t('links.deactivate')}
        </Button>
      ) : null}
      {link.status === 'INACTIVE' ? (
        <Button variant="default" onClick={() => void activate()}>
          {t('links.activate')}
        </Button>
      ) : null}
      <EditLinkDialog
        // Starts with what is saved each time.
        key={String(open === 'edit')}
        link={link}
        opened={open === 'edit'}
        onClose={close}
      />
      <Confirm
        opened={open === 'deactivate'}
        onClose={close}
        title={t('links.deactivateTitle', { title: link.title })}
        message={t('links.deactivateMeans')}
        action={t('links.deactivate')}
        done={t('links.deactivated')}
        run={() => setStatus('INACTIVE')}
      />
    </>
  );
}

/** How many charges the link made, and what became of them. */
function Funnel({ linkId }: { readonly linkId: string }) {
  const { t } = useTranslation();
  const steps = [
    { name: t('links.steps.created'), color: 'blue', filter: {} },
    { name: t('links.steps.paid'), color: 'green', filter: { status: PAYERS.paid } },
    { name: t('links.steps.refunded'), color: 'gray', filter: { status: 'REFUNDED' } },
  ];
  const counts = useQueries({
    queries: steps.map(({ filter }) => charges({ paymentLinkId: linkId, ...filter, take: 1 })),
  });
  return (
    <CountBars
      title={t('links.funnel')}
      of="first"
      cols={1}
      bars={steps.map(({ name, color, filter }, index) => ({
        name,
        color,
        to: `/charges?${new URLSearchParams({ paymentLinkId: linkId, ...filter }).toString()}`,
        page: counts[index]?.data,
      }))}
    />
  );
}

/** The charges of the link: those that were paid, or all others. */
function Payers({ linkId }: { readonly linkId: string }) {
  const { t } = useTranslation();
  const { payers, cursor } = page.useSearch();
  const navigate = page.useNavigate();
  const go = useUpdateSearch();
  const shown = payers === 'unpaid' ? 'unpaid' : 'paid';
  const list = useQuery(
    charges(compact({ paymentLinkId: linkId, status: PAYERS[shown], cursor, take: TAKE })),
  );
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('links.whoPaid')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('links.whoPaid')}
          value={shown}
          onChange={(value) => go({ payers: value === 'paid' ? undefined : value })}
          data={[
            { value: 'paid', label: t('links.paid') },
            { value: 'unpaid', label: t('links.unpaid') },
          ]}
        />
      </Group>
      <CursorTable
        label={t('links.whoPaid')}
        query={list}
        columns={chargeColumns(t)}
        onOpen={({ id }) => void navigate({ to: '/charges/$id', params: { id } })}
        onPage={(next) => go({ payers }, next)}
        empty={
          <Paper withBorder>
            <EmptyState
              icon={<HandCoins />}
              title={t(`links.${shown}Empty`)}
              hint={t(`links.${shown}EmptyHint`)}
            />
          </Paper>
        }
      />
    </Stack>
  );
}

function Settings({ link }: { readonly link: PaymentLink }) {
  const { t } = useTranslation();
  const { description, expiresAt, externalRef, successUrl, customerId } = link;
  const snippet = embedSnippet(link.url.replace(/\/pay\/[^/]+$/, ''), link.code);
  return (
    <Accordion variant="contained" multiple>
      <Accordion.Item value="settings">
        <Accordion.Control>{t('links.settings')}</Accordion.Control>
        <Accordion.Panel>
          <DescriptionList>
            {description === null ? null : (
              <DescriptionItem name={t('links.description')}>{description}</DescriptionItem>
            )}
            <DescriptionItem name={t('links.methods')}>
              {link.methods.map((method) => t(`method.${method}`)).join(', ')}
            </DescriptionItem>
            {link.subscription === null ? null : (
              <DescriptionItem name={t('links.recurrence')}>
                {t(`subscriptions.interval.${link.subscription.interval}`)}
                {link.subscription.cycles === null
                  ? ''
                  : `, ${t('subscriptions.charged', { count: link.subscription.cycles })}`}
              </DescriptionItem>
            )}
            {link.subscription === null && link.methods.includes('CREDIT_CARD') ? (
              <DescriptionItem name={t('links.maxInstallments')}>{link.maxInstallments}x</DescriptionItem>
            ) : null}
            <DescriptionItem name={t('links.expiresAt')}>
              {expiresAt === null ? t('links.noExpiry') : <DateTime at={expiresAt} />}
            </DescriptionItem>
            {customerId === null ? null : (
              <DescriptionItem name={t('links.customer')}>
                <Anchor component={Link} to={`/customers/${customerId}`} size="sm" underline="always">
                  {t('customers.one')}
                </Anchor>
              </DescriptionItem>
            )}
            {externalRef === null ? null : (
              <DescriptionItem name={t('links.externalRef')}>{externalRef}</DescriptionItem>
            )}
            {successUrl === null ? null : (
              <DescriptionItem name={t('links.successUrl')}>{successUrl}</DescriptionItem>
            )}
            <DescriptionItem name={t('common.created')}>
              <DateTime at={link.createdAt} />
            </DescriptionItem>
            <DescriptionItem name={t('links.lastChange')}>
              <RelativeTime at={link.updatedAt} />
            </DescriptionItem>
          </DescriptionList>
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="embed">
        <Accordion.Control>{t('links.embed')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Text size="sm">{t('links.embedHint')}</Text>
            <CopyBlock value={snippet} label={t('links.embedCode')} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
