import { useLocalStorage } from '@mantine/hooks';

/**
 * Whether shortcuts of a single key are on in this browser. Users of speech input turn them off,
 * since each spoken letter is a key.
 */
export const useSingleKeys = () =>
  useLocalStorage({ key: 'vereda-single-keys', defaultValue: true, getInitialValueInEffect: false });
