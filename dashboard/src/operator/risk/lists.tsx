import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ListX, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { LIST_KINDS, type ListKind } from '../../../../src/payments/risk/kinds.ts';
import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { createdColumn } from '../../components/columns.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { useFieldErrors } from '../../components/field-errors.ts';
import { EmptyState, ErrorAlert, notify } from '../../components/feedback.tsx';
import { refresh } from '../queries.ts';
import { riskList, type RiskListEntry } from './queries.ts';

/** The blocked and trusted values, one list at a time. */
export function Lists({
  chosen,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly onChoose: (kind: ListKind) => void;
}): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const kind = LIST_KINDS.find((one) => one === chosen) ?? 'blocked-documents';
  const query = useQuery(riskList(kind));
  const [removing, setRemoving] = useState<RiskListEntry>();
  const columns = useColumns(setRemoving);
  return (
    <Stack>
      <Select
        maw={340}
        label={t('operator.riskLists.list')}
        data={LIST_KINDS.map((value) => ({ value, label: t(`operator.riskLists.kinds.${value}`) }))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => onChoose(LIST_KINDS.find((one) => one === next) ?? kind)}
      />
      {may('operator:write') ? <Add kind={kind} /> : null}
      <CursorTable
        label={t(`operator.riskLists.kinds.${kind}`)}
        query={query}
        columns={columns}
        onPage={() => undefined}
        empty={
          <EmptyState
            icon={<ListX />}
            title={t('operator.riskLists.emptyTitle')}
            hint={t('operator.riskLists.emptyHint')}
          />
        }
      />
      <Confirm
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('operator.riskLists.removeTitle')}
        message={t('operator.riskLists.removeMeans', { value: removing?.value ?? '' })}
        action={t('common.delete')}
        done={t('operator.riskLists.removed')}
        danger
        run={async () => {
          const params = { path: { kind }, query: { value: removing?.fingerprint ?? '' } };
          await unwrap(api.DELETE('/v1/admin/risk-lists/{kind}', { params }));
          await refresh('risk-lists', 'audit');
        }}
      />
    </Stack>
  );
}

function useColumns(onRemove: (entry: RiskListEntry) => void): readonly Column<RiskListEntry>[] {
  const { t } = useTranslation();
  const may = useMay();
  return [
    {
      key: 'value',
      header: t('operator.riskLists.value'),
      phone: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" className="whole">
            {row.value}
          </Text>
          {row.note === null ? null : (
            <Text size="xs" c="dimmed" className="whole">
              {row.note}
            </Text>
          )}
        </Stack>
      ),
    },
    createdColumn(t),
    {
      key: 'remove',
      header: '',
      right: true,
      phone: true,
      cell: (row) =>
        may('operator:write') ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('operator.riskLists.remove', { value: row.value })}
            onClick={() => onRemove(row)}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        ) : null,
    },
  ];
}

/** The fields of a new item, and its request. */
function useNewItem(kind: ListKind) {
  const { t } = useTranslation();
  const [value, setValue] = useState('');
  const [note, setNote] = useState('');
  const mutation = useMutation({
    mutationFn: async (list: ListKind) =>
      unwrap(
        api.POST('/v1/admin/risk-lists/{kind}', {
          params: { path: { kind: list } },
          body: { value: value.trim(), note: note.trim() === '' ? null : note.trim() },
        }),
      ),
    onSuccess: async () => {
      notify(t('operator.riskLists.added'));
      setValue('');
      setNote('');
      await refresh('risk-lists', 'audit');
    },
  });
  // What one list refuses may be right for another.
  const error = mutation.variables === kind ? mutation.error : null;
  const { errors, clear } = useFieldErrors(error, ['value', 'note']);
  return { value, setValue, note, setNote, mutation, error, errors, clear };
}

function Add({ kind }: { readonly kind: ListKind }): ReactNode {
  const { t } = useTranslation();
  const { value, setValue, note, setNote, mutation, error, errors, clear } = useNewItem(kind);
  return (
    <Paper withBorder p="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate(kind);
        }}
      >
        <Stack gap="sm">
          <Group align="flex-start" gap="sm">
            <TextInput
              flex={1}
              miw={200}
              label={t('operator.riskLists.value')}
              description={t('operator.riskLists.valueHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="off"
              maxLength={320}
              value={value}
              error={errors['value']}
              onChange={(event) => {
                setValue(event.currentTarget.value);
                clear('value');
              }}
            />
            <TextInput
              flex={1}
              miw={200}
              label={t('operator.riskLists.note')}
              description={t('operator.riskLists.noteHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={500}
              value={note}
              error={errors['note']}
              onChange={(event) => {
                setNote(event.currentTarget.value);
                clear('note');
              }}
            />
            <Button type="submit" mt={24} disabled={value.trim() === ''} loading={mutation.isPending}>
              {t('operator.riskLists.add')}
            </Button>
          </Group>
          {Object.keys(errors).length === 0 ? <ErrorAlert error={error} /> : null}
        </Stack>
      </form>
    </Paper>
  );
}
