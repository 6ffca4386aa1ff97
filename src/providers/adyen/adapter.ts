import type { AdapterDeps, ProviderAdapter } from '#providers/adapter.ts';
import { createAdyenClient } from './client.ts';
import { notificationRoutes } from './notification-routes.ts';
import { createNotificationHandler } from './notifications.ts';
import { createAdyenCardProvider } from './card-provider.ts';
import { createAdyenReverser } from './reverser.ts';
import type { AdyenSettings } from './settings.ts';

/** Cards through one account with Adyen. */
export function createAdyenAdapter(
  settings: AdyenSettings,
  { name, clock, publicUrl }: AdapterDeps,
): ProviderAdapter {
  const client = createAdyenClient(settings);
  return {
    name,
    card: createAdyenCardProvider({ name, client, settings, clock, publicUrl }),
    reverser: createAdyenReverser(name, client, settings),
    attach: (context) => ({
      routes(app) {
        const handleNotification = createNotificationHandler({
          name,
          merchantAccount: settings.merchantAccount,
          context,
        });
        notificationRoutes(app, { name, settings: settings.notifications, handleNotification });
      },
    }),
    close: () => client.close(),
  };
}
