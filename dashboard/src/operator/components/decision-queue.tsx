import { Grid, Group, Kbd, Paper, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery, type HotkeyItem } from '@mantine/hooks';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';

import { focusRow } from '../../components/focus-row.ts';
import { Panel } from '../../components/overlay.tsx';
import { useSingleKeys } from '../single-keys.ts';

/** Wide enough for the list and the panel side by side. */
const WIDE = '(min-width: 75em)';
/** The focus can move only after a dialog has closed. */
const DIALOG_MS = 50;

interface QueueRow {
  readonly id: string;
}

export interface DecisionQueue<Row extends QueueRow, Decision extends string> extends Selection {
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly deciding: { readonly what: Decision; readonly about: Row } | undefined;
  /** Opens the dialog of a decision, if it is possible. */
  readonly decide: (what: Decision, about: Row | undefined) => void;
  readonly closeDecision: () => void;
  /** Selects the row after the one that was decided. */
  readonly selectNext: (decided: Row) => void;
  /** Properties of the table. */
  readonly table: {
    readonly active: string | undefined;
    readonly onRowFocus?: (row: Row) => void;
    readonly onOpen: (row: Row) => void;
  };
  readonly closePanel: () => void;
}

interface Selection {
  readonly wide: boolean;
  /** The id of the row in the panel. */
  readonly selected: string | undefined;
}

/** The row that the address names. On wide screens, the first one by default. */
export function useSelection(rows: readonly QueueRow[], open: string | undefined): Selection {
  const wide = useMediaQuery(WIDE, window.matchMedia(WIDE).matches, { getInitialValueInEffect: false });
  return { wide, selected: open ?? (wide ? rows[0]?.id : undefined) };
}

const focusLater = (id: string) => setTimeout(() => focusRow(id), DIALOG_MS);

/** A letter that is typed or spoken in another control does nothing. */
const isInQueue = ({ target }: KeyboardEvent): boolean =>
  target === document.body ||
  (target instanceof Element && target.closest('h1, [data-row], .beside, [data-overlay]') !== null);

/** Handles keys that no row has handled. Disabled while a dialog is open. */
function useQueueKeys<Decision extends string>(
  isEnabled: boolean,
  step: (by: 1 | -1) => void,
  keys: Readonly<Record<string, Decision>>,
  decide: (what: Decision) => void,
): void {
  const [hasSingleKeys] = useSingleKeys();
  const ifEnabled = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
    if (!event.defaultPrevented && isEnabled) run(event);
  };
  const options = { preventDefault: false };
  const letter = (name: string, run: () => void): HotkeyItem => [
    name,
    ifEnabled((event) => {
      if (hasSingleKeys && isInQueue(event)) run();
    }),
    options,
  ];
  useHotkeys([
    ['ArrowDown', ifEnabled(() => step(1)), options],
    ['ArrowUp', ifEnabled(() => step(-1)), options],
    letter('j', () => step(1)),
    letter('k', () => step(-1)),
    ...Object.entries(keys).map(([name, what]) => letter(name, () => decide(what))),
  ]);
}

interface QueueOptions<Row extends QueueRow, Decision extends string> {
  readonly selection: Selection;
  readonly rows: readonly Row[];
  /** The id of the row in the address. */
  readonly open: string | undefined;
  readonly select: (id: string | undefined) => void;
  /** The keys of the decisions. */
  readonly keys: Readonly<Record<string, Decision>>;
  /** The selected record, even if it is not on this page of the list. */
  readonly current: Row | undefined;
  readonly mayDecide: (what: Decision, about: Row) => boolean;
}

/**
 * A queue for the keyboard: arrows, J and K move through the list, a key decides, and the next row
 * is selected afterwards. New rows appear without moving the selection.
 */
