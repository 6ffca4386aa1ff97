import type { AdapterFactory } from '#providers/adapter.ts';
import { readAdyenSettings } from './settings.ts';

/** Cards through Adyen. The library is loaded only where it is chosen. */
export const adyenAdapterFactory: AdapterFactory = (reader, prefix, { sandbox }) => {
  const settings = readAdyenSettings(reader, prefix, sandbox);
  return async (deps) => {
    const { createAdyenAdapter } = await import('./adapter.ts');
    return createAdyenAdapter(settings, deps);
  };
};
