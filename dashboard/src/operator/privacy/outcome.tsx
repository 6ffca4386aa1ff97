import { Alert, Anchor, Button, Group, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig, Download, SearchX, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { save } from '../../api/client.ts';
import { Status } from '../../components/values.tsx';
import { EmptyState, ErrorAlert } from '../../components/feedback.tsx';
import { shortId } from '../../i18n/format.ts';
import type { KeptCharge, Run } from './use-run.ts';

/**
 * Progress and result of a run. Takes the focus, because the button that started the run is
 * removed.
 */
export function Outcome({
  run,
  resume,
  stop,
}: {
  readonly run: Run;
  readonly resume: () => void;
  readonly stop: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const container = useRef<HTMLDivElement>(null);
  const { state, text, kept } = run;
  const title = t(`operator.privacy.${run.action}Of`, { who: text });
  const isRunning = state === 'running' || state === 'stopping';
  useEffect(() => {
    if (isRunning || document.activeElement === document.body) container.current?.focus();
  }, [isRunning]);
  return (
    <Paper withBorder p="md" ref={container} tabIndex={-1} role="group" aria-label={title}>
      <Stack>
        <Title order={2} size="h4" className="whole">
          {title}
        </Title>
        {state === 'done' ? (
          <Done run={run} />
        ) : (
          <>
            <Text>{t(isRunning ? 'operator.privacy.running' : `operator.privacy.${state}`)}</Text>
            <SoFar run={run} />
          </>
        )}
        {isRunning ? (
          <>
            <Progress value={100} animated aria-label={title} />
            <Group>
              <Button variant="default" loading={state === 'stopping'} onClick={stop}>
                {t('operator.privacy.stop')}
              </Button>
            </Group>
          </>
        ) : null}
        {state === 'stopped' ? (
          <Group>
            <Button onClick={resume}>{t('operator.privacy.resume')}</Button>
          </Group>
        ) : null}
        {state === 'failed' ? <ErrorAlert error={run.error} retry={resume} /> : null}
        {kept.length === 0 ? null : <Kept charges={kept} />}
      </Stack>
    </Paper>
  );
}

function SoFar({ run }: { readonly run: Run }): ReactNode {
  const { t } = useTranslation();
  return (
    <Text fw={600}>
      {run.action === 'export'
        ? t('operator.privacy.exportedSoFar', { count: run.lines.length - run.customers })
        : t('operator.privacy.erasedSoFar', { count: run.erased })}
    </Text>
  );
}

function Done({ run }: { readonly run: Run }): ReactNode {
  const { t } = useTranslation();
  const { action, lines, customers, erased, kept, mayHaveErased } = run;
  if (lines.length + customers + erased + kept.length === 0 && !mayHaveErased) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('operator.privacy.nothingTitle')}
        hint={t('operator.privacy.nothingHint')}
      />
    );
  }
  if (action === 'export') {
    return (
      <>
        <Alert
          role="alert"
          color="green"
          variant="light"
          icon={<CircleCheckBig aria-hidden />}
          title={t('operator.privacy.found', { count: lines.length - customers })}
        >
          {customers === 0 ? null : (
            <Text size="sm">{t('operator.privacy.customersFound', { count: customers })}</Text>
          )}
          <Text size="sm">{t('operator.privacy.fileDescription')}</Text>
        </Alert>
        <Group>
          <Button
            leftSection={<Download size={16} aria-hidden />}
            onClick={() =>
              save(
                new Blob(
                  lines.map((line) => `${line}\n`),
                  { type: 'application/jsonl' },
                ),
                // Without personal data.
                t('operator.privacy.file'),
              )
            }
          >
            {t('operator.privacy.download')}
          </Button>
        </Group>
      </>
    );
  }
  const hasErased = erased + customers > 0;
  return (
    <Alert
      role="alert"
      color={hasErased ? 'green' : 'orange'}
      variant="light"
      icon={hasErased ? <CircleCheckBig aria-hidden /> : <TriangleAlert aria-hidden />}
      title={t('operator.privacy.erased', { count: erased })}
    >
      {customers === 0 ? null : (
        <Text size="sm">{t('operator.privacy.customersErased', { count: customers })}</Text>
      )}
      {erased === 0 ? null : <Text size="sm">{t('operator.privacy.erasedDescription')}</Text>}
      {mayHaveErased ? <Text size="sm">{t('operator.privacy.unsure')}</Text> : null}
    </Alert>
  );
}

/** Charges that keep payer data, with the reason. */
function Kept({ charges }: { readonly charges: readonly KeptCharge[] }): ReactNode {
  const { t } = useTranslation();
  const title = t('operator.privacy.kept', { count: charges.length });
  return (
    // Only the count is announced to screen readers.
    <Stack gap="xs" aria-live="off">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Text size="sm">{t('operator.privacy.keptDescription')}</Text>
      <Table.ScrollContainer minWidth={0}>
        <Table aria-label={title} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('operator.transactions.one')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('common.status')}</Table.Th>
              <Table.Th>{t('common.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {charges.map(({ transactionId, status, reason }) => (
              <Table.Tr key={transactionId}>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to={`/operator/privacy?open=${transactionId}`}
                    size="sm"
                    underline="always"
                    className="figures"
                    title={transactionId}
                  >
                    {shortId(transactionId)}
                  </Anchor>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Status kind="charge" of={status} />
                </Table.Td>
                <Table.Td>{t(`operator.privacy.reasons.${reason}`)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
