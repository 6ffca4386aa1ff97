import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorNote, say } from './notes.tsx';

/** Asks before something is done: what will happen, in a sentence, and a button that names it. */
export function Confirm({
  opened,
  onClose,
  title,
  means,
  action,
  done,
  run,
  danger = false,
  ready = false,
  children,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly means: string;
  readonly action: string;
  readonly done?: string;
  readonly run: () => Promise<unknown>;
  readonly danger?: boolean;
  /** For what is decided many times a day: Enter does it at once, and where the focus goes afterwards is up to who asked. */
  readonly ready?: boolean;
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation();
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: () => {
      if (done !== undefined) say(done);
      onClose();
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      centered
      returnFocus={!ready}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onExitTransitionEnd={() => mutation.reset()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate();
        }}
      >
        <Stack>
          <Text>{means}</Text>
          {children}
          <ErrorNote error={mutation.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              type="submit"
              color={danger ? 'red.9' : 'brand'}
              loading={mutation.isPending}
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
