import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { restoreSession } from './api/session.ts';
import { queryClient } from './api/queries.ts';
import { router } from './app/router.tsx';
import { theme } from './app/theme.ts';
import { keepFocus } from './components/focus-rules.ts';
import { takeLinkToken } from './session/link-token.ts';
import { initI18n } from './i18n/i18n.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('No element with id "root"');

takeLinkToken();
keepFocus();
void restoreSession();
await initI18n();
document.getElementById('starting')?.remove();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        {/* Before the screen, so that Tab reaches the button of a toast; not above the pages of a list. */}
        <Notifications position="bottom-center" withinPortal={false} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
