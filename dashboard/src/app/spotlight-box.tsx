import { Loader, VisuallyHidden } from '@mantine/core';
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { Search } from 'lucide-react';
import { useCallback, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Results below one heading. */
export interface ResultGroup {
  readonly name: string;
  readonly label?: string;
  readonly actions: readonly SpotlightActionData[];
}

let ids = 0;

/**
 * Mantine marks the selected result with an attribute only, and drops ids. Gives the results ids
 * and `aria-selected`, and returns the id of the selected one for the search box.
 */
function useSelected() {
  const [selected, setSelected] = useState<string>();
  const watch = useCallback((list: HTMLElement | null) => {
    if (list === null) return undefined;
    const read = () => {
      const results = [...list.querySelectorAll<HTMLElement>('[role="option"]')];
      for (const result of results) {
        if (result.id === '') result.id = `result-${(ids += 1)}`;
        result.setAttribute('aria-selected', String('selected' in result.dataset));
      }
      setSelected(results.find(({ dataset }) => 'selected' in dataset)?.id);
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(list, { subtree: true, childList: true, attributeFilter: ['data-selected'] });
    return () => {
      observer.disconnect();
      setSelected(undefined);
    };
  }, []);
  return { selected, watch };
}

/**
 * The search dialog, which the shell opens with Ctrl K. The focus stays in the search box, and the
 * arrows select a result.
 */
export function SpotlightBox({
  input,
  onInput,
  hint,
  nothing,
  groups,
  isWaiting = false,
}: {
  readonly input: string;
  readonly onInput: (input: string) => void;
  readonly hint: string;
  readonly nothing: string;
  readonly groups: readonly ResultGroup[];
  readonly isWaiting?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const { selected, watch } = useSelected();
  const listId = useId();
  const shown = groups.filter(({ actions }) => actions.length > 0);
  const count = shown.reduce((sum, { actions }) => sum + actions.length, 0);
  return (
    <Spotlight.Root
      query={input}
      onQueryChange={onInput}
      shortcut={null}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('nav.search') } }}
    >
      <Spotlight.Search
        leftSection={<Search size={18} aria-hidden />}
        rightSection={isWaiting ? <Loader size="xs" aria-label={t('common.loading')} /> : null}
        placeholder={hint}
        aria-label={t('nav.search')}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-activedescendant={selected}
      />
      <VisuallyHidden role="status">
        {input === '' || isWaiting ? '' : count === 0 ? t('nav.noResult') : t('nav.results', { count })}
      </VisuallyHidden>
      <Spotlight.ActionsList>
        <div role="listbox" id={listId} aria-label={t('nav.search')} ref={watch}>
          {shown.map((group) => (
            <Results key={group.name} group={group} />
          ))}
        </div>
        {count === 0 && !isWaiting ? <Spotlight.Empty>{nothing}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function Results({ group: { label, actions } }: { readonly group: ResultGroup }) {
  // `useSelected` changes `aria-selected`.
  const results = actions.map(({ id, ...action }) => (
    <Spotlight.Action key={id} role="option" aria-selected={false} {...action} />
  ));
  if (label === undefined) return results;
  return (
    <Spotlight.ActionsGroup label={label} role="group" aria-label={label}>
      {results}
    </Spotlight.ActionsGroup>
  );
}
