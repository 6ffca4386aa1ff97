import { Alert, Anchor, Button, Group, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig, Download, SearchX, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { save } from '../../api/client.ts';
import { Status } from '../../components/values.tsx';
import { EmptyState, ErrorNote } from '../../components/feedback.tsx';
import { shortId } from '../../i18n/format.ts';
import type { KeptCharge, Run } from './use-run.ts';

/** The file name has no personal data. */
const FILE = 'dados-do-pagador.jsonl';

/**
 * Progress and result of a run. Takes the focus, because the button that started the run is
 * removed.
 */
export function Outcome({
  run,
  goOn,
  stop,
}: {
  readonly run: Run;
  readonly goOn: () => void;
  readonly stop: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  const { state, who, kept } = run;
  const title = t(`operator.privacy.${run.order}Of`, { who });
  const isRunning = state === 'running' || state === 'stopping';
  useEffect(() => {
    if (isRunning || document.activeElement === document.body) place.current?.focus();
  }, [isRunning]);
  return (
    <Paper withBorder p="md" ref={place} tabIndex={-1} role="group" aria-label={title}>
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
            <Button onClick={goOn}>{t('operator.privacy.resume')}</Button>
          </Group>
        ) : null}
        {state === 'failed' ? <ErrorNote error={run.error} retry={goOn} /> : null}
        {kept.length === 0 ? null : <Kept charges={kept} />}
      </Stack>
    </Paper>
  );
}

function SoFar({ run }: { readonly run: Run }): ReactNode {
  const { t } = useTranslation();
  return (
    <Text fw={600}>
      {run.order === 'export'
        ? t('operator.privacy.exportedSoFar', { count: run.lines.length })
        : t('operator.privacy.erasedSoFar', { count: run.erased })}
    </Text>
  );
}

function Done({ run }: { readonly run: Run }): ReactNode {
  const { t } = useTranslation();
  const { order, lines, erased, kept, unsure } = run;
  if (lines.length + erased + kept.length === 0 && !unsure) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('operator.privacy.nothingTitle')}
        hint={t('operator.privacy.nothingHint')}
      />
    );
  }
  if (order === 'export') {
    return (
      <>
        <Alert
          color="green"
          variant="light"
          icon={<CircleCheckBig aria-hidden />}
          title={t('operator.privacy.found', { count: lines.length })}
        >
          <Text size="sm">{t('operator.privacy.fileMeans')}</Text>
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
                FILE,
              )
            }
          >
            {t('operator.privacy.download')}
          </Button>
        </Group>
      </>
    );
  }
  return (
    <Alert
      color={erased === 0 ? 'orange' : 'green'}
      variant="light"
      icon={erased === 0 ? <TriangleAlert aria-hidden /> : <CircleCheckBig aria-hidden />}
      title={t('operator.privacy.erased', { count: erased })}
    >
      {erased === 0 ? null : <Text size="sm">{t('operator.privacy.erasedMeans')}</Text>}
      {unsure ? <Text size="sm">{t('operator.privacy.unsure')}</Text> : null}
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
      <Text size="sm">{t('operator.privacy.keptMeans')}</Text>
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
