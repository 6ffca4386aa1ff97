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
  const search = usePayerSearch();
  const [sure, setSure] = useState(false);
  const { text, query } = search;
  const busy = run?.state === 'running' || run?.state === 'stopping';
  const start = (what: RunAction) => {
    if (query !== undefined) begin(what, { text, query });
  };
  if (!may('operator:write')) return <Text>{t('error.forbidden')}</Text>;
  return (
    <Stack maw={860}>
      <PageTitle title={t('operator.privacy.title')} intro={t('operator.privacy.intro')} />
      <PayerForm search={search} busy={busy} onExport={() => start('export')} onErase={() => setSure(true)} />
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

/** The search for a payer, as typed. */
function usePayerSearch() {
  const [typed, setTyped] = useState('');
  const [invalid, setInvalid] = useState(false);
  const text = typed.trim();
  const type = (next: string) => {
    setTyped(next);
    setInvalid(false);
  };
  return { typed, type, text, query: parseSearch(text), invalid, markInvalid: () => setInvalid(true) };
}

function PayerForm({
  search,
  busy,
  onExport,
  onErase,
}: {
  readonly search: ReturnType<typeof usePayerSearch>;
  readonly busy: boolean;
  readonly onExport: () => void;
  readonly onErase: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  /** Runs the action if the search is valid. */
  const ifValid = (then: () => void) => {
    if (search.query !== undefined) return then();
    search.markInvalid();
    field.current?.focus();
  };
  return (
    <Paper withBorder p="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) ifValid(onExport);
        }}
      >
        <Stack>
          <TextInput
            ref={field}
            label={t('operator.privacy.who')}
            description={t('operator.privacy.whoHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={search.invalid ? t('operator.privacy.needWho') : undefined}
            // Personal data must not be stored by the browser nor sent to spell-check services.
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={320}
            readOnly={busy}
            value={search.typed}
            onChange={(event) => search.type(event.currentTarget.value)}
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
              onClick={() => ifValid(onErase)}
            >
              {t('operator.privacy.erase')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
