import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CirclePlus, Link as LinkIcon, ReceiptText } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../api/client.ts';
import { useMay } from '../api/permissions.ts';
import { charges, queryClient } from '../api/queries.ts';
import { compact } from '../app/search.ts';
import { chargeColumns } from '../charges/columns.tsx';
import { Confirm } from '../components/confirm.tsx';
import { CursorTable } from '../components/cursor-table.tsx';
import { DescriptionItem, DescriptionList } from '../components/description-list.tsx';
import { EmptyState, ErrorAlert, LoadingSkeleton, notify, PageTitle } from '../components/feedback.tsx';
import { useUpdateSearch } from '../components/listing.tsx';
import { mailtoUrl } from '../components/mailto.ts';
import { DateTime, EmailAddress, Id } from '../components/values.tsx';
import { formatDocument, formatPhone } from '../i18n/format.ts';
import { cardLabel } from '../../../src/formats/card/brand-names.ts';
import { CustomerDialog } from './form-dialog.tsx';
import { customer as one, savedCards, updateCustomer, type Customer, type SavedCard } from './queries.ts';

const page = getRouteApi('/customers/$id');
const TAKE = 20;

export function CustomerPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = page.useParams();
  const query = useQuery(one(id));
  return (
    <Stack>
      <Anchor component={Link} to="/customers" activeOptions={{ exact: true }} size="sm">
        ← {t('customers.title')}
      </Anchor>
      {query.isError && query.data === undefined ? (
        <ErrorAlert error={query.error} retry={query.refetch} />
      ) : null}
      {query.isPending ? <LoadingSkeleton count={8} /> : null}
      {query.data === undefined ? null : <CustomerDetail customer={query.data} />}
    </Stack>
  );
}

function CustomerDetail({ customer }: { readonly customer: Customer }) {
  return (
    <>
      <PageTitle title={customer.name}>
        <CustomerActions customer={customer} />
      </PageTitle>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Contact customer={customer} />
        <Stack>
          <Notes key={customer.notes} customer={customer} />
          <Cards customerId={customer.id} />
        </Stack>
      </SimpleGrid>
      <Charges customerId={customer.id} />
    </>
  );
}

