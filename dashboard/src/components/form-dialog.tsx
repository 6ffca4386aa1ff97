import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorNote } from './feedback.tsx';

/** What sending the form does. */
interface Sending {
  readonly mutate: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly reset: () => void;
}

/** A form above the screen: its fields, what was wrong with them, and a button that names what it does. */
export function FormDialog({
  opened,
  onClose,
  title,
  action,
  sending,
  faults = {},
  danger = false,
  ready = false,
  children,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly action: string;
  readonly sending: Sending;
  /** What stands at the fields already and is not said once more. */
  readonly faults?: Readonly<Record<string, string>>;
  readonly danger?: boolean;
  /** For what is decided many times a day: Enter does it at once, and where the focus goes afterwards is up to who asked. */
  readonly ready?: boolean;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      returnFocus={!ready}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      // What went wrong is over when it opens again.
      onExitTransitionEnd={() => (sending.error === null ? undefined : sending.reset())}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sending.mutate();
        }}
      >
        <Stack>
          {children}
          {Object.keys(faults).length === 0 ? <ErrorNote error={sending.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              color={danger ? 'red.9' : 'brand'}
              loading={sending.isPending}
              data-autofocus={ready || undefined}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
