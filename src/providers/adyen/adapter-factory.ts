import type { AdapterFactory } from '#providers/adapter.ts';
import { addressOf, readAdyenSettings } from './settings.ts';

/** Card payments through Adyen. Its library is loaded only if the provider is selected. */
export const adyenAdapterFactory: AdapterFactory = (reader, prefix, mode) => {
  const settings = readAdyenSettings(reader, prefix, mode);
  return {
    addresses: [addressOf(settings, prefix)],
    async open(deps) {
      const { createAdyenAdapter } = await import('./adapter.ts');
      return createAdyenAdapter(settings, deps);
    },
  };
};
