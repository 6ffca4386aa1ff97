import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The search dialog, opened with Ctrl K. */
export function SpotlightBox({
  actions,
  input,
  onInput,
}: {
  readonly actions: SpotlightActionData[];
  readonly input: string;
  readonly onInput: (input: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Spotlight
      actions={actions}
      query={input}
      onQueryChange={onInput}
      shortcut={['mod + K']}
      attributes={{ content: { 'aria-label': t('nav.search') } }}
      nothingFound={t('nav.searchNothing')}
      searchProps={{
        leftSection: <Search size={18} aria-hidden />,
        placeholder: t('nav.searchHint'),
        'aria-label': t('nav.search'),
      }}
    />
  );
}
