import { Alert, Anchor, Button, Group, Kbd, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useMay } from '../../api/permissions.ts';
import { DescriptionItem, DescriptionList } from '../../components/description-list.tsx';
import { Money, Status, StatusDescription } from '../../components/values.tsx';
import { detailLabel } from '../components/details.ts';
import { lineKindLabel } from '../components/labels.ts';
import { SellerFacts } from '../components/seller-facts.tsx';
import { formatFullDay } from '../reconciliation/format-day.ts';
import type { BankReturnLine, QueuedLine } from './queries.ts';
import { ChargeSummaryCard } from '../transactions/brief.tsx';
import { WithdrawalSummaryCard } from '../withdrawals/brief.tsx';
import { canAccept, type LineDecision } from './decide-line.tsx';

interface PanelProps {
  readonly line: QueuedLine;
  readonly onDecide: (what: LineDecision, about: QueuedLine) => void;
}

/** A line that waits for a decision, and the record that it is about. */
export function LinePanel({ line, onDecide }: PanelProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const outcome = line.outcome ?? 'WAITING';
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Title order={2} size="h3">
          {lineKindLabel(line.kind)}
        </Title>
        <Status kind="operator.providerEvent" of={outcome} size="lg" />
      </Group>
      <StatusDescription kind="operator.providerEvent" of={outcome} />
      {may('operator:write') ? <DecisionButtons line={line} onDecide={onDecide} /> : null}
      {line.reason === null ? null : (
        <Alert color="orange" title={t('common.reason')}>
          {reasonLabel(line.reason)}
        </Alert>
      )}
      <LineFacts line={line} />
      <LineRecord line={line} />
      {line.sellerId === null ? null : <SellerFacts sellerId={line.sellerId} />}
    </Stack>
  );
}

/** The reason of the bank and the explanation of the gateway. */
export const reasonLabel = (reason: string): string => reason.split('; ').map(detailLabel).join(' · ');

function DecisionButtons({ line, onDecide }: PanelProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group gap="xs" grow>
      {canAccept(line) ? (
        <Button
          rightSection={<Kbd size="xs">A</Kbd>}
          aria-keyshortcuts="a"
          onClick={() => onDecide('ACCEPTED', line)}
        >
          {t('operator.cnab.accept')}
        </Button>
      ) : null}
      <Button
        variant="default"
        rightSection={<Kbd size="xs">R</Kbd>}
        aria-keyshortcuts="r"
        onClick={() => onDecide('DISMISSED', line)}
      >
        {t('operator.cnab.dismiss')}
      </Button>
    </Group>
  );
}

function LineFacts({ line }: { readonly line: BankReturnLine }): ReactNode {
  const { t } = useTranslation();
  const { amount, tariff, code, record, occurredOn, creditedOn, bankReference } = line;
  const texts = [
    [t('operator.returnLines.occurredOn'), occurredOn === null ? null : formatFullDay(occurredOn)],
    [t('operator.returnLines.creditedOn'), creditedOn === null ? null : formatFullDay(creditedOn)],
    [t('operator.returnLines.record'), record],
    [t('operator.returnLines.code'), code],
    [t('operator.returnLines.bankReference'), bankReference],
  ] as const;
  return (
    <DescriptionList title={t('operator.cnab.line', { line: line.line })}>
      <DescriptionItem name={t('common.amount')}>
        <Money cents={amount} size="sm" fw={600} />
      </DescriptionItem>
      {tariff === 0 ? null : (
        <DescriptionItem name={t('operator.lineKinds.TARIFF')}>
          <Money cents={tariff} size="sm" />
        </DescriptionItem>
      )}
      {texts.map(([name, value]) =>
        value === null || value === '' ? null : (
          <DescriptionItem key={name} name={name}>
            {value}
          </DescriptionItem>
        ),
      )}
      <Anchor component={Link} to={`/operator/cnab?open=${line.returnId}`} size="sm" underline="always">
        {t('operator.returnLines.file')}
      </Anchor>
    </DescriptionList>
  );
}

/** The charge or withdrawal of the line. */
function LineRecord({ line: { kind, recordId } }: { readonly line: BankReturnLine }): ReactNode {
  const { t } = useTranslation();
  if (recordId === null) return <Text size="sm">{t('operator.returnLines.noRecord')}</Text>;
  return kind.startsWith('PAYOUT') ? (
    <WithdrawalSummaryCard id={recordId} />
  ) : (
    <ChargeSummaryCard id={recordId} />
  );
}
