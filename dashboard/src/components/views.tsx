import { ActionIcon, Button, Chip, Group, Menu, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { BookmarkPlus, Columns3, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useUser } from '../api/permissions.ts';
import type { Column } from './cursor-table.tsx';
import { notifyWithUndo } from './feedback.tsx';
import { useChecks } from './field-errors.ts';

/** Filters as URL search parameters. */
export type Filters = Readonly<Record<string, string | undefined>>;

export interface View {
  readonly name: string;
  readonly filters: Filters;
}

const NON_FILTERS = ['cursor', 'open'];
/** Excludes the cursor: a view does not store a page. */
const asText = (filters: Filters): string =>
  JSON.stringify(
    Object.entries(filters)
      .filter(([name, value]) => value !== undefined && !NON_FILTERS.includes(name))
      .sort(([one], [other]) => one.localeCompare(other)),
  );

/** Built-in views and those the user saved in this browser. */
export function Views({
  list,
  given,
  filters,
  onChoose,
}: {
  readonly list: string;
  readonly given: readonly View[];
  readonly filters: Filters;
  readonly onChoose: (filters: Filters) => void;
}) {
  const { t } = useTranslation();
  const user = useUser();
  const group = useId();
  const [saved, setSaved] = useLocalStorage<readonly View[]>({
    key: `vereda-views-${list}-${user.id}`,
    defaultValue: [],
  });
  const views = [...given, ...saved];
  const present = asText(filters);
  const chosen = views.findIndex((view) => asText(view.filters) === present);
  return (
    <Group gap="xs" role="group" aria-label={t('list.views')}>
      {views.map((view, index) => (
        <Group gap={2} key={`${view.name}-${index}`} wrap="nowrap">
          <Chip
            type="radio"
            name={group}
            size="xs"
            checked={index === chosen}
            onChange={() => onChoose(view.filters)}
          >
            {view.name}
          </Chip>
          {index >= given.length ? (
            <ActionIcon
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={t('list.deleteView', { name: view.name })}
              onClick={() => {
                setSaved(saved.filter((other) => other !== view));
                notifyWithUndo(t('list.viewDeleted', { name: view.name }), () =>
                  setSaved((now) => (now.includes(view) ? now : [...now, view])),
                );
              }}
            >
              <X size={12} aria-hidden />
            </ActionIcon>
          ) : null}
        </Group>
      ))}
      {chosen === -1 ? (
        <SaveView
          onSave={(name) =>
            setSaved([...saved, { name, filters: { ...filters, cursor: undefined, open: undefined } }])
          }
        />
      ) : null}
    </Group>
  );
}

function SaveView({ onSave }: { readonly onSave: (name: string) => void }) {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure(false);
  const [name, setName] = useState('');
  const { errors, check, clear } = useChecks();
  return (
    <Popover opened={opened} onClose={close} trapFocus returnFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<BookmarkPlus size={14} aria-hidden />}
          onClick={toggle}
        >
          {t('list.saveView')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!check({ name: name.trim() === '' && t('invalid.required') })) return;
            onSave(name.trim());
            setName('');
            close();
          }}
        >
          <Stack gap="xs">
            <TextInput
              size="xs"
              label={t('list.viewName')}
              required
              withAsterisk={false}
              maxLength={40}
              value={name}
              error={errors['name']}
              onChange={(event) => {
                setName(event.currentTarget.value);
                clear('name');
              }}
            />
            <Button size="xs" type="submit">
              {t('common.save')}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The columns that the user chose of a list, which are saved in this browser, and the menu to choose. */
export function useColumnChoice<Row>(
  list: string,
  all: readonly Column<Row>[],
  defaults: readonly string[] = all.map(({ key }) => key),
) {
  const [shown, setShown] = useLocalStorage<readonly string[]>({
    key: `vereda-columns-${list}`,
    defaultValue: defaults,
  });
  const toggle = (key: string) =>
    setShown((now) => (now.includes(key) ? now.filter((other) => other !== key) : [...now, key]));
  return {
    columns: all.filter(({ key, always }) => always || shown.includes(key)),
    choice: <ColumnChoice all={all.filter(({ always }) => !always)} shown={shown} toggle={toggle} />,
  };
}

function ColumnChoice({
  all,
  shown,
  toggle,
}: {
  readonly all: readonly Pick<Column<unknown>, 'key' | 'header'>[];
  readonly shown: readonly string[];
  readonly toggle: (key: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Columns3 size={14} aria-hidden />} visibleFrom="sm">
          {t('list.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ key, header }) => (
          <Menu.CheckboxItem
            key={key}
            checked={shown.includes(key)}
            onChange={(checked) => {
              toggle(key);
              if (!checked) notifyWithUndo(t('list.columnHidden', { name: header }), () => toggle(key));
            }}
          >
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
