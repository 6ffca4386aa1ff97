import { Center, Loader, Stack, Text } from '@mantine/core';
import { Navigate, Outlet, rootRouteId, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '../api/errors.ts';
import { isOperator, isSandbox, useSession } from '../api/permissions.ts';
import { queryClient } from '../api/queries.ts';
import { LoadingSkeleton, ProgressNotice } from '../components/feedback.tsx';
import { formatError } from '../i18n/errors.ts';
import { SIGNUP_KEY } from '../onboarding/queries.ts';
import { InactiveSeller } from '../onboarding/inactive-seller.tsx';
import { Expired } from '../session/expired.tsx';
import { StepUp } from '../session/step-up.tsx';
import { SecondFactorGate } from '../session/second-factor-gate.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { NotFound } from './not-found.tsx';
import { isOperatorPath, OPERATOR_PATH } from './operator-path.ts';
import { RateLimitNotice } from './rate-limit-notice.tsx';
import { Shell } from './shell.tsx';

/**
 * The sign-in replaces the screen at any URL, which opens afterwards. If the session expires, a
 * dialog asks for the password and the screen keeps its state.
 */
export function Root() {
  const { t } = useTranslation();
  const session = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const out = session.state === 'out';
  // The next user must not see cached data of the previous one.
  useEffect(() => {
    if (!out) return;
    queryClient.getMutationCache().clear();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SIGNUP_KEY[0] });
  }, [out]);
  if (PUBLIC_PATHS.includes(path)) return <Outlet />;
  if (session.state === 'starting') {
    return (
      <Center h="100dvh">
        <Stack align="center" px="md">
          <Loader aria-label={t('common.loading')} />
          <RateLimitNotice />
          <RetryNotice error={session.error} />
        </Stack>
      </Center>
    );
  }
  if (session.state === 'out') return <SignInPage />;
  return (
    <>
      <StepUp />
      <ProgressNotice />
      <SecondFactorGate required={isOperator(session.user) && !isSandbox}>
        <InactiveSeller>
          <Shell>
            <Screen operator={isOperator(session.user)} />
          </Shell>
        </InactiveSeller>
        {session.state === 'expired' ? <Expired user={session.user} /> : null}
      </SecondFactorGate>
    </>
  );
}

/** Screens that need no sign-in. */
const PUBLIC_PATHS: readonly string[] = [
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/signup',
  '/signup/confirm',
];

/** Available to sellers and operators. */
const SHARED = '/settings';

/** Sellers and operators have separate screens; those of the other are not found. */
function Screen({ operator }: { readonly operator: boolean }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // Until the code of the next screen is loaded, the outlet shows the one before.
  const shown = useRouterState({ select: ({ matches }) => matches.at(-1) });
  const belongs = (to: string) => isOperatorPath(to) === operator || to === SHARED;
  if (!belongs(path)) return operator ? <Navigate to={OPERATOR_PATH} replace /> : <NotFound />;
  const isStale = shown !== undefined && shown.routeId !== rootRouteId && !belongs(shown.fullPath);
  return isStale ? <LoadingSkeleton /> : <Outlet />;
}

/** Why the session is not known yet. `RateLimitNotice` shows a 429. */
function RetryNotice({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  if (error === undefined || (error instanceof ApiError && error.status === 429)) return null;
  return (
    <Text size="sm" role="status">
      {t('connection.retrying', { error: formatError(error) })}
    </Text>
  );
}
