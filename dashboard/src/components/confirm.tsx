import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { FormDialog } from './form-dialog.tsx';
import { notify } from './feedback.tsx';

/** Confirmation dialog: states the effect and names the action on its button. */
export function Confirm({
  opened,
  onClose,
  title,
  message,
  action,
  done,
  run,
  check = () => true,
  danger = false,
  ready = false,
  dismiss,
  onClosed,
  children,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly message: string;
  readonly action: string;
  readonly done?: string;
  readonly run: () => Promise<unknown>;
  /** Whether the fields are filled in. Marks those that are not. */
  readonly check?: () => boolean;
  readonly danger?: boolean;
  /**
   * For frequent decisions: the confirm button has the focus, and the caller restores the focus
   * afterwards.
   */
  readonly ready?: boolean;
  /** The other button's text, where "Cancel" would be mistaken for the action. */
  readonly dismiss?: string;
  /** Called after the dialog has closed, to discard what was typed. */
  readonly onClosed?: () => unknown;
  readonly children?: ReactNode;
}) {
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: () => {
      if (done !== undefined) notify(done);
      onClose();
    },
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      action={action}
      sending={{ ...mutation, mutate: () => (check() ? mutation.mutate() : undefined) }}
      danger={danger}
      ready={ready}
      {...(dismiss === undefined ? {} : { dismiss })}
      {...(onClosed === undefined ? {} : { onClosed })}
    >
      <Text>{message}</Text>
      {children}
    </FormDialog>
  );
}