function CustomerActions({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = page.useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const remove = async () => {
    await unwrap(api.DELETE('/v1/customers/{id}', { params: { path: { id: customer.id } } }));
    await navigate({ to: '/customers' });
    queryClient.removeQueries({ queryKey: one(customer.id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ['customers'] });
  };
  return (
    <>
      {may('transactions:create') ? (
        <Button
          component={Link}
          to={`/charges/new?customerId=${customer.id}`}
          leftSection={<CirclePlus size={16} aria-hidden />}
        >
          {t('customers.charge')}
        </Button>
      ) : null}
      {may('payment-links:write') ? (
        <Button
          component={Link}
          variant="default"
          to={`/links/new?customerId=${customer.id}`}
          leftSection={<LinkIcon size={16} aria-hidden />}
        >
          {t('customers.link')}
        </Button>
      ) : null}
      {may('customers:write') ? (
        <>
          <Button variant="default" onClick={() => setOpen('edit')}>
            {t('customers.edit')}
          </Button>
          <Button variant="default" onClick={() => setOpen('delete')}>
            {t('common.delete')}
          </Button>
        </>
      ) : null}
      <CustomerDialog
        // Starts with what is saved each time.
        key={String(open === 'edit')}
        saved={customer}
        opened={open === 'edit'}
        onClose={close}
        onSaved={close}
      />
      <Confirm
        opened={open === 'delete'}
        onClose={close}
        title={t('customers.deleteTitle', { name: customer.name })}
        message={t('customers.deleteErases')}
        action={t('customers.delete')}
        done={t('customers.deleted')}
        danger
        run={remove}
      >
        <Text>{t('customers.deleteKeeps')}</Text>
      </Confirm>
    </>
  );
}

/** The parts that are known, between marks. */
const joined = (parts: readonly (string | null | undefined)[], mark: string) =>
  parts.filter((part) => part !== undefined && part !== null && part !== '').join(mark);

function addressLines({ address }: Customer): readonly string[] {
  if (address === null) return [];
  const { street, number, complement, district, city, state, postalCode } = address;
  return [
    joined([street, number, complement], ', '),
    joined([district, joined([city, state], '/'), postalCode], ', '),
  ].filter((line) => line !== '');
}

function Contact({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation();
  const address = addressLines(customer);
  return (
    <DescriptionList title={t('customers.contact')}>
      <DescriptionItem name={t('customers.email')}>
        <Anchor size="sm" href={mailtoUrl(customer.email)} underline="always">
          <EmailAddress of={customer.email} />
        </Anchor>
      </DescriptionItem>
      <DescriptionItem name={t('charges.phone')}>
        <Anchor size="sm" href={`tel:${customer.phone}`} underline="always" className="figures">
          {formatPhone(customer.phone)}
        </Anchor>
      </DescriptionItem>
      <DescriptionItem name={customer.documentType}>{formatDocument(customer.document)}</DescriptionItem>
      {address.length === 0 ? null : (
        <DescriptionItem name={t('customers.address')}>
          {address.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </DescriptionItem>
      )}
      {customer.externalRef === null ? null : (
        <DescriptionItem name={t('customers.externalRef')}>{customer.externalRef}</DescriptionItem>
      )}
      <DescriptionItem name={t('customers.since')}>
        <DateTime at={customer.createdAt} />
      </DescriptionItem>
      <DescriptionItem name={t('common.id')}>
        <Id id={customer.id} />
      </DescriptionItem>
    </DescriptionList>
  );
}

function Notes({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation();
  const mayWrite = useMay()('customers:write');
  const saved = customer.notes ?? '';
  const [text, setText] = useState(saved);
  const mutation = useMutation({
    mutationFn: () => updateCustomer(customer.id, { notes: text.trim() === '' ? null : text.trim() }),
    onSuccess: (updated) => {
      queryClient.setQueryData(one(customer.id).queryKey, updated);
      notify(t('customers.notesSaved'));
    },
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t('customers.notes')}
        </Title>
        {mayWrite ? (
          <Textarea
            aria-label={t('customers.notes')}
            description={t('customers.notesHint')}
            autosize
            minRows={3}
            maxRows={12}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm" className="wrapped">
            {saved === '' ? t('customers.noNotes') : saved}
          </Text>
        )}
        <ErrorAlert error={mutation.error} />
        {mayWrite && text.trim() !== saved ? (
          <Group>
            <Button
              size="sm"
              variant="default"
              loading={mutation.isPending}
              onClick={() => mutation.mutate()}
            >
              {t('customers.saveNotes')}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Paper>
  );
}

function Cards({ customerId }: { readonly customerId: string }) {
  const { t } = useTranslation();
  const mayWrite = useMay()('customers:write');
  const query = useQuery(savedCards(customerId));
  const [leaving, setLeaving] = useState<SavedCard>();
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {t('customers.cards')}
        </Title>
        {query.isError ? <ErrorAlert error={query.error} retry={query.refetch} /> : null}
        {query.data?.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('customers.noCards')}
          </Text>
        ) : null}
        {query.data?.map((card) => (
          <Group key={card.id} justify="space-between" wrap="nowrap">
            <Text size="sm">
              <b>{cardLabel(card)}</b>
              {' · '}
              {t('customers.cardExpires', {
                month: String(card.expirationMonth).padStart(2, '0'),
                year: card.expirationYear,
              })}
            </Text>
            {mayWrite ? (
              <Button
                size="xs"
                variant="default"
                style={{ flexShrink: 0 }}
                aria-label={t('customers.deleteCard', { card: cardLabel(card) })}
                onClick={() => setLeaving(card)}
              >
                {t('common.delete')}
              </Button>
            ) : null}
          </Group>
        ))}
      </Stack>
      <Confirm
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('customers.deleteCardTitle', { card: leaving === undefined ? '' : cardLabel(leaving) })}
        message={t('customers.deleteCardMeans')}
        action={t('common.delete')}
        done={t('customers.cardDeleted')}
        danger
        run={async () => {
          if (leaving === undefined) return;
          await unwrap(api.DELETE('/v1/card-tokens/{id}', { params: { path: { id: leaving.id } } }));
          await queryClient.invalidateQueries({ queryKey: savedCards(customerId).queryKey });
        }}
      />
    </Paper>
  );
}

function Charges({ customerId }: { readonly customerId: string }) {
  const { t } = useTranslation();
  const { cursor } = page.useSearch();
  const navigate = page.useNavigate();
  const go = useUpdateSearch();
  const list = useQuery(charges(compact({ customerId, cursor, take: TAKE })));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('customers.charges')}
      </Title>
      <CursorTable
        label={t('customers.charges')}
        query={list}
        columns={chargeColumns(t)}
        onOpen={({ id }) => void navigate({ to: '/charges/$id', params: { id } })}
        onPage={(next) => go({}, next)}
        empty={
          <Paper withBorder>
            <EmptyState
              icon={<ReceiptText />}
              title={t('customers.noCharges')}
              hint={t('customers.noChargesHint')}
            />
          </Paper>
        }
      />
    </Stack>
  );
}
