import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { signOut, type User } from '../api/session.ts';
import { Dialog } from '../components/overlay.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Dialog that asks for the password again. Pending requests continue afterwards. */
export function Expired({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('session.expiredTitle')}
      zIndex={500}
    >
      <Stack>
        <Text>{t('session.expiredIntro')}</Text>
        <SignInForm email={user.email} />
        <Button variant="subtle" onClick={() => void signOut()}>
          {t('session.other')}
        </Button>
      </Stack>
    </Dialog>
  );
}
