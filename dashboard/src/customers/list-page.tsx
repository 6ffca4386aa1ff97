import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouterState } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { CirclePlus, Contact, SearchX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { CSV_COLUMNS } from '../../../src/payments/customers/csv-columns.ts';
import { SAMPLE_TRANSACTION } from '../../../src/payments/transactions/sample-request.ts';
import { useMay } from '../api/permissions.ts';
import { compact } from '../app/search.ts';
import { useSampleCall } from '../charges/sample.ts';
import { createdColumn } from '../components/columns.tsx';
import { CursorTable, useSelection, type Column } from '../components/cursor-table.tsx';
import { EmptyState } from '../components/feedback.tsx';
import { Listing } from '../components/listing.tsx';
import { SearchBox } from '../components/search-box.tsx';
import { EmailAddress } from '../components/values.tsx';
import { useColumnChoice } from '../components/views.tsx';
import { formatDocument, formatPhone } from '../i18n/format.ts';
import { CustomerDialog } from './form-dialog.tsx';
import { customerLookup, customers, type Customer } from './queries.ts';

const page = getRouteApi('/customers');
const TAKE = 20;

export function CustomersPage(): ReactNode {
  const { t } = useTranslation();
  const { cursor } = page.useSearch();
  const navigate = page.useNavigate();
  // Kept in the history state and not in the URL, because it may hold names and documents.
  const text = useRouterState({ select: ({ location }) => location.state.text });
  const list = useQuery({
    ...customers(compact({ cursor, take: TAKE })),
    enabled: text === undefined,
  });
  const { columns, choice } = useColumnChoice('customers', customerColumns(t));
  const selection = useSelection<Customer>(({ name }) => name);
  const command = useSampleCall('customers', SAMPLE_TRANSACTION.customer);
  const open = ({ id }: Customer) => void navigate({ to: '/customers/$id', params: { id } });
  return (
    <Listing
      title={t('customers.title')}
      intro={t('customers.intro')}
      actions={<NewCustomerButton />}
      search={{ cursor }}
      file={{
        path: '/v1/customers',
        name: t('customers.file'),
        selected: { rows: selection.rows, columns: CSV_COLUMNS },
      }}
      query={list}
      columns={columns}
      choice={choice}
      selection={selection}
      onOpen={open}
      empty={{
        icon: <Contact />,
        title: t('customers.emptyTitle'),
        hint: t('customers.emptyHint'),
        command,
        action: <NewCustomerButton />,
      }}
      lookup={{
        box: (
          <SearchBox
            label={t('customers.search')}
            placeholder={t('customers.searchHint')}
            clear={t('charges.clearSearch')}
            value={text}
            onChange={(next) =>
              void navigate({ to: '/customers', search: {}, state: () => ({ text: next }) })
            }
          />
        ),
        results: text === undefined ? null : <FoundCustomers text={text} onOpen={open} />,
      }}
    />
  );
}

const customerColumns = (t: TFunction): readonly Column<Customer>[] => [
  {
    key: 'name',
    header: t('customers.one'),
    phone: true,
    cell: (row) => (
      <>
        <Text size="sm" fw={600} lineClamp={2} className="whole">
          {row.name}
        </Text>
        <Text size="xs" c="dimmed" className="whole">
          <EmailAddress of={row.email} />
        </Text>
      </>
    ),
  },
  {
    key: 'document',
    header: t('customers.document'),
    phone: true,
    cell: (row) => (
      <Text size="sm" className="figures">
        {formatDocument(row.document)}
      </Text>
    ),
  },
  {
    key: 'phone',
    header: t('charges.phone'),
    cell: (row) => (
      <Text size="sm" className="figures">
        {formatPhone(row.phone)}
      </Text>
    ),
  },
  { key: 'reference', header: t('customers.reference'), cell: (row) => row.externalRef ?? '' },
  createdColumn(t, { header: t('customers.since') }),
];

function FoundCustomers({
  text,
  onOpen,
}: {
  readonly text: string;
  readonly onOpen: (customer: Customer) => void;
}) {
  const { t } = useTranslation();
  const query = useQuery({
    ...customerLookup(text),
    select: (found) => ({ data: found, count: found.length, nextCursor: null }),
  });
  return (
    <CursorTable
      label={t('customers.title')}
      query={query}
      columns={customerColumns(t)}
      onOpen={onOpen}
      onPage={() => undefined}
      empty={
        <EmptyState
          icon={<SearchX />}
          title={t('customers.foundNothing', { text })}
          hint={t('customers.foundNothingHint')}
        />
      }
    />
  );
}

function NewCustomerButton() {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = page.useNavigate();
  const [opened, setOpened] = useState(false);
  if (!may('customers:write')) return null;
  return (
    <>
      <Button leftSection={<CirclePlus size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {t('customers.new')}
      </Button>
      <CustomerDialog
        // Starts empty each time.
        key={String(opened)}
        opened={opened}
        onClose={() => setOpened(false)}
        onSaved={({ id }) => void navigate({ to: '/customers/$id', params: { id } })}
      />
    </>
  );
}
