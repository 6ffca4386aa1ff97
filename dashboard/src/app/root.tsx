import { Center, Loader } from '@mantine/core';
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { isOperator, useSession } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { Expired } from '../session/expired.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { NotFound } from './not-found.tsx';
import { isOfOffice, OFFICE } from './operator-path.ts';
import { Shell } from './shell.tsx';

/**
 * The sign-in takes the place of the screen, whatever its address: after it the screen that was asked for is there. A session
 * that expires takes nothing away; the password is asked for above it.
 */
export function Root() {
  const { t } = useTranslation();
  const session = useSession();
  const out = session.state === 'out';
  // The next person to sign in finds nothing of the one before.
  useEffect(() => {
    if (out) queryClient.clear();
  }, [out]);
  if (session.state === 'starting') {
    return (
      <Center h="100dvh">
        <Loader aria-label={t('common.loading')} />
      </Center>
    );
  }
  if (session.state === 'out') return <SignInPage />;
  return (
    <Shell>
      <Screen operator={isOperator(session.user)} />
      {session.state === 'expired' ? <Expired user={session.user} /> : null}
    </Shell>
  );
}

/** What everybody has. */
const SHARED = '/settings';

/** Sellers and operators have screens of their own; who asks for the others' is shown none. */
function Screen({ operator }: { readonly operator: boolean }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  if (isOfOffice(path) === operator || path === SHARED) return <Outlet />;
  return operator ? <Navigate to={OFFICE} replace /> : <NotFound />;
}
