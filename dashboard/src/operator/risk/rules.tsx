import { ActionIcon, Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { api, unwrap } from '../../api/client.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { CursorTable, type Column } from '../../components/cursor-table.tsx';
import { EmptyState, notifyError } from '../../components/feedback.tsx';
import { SellerLink } from '../components/seller-link.tsx';
import { refresh } from '../queries.ts';
import { riskRules, type RiskRule } from './queries.ts';
import { seller } from '../sellers/queries.ts';
import { RuleForm } from './rule-form.tsx';
import { ruleName, summarize } from './summary.ts';

const COLORS = { ALLOW: 'green', REVIEW: 'orange', REFUSE: 'red' } as const;

/** The rules in the order in which they decide. */
export function Rules(): ReactNode {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  const query = useQuery(riskRules());
  const [editing, setEditing] = useState<RiskRule | 'new'>();
  const [removing, setRemoving] = useState<RiskRule>();
  const columns = useColumns({ onEdit: setEditing, onRemove: setRemoving });
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex={1} miw={200}>
          {t('operator.risk.order')}
        </Text>
        {mayWrite ? <Button onClick={() => setEditing('new')}>{t('operator.risk.new')}</Button> : null}
      </Group>
      <CursorTable
        label={t('operator.risk.rules')}
        query={query}
        columns={columns}
        onPage={() => undefined}
        empty={
          <EmptyState
            icon={<ShieldCheck />}
            title={t('operator.risk.emptyTitle')}
            hint={t('operator.risk.emptyHint')}
          />
        }
      />
      <RuleForm
        key={editing === 'new' ? 'new' : (editing?.id ?? 'none')}
        about={editing}
        onClose={() => setEditing(undefined)}
      />
      <Confirm
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('operator.risk.removeTitle', { name: ruleName(removing?.name ?? '') })}
        message={t('operator.risk.removeMeans')}
        action={t('common.delete')}
        done={t('operator.risk.removed')}
        danger
        run={async () => {
          const path = { id: removing?.id ?? '' };
          await unwrap(api.DELETE('/v1/admin/risk-rules/{id}', { params: { path } }));
          await refresh('risk-rules', 'audit');
        }}
      />
    </Stack>
  );
}

const names = ({ name }: RiskRule) => ({ name: ruleName(name) });

interface RuleActions {
  readonly onEdit: (rule: RiskRule) => void;
  readonly onRemove: (rule: RiskRule) => void;
}

function useColumns(actions: RuleActions): readonly Column<RiskRule>[] {
  const { t } = useTranslation();
  const mayWrite = useMay()('operator:write');
  const change = useMutation({
    mutationFn: async ({
      id,
      ...body
    }: Pick<RiskRule, 'id'> & Partial<Pick<RiskRule, 'enabled' | 'position'>>) =>
      unwrap(api.PATCH('/v1/admin/risk-rules/{id}', { params: { path: { id } }, body })),
    onError: notifyError,
    onSettled: async () => refresh('risk-rules', 'audit'),
  });
  return [
    {
      key: 'rule',
      header: t('operator.risk.rule'),
      phone: true,
      grows: true,
      cell: (rule) => <RuleSummary rule={rule} />,
    },
    {
      key: 'action',
      header: t('operator.risk.action'),
      cell: (rule) => (
        <Badge color={COLORS[rule.action]} variant="light" tt="none">
          {t(`operator.risk.actions.${rule.action}`)}
        </Badge>
      ),
    },
    {
      key: 'enabled',
      header: t('operator.risk.enabled'),
      phone: true,
      cell: (rule) => (
        <Switch
          checked={rule.enabled}
          disabled={!mayWrite}
          aria-label={t('operator.risk.enable', names(rule))}
          onChange={(event) => change.mutate({ id: rule.id, enabled: event.currentTarget.checked })}
        />
      ),
    },
    {
      key: 'buttons',
      header: '',
      right: true,
      phone: true,
      cell: (rule) =>
        mayWrite ? (
          <RuleButtons
            rule={rule}
            onMove={(position) => change.mutate({ id: rule.id, position })}
            {...actions}
          />
        ) : null,
    },
  ];
}

function RuleSummary({ rule }: { readonly rule: RiskRule }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={2} align="flex-start">
      <Text size="sm" fw={600} className="whole">
        {rule.position}. {ruleName(rule.name)}
      </Text>
      <Text size="xs" c="dimmed" className="whole">
        {summarize(rule.when)}
      </Text>
      {rule.sellerId === null ? null : <OfSeller id={rule.sellerId} />}
      <Badge color={COLORS[rule.action]} variant="light" tt="none" hiddenFrom="sm">
        {t(`operator.risk.actions.${rule.action}`)}
      </Badge>
    </Stack>
  );
}

function RuleButtons({
  rule,
  onMove,
  onEdit,
  onRemove,
}: RuleActions & {
  readonly rule: RiskRule;
  readonly onMove: (position: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap={2} justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={rule.position === 1}
        aria-label={t('operator.risk.up', names(rule))}
        onClick={() => onMove(rule.position - 1)}
      >
        <ArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('operator.risk.down', names(rule))}
        onClick={() => onMove(rule.position + 1)}
      >
        <ArrowDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('operator.risk.edit', names(rule))}
        onClick={() => onEdit(rule)}
      >
        <Pencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('operator.risk.remove', names(rule))}
        onClick={() => onRemove(rule)}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

function OfSeller({ id }: { readonly id: string }): ReactNode {
  const { data } = useQuery(seller(id));
  return (
    <Text size="xs">
      <SellerLink id={id} name={data?.name ?? id} />
    </Text>
  );
}
