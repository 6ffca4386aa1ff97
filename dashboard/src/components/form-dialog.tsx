import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorAlert } from './feedback.tsx';
import { Dialog } from './overlay.tsx';

/** The mutation that submits the form. */
interface Sending {
  readonly mutate: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly reset: () => void;
}

interface FormDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly action: string;
  readonly sending: Sending;
  /** Field errors, which are not repeated in the error message. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly danger?: boolean;
  /**
   * For frequent decisions: the submit button has the focus, and the caller restores the focus
   * afterwards.
   */
  readonly ready?: boolean;
  /** The other button's text, where "Cancel" would be mistaken for the action. */
  readonly dismiss?: string;
  /** Called after the dialog has closed, to discard what was typed. */
  readonly onClosed?: () => unknown;
  readonly children: ReactNode;
}

/** Form in a dialog, with its error message and a submit button. */
export function FormDialog({
  opened,
  onClose,
  title,
  action,
  sending,
  errors = {},
  danger = false,
  ready = false,
  dismiss,
  onClosed,
  children,
}: FormDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      returnFocus={!ready}
      // Clears the error for the next time the dialog opens.
      onExitTransitionEnd={() => {
        if (sending.error !== null) sending.reset();
        onClosed?.();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // React passes the event on to the form of the page that opened the dialog.
          event.stopPropagation();
          sending.mutate();
        }}
      >
        <Stack>
          {children}
          {Object.keys(errors).length === 0 ? <ErrorAlert error={sending.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {dismiss ?? t('common.cancel')}
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
    </Dialog>
  );
}
