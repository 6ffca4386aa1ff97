import type { AdapterDeps, ProviderAdapter } from '#providers/adapter.ts';
import { createAdyenClient } from './client.ts';
import { notificationRoutes } from './notification-routes.ts';
import { handleNotification } from './notification-handler.ts';
import { createAdyenCardProvider } from './card-provider.ts';
import { createAdyenReverser } from './reverser.ts';
import type { AdyenSettings } from './settings.ts';

/** Card payments through one Adyen account. */
export function createAdyenAdapter(
  settings: AdyenSettings,
  { name, clock, publicUrl }: AdapterDeps,
): ProviderAdapter {
  const client = createAdyenClient(settings);
  const { merchantAccount, notifications } = settings;
  return {
    name,
    card: createAdyenCardProvider({ name, client, settings, clock, publicUrl }),
    reverser: createAdyenReverser(name, client, settings),
    attach(context) {
      const deps = { ...context, name, merchantAccount };
      return {
        routes: (app) =>
          notificationRoutes(app, {
            name,
            settings: notifications,
            handleNotification: (item) => handleNotification(deps, item),
          }),
      };
    },
    close: () => client.close(),
  };
}
