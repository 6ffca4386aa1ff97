import type { SavedCard } from './queries.ts';

/** `VISA •••• 1111`. */
export const cardLabel = ({ brand, lastFour }: Pick<SavedCard, 'brand' | 'lastFour'>): string =>
  `${brand ?? ''} •••• ${lastFour}`.trim();
