import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isSellerInactive, subscribeToSellerStatus } from '../api/inactive-seller.ts';
import { useMay } from '../api/permissions.ts';
import { application } from './queries.ts';

const ApplicationPage = lazy(async () => ({
  default: (await import('./application-page.tsx')).ApplicationPage,
}));

/** Shows its application to the owner of a seller that is not active, instead of the screens. */
export function InactiveSeller({ children }: { readonly children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const inactive = useSyncExternalStore(subscribeToSellerStatus, isSellerInactive);
  const enabled = inactive && may('application:own');
  const { data, isPending } = useQuery({ ...application(), enabled, retry: false });
  const wait = (
    <Center h="100dvh">
      <Loader aria-label={t('common.loading')} />
    </Center>
  );
  if (!enabled || path === '/settings') return children;
  if (isPending) return wait;
  // The operator created the seller itself, and has suspended or closed it.
  if (data === undefined) return children;
  return (
    <Suspense fallback={wait}>
      <ApplicationPage application={data} />
    </Suspense>
  );
}
