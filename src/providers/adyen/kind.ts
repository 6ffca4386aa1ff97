import type { AdapterKind } from '#providers/adapter.ts';
import { readAdyenSettings } from './settings.ts';

/** Cards through Adyen. The library is loaded only where it is chosen. */
export const adyenCards: AdapterKind = (reader, prefix, { sandbox }) => {
  const settings = readAdyenSettings(reader, prefix, sandbox);
  return async (deps) => {
    const { openAdyen } = await import('./adapter.ts');
    return openAdyen(settings, deps);
  };
};
