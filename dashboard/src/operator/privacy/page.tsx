import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Eraser, FileDown } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { parseSearch } from '../../../../src/privacy/search-query.ts';
import { useMay } from '../../api/permissions.ts';
import { Confirm } from '../../components/confirm.tsx';
import { useUpdateSearch } from '../../components/listing.tsx';
import { PageTitle } from '../../components/feedback.tsx';
import { Panel } from '../../components/overlay.tsx';
import { TransactionPanel } from '../transactions/panel.tsx';
import { Outcome } from './outcome.tsx';
import { useRun, type RunAction } from './use-run.ts';

const page = getRouteApi('/operator/privacy');

/** Export and erasure of a payer's data (LGPD). */
export function PrivacyPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { open } = page.useSearch();
  const go = useUpdateSearch();
  const { run, begin, resume, stop } = useRun();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [invalid, setInvalid] = useState(false);
  const [sure, setSure] = useState(false);
  const text = typed.trim();
  const query = parseSearch(text);
  const busy = run?.state === 'running' || run?.state === 'stopping';
  /** Runs the action if the search is valid. */
  const ifValid = (then: () => void) => {
    if (query !== undefined) return then();
    setInvalid(true);
    field.current?.focus();
  };
  const start = (what: RunAction) => {
    if (query !== undefined) begin(what, { text, query });
  };
  if (!may('operator:write')) return <Text>{t('error.forbidden')}</Text>;
  return (
    <Stack maw={860}>
      <PageTitle title={t('operator.privacy.title')} intro={t('operator.privacy.intro')} />
      <Paper withBorder p="md">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) ifValid(() => start('export'));
          }}
        >
          <Stack>
            <TextInput
              ref={field}
              label={t('operator.privacy.who')}
              description={t('operator.privacy.whoHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={invalid ? t('operator.privacy.needWho') : undefined}
              // Personal data must not be stored by the browser nor sent to spell-check services.
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={320}
              readOnly={busy}
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setInvalid(false);
              }}
            />
            <Group>
              <Button type="submit" leftSection={<FileDown size={16} aria-hidden />} disabled={busy}>
                {t('operator.privacy.export')}
              </Button>
              <Button
                variant="light"
                color="red"
                leftSection={<Eraser size={16} aria-hidden />}
                disabled={busy}
                onClick={() => ifValid(() => setSure(true))}
              >
                {t('operator.privacy.erase')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
      <div aria-live="polite">
        {run === undefined ? null : <Outcome key={run.attempt} run={run} resume={resume} stop={stop} />}
      </div>
      <Confirm
        opened={sure}
        onClose={() => setSure(false)}
        danger
        title={t('operator.privacy.eraseTitle', { who: text })}
        message={t('operator.privacy.eraseDescription')}
        action={t('operator.privacy.erase')}
        run={async () => start('erase')}
      >
        <Text>{t('operator.privacy.eraseStays')}</Text>
        <Text>{t('operator.privacy.eraseFirst')}</Text>
      </Confirm>
      <Panel
        opened={open !== undefined}
        row={open}
        onClose={() => go({})}
        title={t('operator.transactions.one')}
      >
        {open === undefined ? null : <TransactionPanel id={open} />}
      </Panel>
    </Stack>
  );
}
