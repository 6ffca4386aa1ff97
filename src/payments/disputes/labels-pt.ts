import type { DisputeStatus } from './states.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  OPEN: 'Aguardando defesa',
  UNDER_REVIEW: 'Aguardando decisão',
  RESOLVED: 'Ganha pela loja',
  REJECTED: 'Perdida pela loja',
} as const satisfies Record<DisputeStatus, string>;
