import {
  ActionIcon,
  Badge,
  Code,
  CopyButton,
  Group,
  Text,
  Tooltip,
  type MantineSize,
  type TextProps,
} from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import {
  formatDate,
  formatDateTime,
  formatExact,
  formatHour,
  formatMoney,
  formatRelative,
  shortId,
} from '../i18n/format.ts';
import { findText } from '../i18n/find-text.ts';
import { STATUS_COLORS, type Kind } from '../i18n/statuses.ts';

/**
 * Formats cents. With `signed`, positive amounts have a plus sign. A negative `balance` has a word
 * beside it, which a movement has in its cause.
 */
export function Money({
  cents,
  signed = false,
  balance = false,
  ...text
}: { readonly cents: number; readonly signed?: boolean; readonly balance?: boolean } & TextProps) {
  const { t } = useTranslation();
  return (
    <Text component="span" className="figures" {...text}>
      {signed && cents > 0 ? '+' : ''}
      {formatMoney(cents)}
      {balance && cents < 0 ? (
        <Text component="span" size="xs" fw={400} style={{ whiteSpace: 'normal' }}>
          {` (${t('common.negative')})`}
        </Text>
      ) : null}
    </Text>
  );
}

/** How long a tooltip stays after a tap. */
const TAP_MS = 4_000;

/** Nothing ends a tap's hover: the tooltip closes by itself, and in a row that opens, at once. */
function useTapTooltip() {
  const [isOver, setOver] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onPointerDown = ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
    clearTimeout(timer.current);
    const isRow = currentTarget.closest('.openable') !== null;
    setOver(isRow);
    if (pointerType !== 'mouse' || isRow) timer.current = setTimeout(() => setOver(!isRow), TAP_MS);
  };
  return { isOver, onPointerDown };
}

/** Status badge, with the description as tooltip. */
export function Status({
  kind,
  of,
  size = 'md',
}: {
  readonly kind: Kind;
  readonly of: string;
  readonly size?: MantineSize;
}) {
  // Re-renders when the language changes.
  useTranslation();
  const colors: Readonly<Record<string, string>> = STATUS_COLORS[kind];
  const tap = useTapTooltip();
  // Unknown statuses are shown as they are.
  const text = (part: 'label' | 'description') => findText(`${kind}Status.${of}.${part}`) ?? of;
  return (
    <Tooltip
      label={text('description')}
      multiline
      maw={260}
      events={{ hover: true, focus: true, touch: true }}
      disabled={tap.isOver}
    >
      <Badge
        color={colors[of] ?? 'gray'}
        variant="light"
        size={size}
        tt="none"
        className="status"
        onPointerDown={tap.onPointerDown}
      >
        {text('label')}
      </Badge>
    </Tooltip>
  );
}

/** The description of a status, which the badge shows only below the mouse. */
export function StatusDescription({ kind, of }: { readonly kind: Kind; readonly of: string }) {
  // Re-renders when the language changes.
  useTranslation();
  const text = findText(`${kind}Status.${of}.description`);
  return text === undefined ? null : (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

export function CopyIconButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('common.copied') : t('common.copy')}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'brand' : 'gray'}
            size="sm"
            aria-label={`${copied ? t('common.copied') : t('common.copy')} ${label ?? ''}`.trim()}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Email address that may be broken after the at sign. */
export function EmailAddress({ of }: { readonly of: string }) {
  const at = of.indexOf('@') + 1;
  return (
    <>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </>
  );
}

/** Shortened id with a copy button. */
export function Id({ id, whole = false }: { readonly id: string; readonly whole?: boolean }) {
  const { t } = useTranslation();
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code title={id} className={whole ? 'whole' : 'figures'}>
        {whole ? id : shortId(id)}
      </Code>
      <CopyIconButton value={id} label={t('common.id')} />
    </Group>
  );
}

/** A time, with the weekday, the second and the zone as tooltip. */
function Time({ at, children, ...text }: { readonly at: string; readonly children: ReactNode } & TextProps) {
  const tap = useTapTooltip();
  return (
    <Tooltip label={formatExact(at)} events={{ hover: true, focus: true, touch: true }} disabled={tap.isOver}>
      <Text
        component="time"
        dateTime={at}
        inherit={text.size === undefined}
        onPointerDown={tap.onPointerDown}
        {...text}
      >
        {children}
      </Text>
    </Tooltip>
  );
}

/**
 * Relative time with date and time, which a row that opens leaves to screen readers. `now` is the
 * time to compare with, in milliseconds, of a clock other than the server's.
 */
export function RelativeTime({
  at,
  now,
  ...text
}: { readonly at: string; readonly now?: number } & TextProps) {
  // Re-renders when the language changes.
  useTranslation();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  const relative = formatRelative(at, now);
  const exact = relative === formatDate(at) ? formatHour(at) : `(${formatDateTime(at)})`;
  return (
    <Time at={at} {...text}>
      {relative} <span className="exact">{exact}</span>
    </Time>
  );
}

/** Date and time. With `wraps` it may break in narrow columns. */
export function DateTime({
  at,
  wraps = false,
  ...text
}: { readonly at: string; readonly wraps?: boolean } & TextProps) {
  return (
    <Time at={at} {...(wraps ? {} : { className: 'figures' })} {...text}>
      {formatDateTime(at)}
    </Time>
  );
}

/** Code block with a copy button. `shown` is the value in groups, which the copy does not have. */
export function CopyBlock({
  value,
  label,
  shown = value,
}: {
  readonly value: string;
  readonly label: string;
  readonly shown?: string;
}) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block flex={1} miw={0} className="wrapped" tabIndex={0} aria-label={label}>
        {shown}
      </Code>
      <CopyIconButton value={value} label={label} />
    </Group>
  );
}
