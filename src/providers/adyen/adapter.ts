import type { AdapterDeps, ProviderAdapter } from '#providers/adapter.ts';
import { createAdyenClient } from './client.ts';
import { notificationRoutes } from './notification-routes.ts';
import { createNotifications } from './notifications.ts';
import { adyenRail } from './card-provider.ts';
import { adyenReturns } from './reverser.ts';
import type { AdyenSettings } from './settings.ts';

/** Cards through one account with Adyen. */
export function openAdyen(settings: AdyenSettings, { name, clock, publicUrl }: AdapterDeps): ProviderAdapter {
  const client = createAdyenClient(settings);
  return {
    name,
    card: adyenRail({ name, client, settings, clock, publicUrl }),
    returns: adyenReturns(name, client, settings),
    attach: (doors) => ({
      routes(app) {
        const take = createNotifications({ name, merchantAccount: settings.merchantAccount, doors });
        notificationRoutes(app, { name, settings: settings.notifications, take });
      },
    }),
    close: () => client.close(),
  };
}
