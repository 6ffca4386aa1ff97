import {
  Alert,
  Button,
  Center,
  Group,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  VisuallyHidden,
  type TitleProps,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useIsMutating } from '@tanstack/react-query';
import i18next from 'i18next';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError, SignedOutError } from '../api/errors.ts';
import { formatError } from '../i18n/errors.ts';
import { usePageFocus } from './page-focus.ts';
import { CopyBlock } from './values.tsx';

/** A retry cannot help after a 404. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Error message with a retry button. */
export function ErrorAlert({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  const { t } = useTranslation();
  if (error === null || error === undefined || error instanceof SignedOutError) return null;
  // A refusal, such as a wrong password, needs no retry.
  const isRefusal = error instanceof ApiError && error.status < 500;
  return (
    <Alert
      color="red"
      variant="light"
      title={isRefusal ? undefined : t('error.title')}
      role="alert"
      icon={<CircleAlert aria-hidden />}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{formatError(error)}</Text>
        {retry === undefined || isGone(error) ? null : (
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Empty state with a hint. `command` is an example API request. */
export function EmptyState({
  icon,
  title,
  hint,
  action,
  command,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly hint: string;
  readonly action?: ReactNode;
  readonly command?: string;
}) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="sm" maw={640} w="100%">
        <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {hint}
        </Text>
        {action}
        {command === undefined ? null : (
          <Stack w="100%">
            <CopyBlock value={command} label="curl" />
          </Stack>
        )}
      </Stack>
    </Center>
  );
}

/** Heading of a page, which has the focus when the page opens, unless a field has it. */
export function PageHeading(props: Omit<TitleProps, 'order'>) {
  return <Title ref={usePageFocus()} order={1} size="h2" {...props} />;
}

/** The amount of a record, on its page or in a panel beside the list. */
export function DetailHeading({ page, children }: { readonly page: boolean; readonly children: ReactNode }) {
  if (page) return <PageHeading className="figures">{children}</PageHeading>;
  return (
    <Title order={2} className="figures">
      {children}
    </Title>
  );
}

/**
 * Page heading with its actions. It is the title of the browser's tab, too, and is read when the
 * page opens.
 */
export function PageTitle({
  title,
  intro,
  children,
}: {
  readonly title: string;
  readonly intro?: string;
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
    return () => {
      document.title = t('product');
    };
  }, [title, t]);
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex={1} miw={200}>
        <PageHeading className="whole">{title}</PageHeading>
        {intro === undefined ? null : <Text c="dimmed">{intro}</Text>}
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

const LONG_MS = 1_000;

/** Shows that a request takes longer than a second, on any screen. */
export function ProgressNotice() {
  const { t } = useTranslation();
  const isPending = useIsMutating() > 0;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(isPending), isPending ? LONG_MS : 0);
    return () => clearTimeout(timer);
  }, [isPending]);
  return <VisuallyHidden role="status">{isLong ? t('common.working') : ''}</VisuallyHidden>;
}

/** Loading skeleton of the height of the expected rows, which avoids layout shift. */
export function LoadingSkeleton({
  count = 5,
  height = 36,
}: {
  readonly count?: number;
  readonly height?: number;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="status" aria-label={t('common.loading')}>
      <VisuallyHidden>{t('common.loading')}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  );
}

const notificationProps = () => ({
  withBorder: true,
  closeButtonProps: { 'aria-label': i18next.t('common.close') },
});

/** Shows a success notification. */
export const notify = (message: string): void => {
  notifications.show({ message, color: 'brand', autoClose: 4_000, ...notificationProps() });
};

/** Long enough to reach the button by keyboard. */
const UNDO_MS = 20_000;

/** Shows a success notification with an undo button. */
export const notifyWithUndo = (message: string, undo: () => void): void => {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    color: 'brand',
    autoClose: UNDO_MS,
    ...notificationProps(),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            undo();
            notifications.hide(id);
          }}
        >
          {i18next.t('list.undo')}
        </Button>
      </Group>
    ),
  });
};

export const notifyError = (error: unknown): void => {
  if (error instanceof SignedOutError) return;
  notifications.show({ message: formatError(error), color: 'red', autoClose: 8_000, ...notificationProps() });
};
