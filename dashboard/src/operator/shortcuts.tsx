import { Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import { openSpotlight } from '@mantine/spotlight';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { Dialog } from '../components/overlay.tsx';
import { useSingleKeys } from './single-keys.ts';

const SHORTCUTS = [
  { name: 'search', keys: ['/', 'Ctrl K'] },
  { name: 'next', keys: ['J', '↓'] },
  { name: 'previous', keys: ['K', '↑'] },
  { name: 'open', keys: ['Enter'] },
  { name: 'approve', keys: ['A'] },
  { name: 'reject', keys: ['R'] },
  { name: 'close', keys: ['Esc'] },
  { name: 'all', keys: ['?'] },
] as const;

/** Where a key has another meaning. */
const CONTROLS =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]';

const isTyped = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  defaultPrevented ||
  (target instanceof Element && target.closest(CONTROLS) !== null);

/** The list of shortcuts, and the keys that open it and the search. */
export function OperatorShortcuts({
  opened,
  onOpen,
  onClose,
}: {
  readonly opened: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  useEffect(() => {
    if (!hasSingleKeys) return undefined;
    // The character, since `/` and `?` are on other keys of other keyboards.
    const onKey = (event: KeyboardEvent) => {
      if (isTyped(event) || (event.key !== '/' && event.key !== '?')) return;
      event.preventDefault();
      if (event.key === '/') openSpotlight();
      else onOpen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [hasSingleKeys, onOpen]);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('nav.shortcuts')}>
      <Stack>
        <Table aria-label={t('nav.shortcuts')}>
          <Table.Tbody>
            {SHORTCUTS.map(({ name, keys }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Text size="sm">{t(`operator.shortcuts.${name}`)}</Text>
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {keys.map((key) => (
                      <Kbd key={key} className="figures">
                        {key}
                      </Kbd>
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          checked={hasSingleKeys}
          onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
          label={t('operator.shortcuts.singleKeys')}
          description={t('operator.shortcuts.singleKeysHint')}
        />
      </Stack>
    </Dialog>
  );
}