export function useDecisionQueue<Row extends QueueRow, Decision extends string>({
  rows,
  open,
  select,
  keys,
  current,
  mayDecide,
  selection: { wide, selected },
}: QueueOptions<Row, Decision>): DecisionQueue<Row, Decision> {
  const [deciding, setDeciding] = useState<{ readonly what: Decision; readonly about: Row }>();
  const panel = useRef<HTMLDivElement>(null);
  const movedOn = useRef(false);

  const step = (by: 1 | -1) => {
    const index = rows.findIndex(({ id }) => id === selected);
    const next = rows[index === -1 ? 0 : index + by];
    if (next === undefined) return;
    if (wide) select(next.id);
    focusRow(next.id);
  };
  const decide = (what: Decision, about: Row | undefined) => {
    if (about !== undefined && mayDecide(what, about)) setDeciding({ what, about });
  };
  const selectNext = (decided: Row) => {
    movedOn.current = true;
    setDeciding(undefined);
    const index = rows.findIndex(({ id }) => id === decided.id);
    const next = rows[index + 1] ?? rows[index - 1];
    select(wide || open !== undefined ? next?.id : undefined);
    if (next !== undefined) focusLater(next.id);
  };
  const closeDecision = () => {
    setDeciding(undefined);
    // The dialog also closes after a decision, when the next row is already selected.
    if (movedOn.current) movedOn.current = false;
    else if (selected !== undefined) focusLater(selected);
  };

  useQueueKeys(deciding === undefined, step, keys, (what) => decide(what, current));
  return {
    wide,
    selected,
    panel,
    deciding,
    decide,
    closeDecision,
    selectNext,
    table: {
      active: selected,
      ...(wide && { onRowFocus: ({ id }: Row) => (id === open ? undefined : select(id)) }),
      onOpen: ({ id }) => {
        select(id);
        if (wide) panel.current?.focus();
      },
    },
    closePanel: () => {
      select(undefined);
      if (open !== undefined) focusLater(open);
    },
  };
}

/** The list of a queue with the panel beside it, or over it on small screens. */
export function QueueLayout({
  queue: { wide, selected, panel, closePanel },
  title,
  isEmpty,
  isOpen,
  table,
  hint,
  detail,
}: {
  readonly queue: Pick<DecisionQueue<never, never>, 'wide' | 'selected' | 'panel' | 'closePanel'>;
  /** What the panel shows. */
  readonly title: string;
  readonly isEmpty: boolean;
  /** Whether the address names a row. */
  readonly isOpen: boolean;
  readonly table: ReactNode;
  readonly hint: ReactNode;
  readonly detail: ReactNode;
}): ReactNode {
  if (!wide)
    return (
      <>
        {table}
        <Panel opened={isOpen} onClose={closePanel} size="md" title={title} returnFocus={false}>
          {detail}
        </Panel>
      </>
    );
  return (
    <Grid gap="md">
      <Grid.Col span={isEmpty && !isOpen ? 12 : 7}>
        {table}
        {hint}
      </Grid.Col>
      {selected === undefined ? null : (
        <Grid.Col span={5}>
          <Paper
            withBorder
            p="md"
            component="section"
            aria-label={title}
            ref={panel}
            tabIndex={-1}
            className="beside"
          >
            {detail}
          </Paper>
        </Grid.Col>
      )}
    </Grid>
  );
}

/** The keys of a queue. */
export function KeyHint({
  decisions,
}: {
  readonly decisions: readonly { readonly key: string; readonly label: string }[];
}): ReactNode {
  const { t } = useTranslation();
  const [hasSingleKeys] = useSingleKeys();
  const letters = [...decisions, { key: '?', label: t('operator.shortcuts.all') }];
  return (
    <Group gap="xs" mt="xs" className="keys">
      <Kbd size="xs">↑</Kbd>
      <Kbd size="xs">↓</Kbd>
      <Text size="xs" c="dimmed">
        {t('operator.shortcuts.navigate')}
      </Text>
      {(hasSingleKeys ? letters : []).map(({ key, label }) => (
        <Group key={key} gap="xs">
          <Kbd size="xs">{key}</Kbd>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
