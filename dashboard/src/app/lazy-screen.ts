import { lazyRouteComponent } from '@tanstack/react-router';

import { withConnection } from '../api/connection.ts';

/**
 * A screen whose code is loaded on demand. The router reloads the page if code is missing, as after
 * an update of the gateway. Without a connection, that would replace the dashboard with the
 * browser's error page.
 */
export const lazyScreen = <Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(() => withConnection(load), name);
