import { Alert, Button, Group, Stack } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';

import { Dialog } from '../components/overlay.tsx';
import { CopyBlock } from '../components/values.tsx';

/** Shows a secret once. Closes only by its button, so that it is not dismissed by accident. */
export function SecretDialog({
  title,
  label,
  hint,
  secret,
  onClose,
  returnFocus = true,
}: {
  readonly title: string;
  /** What the secret is. */
  readonly label: string;
  readonly hint: string;
  readonly secret: string | undefined;
  readonly onClose: () => void;
  /** `false`: the caller moves the focus when it closes. */
  readonly returnFocus?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened={secret !== undefined}
      onClose={onClose}
      returnFocus={returnFocus}
      title={title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Alert color="orange" icon={<TriangleAlert aria-hidden />}>
          {hint}
        </Alert>
        <CopyBlock value={secret ?? ''} label={label} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('common.saved')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
