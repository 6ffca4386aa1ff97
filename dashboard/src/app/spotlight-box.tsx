import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The search dialog, opened with Ctrl K. */
export function SpotlightBox({
  actions,
  asked,
  onAsk,
}: {
  readonly actions: SpotlightActionData[];
  readonly asked: string;
  readonly onAsk: (asked: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Spotlight
      actions={actions}
      query={asked}
      onQueryChange={onAsk}
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
