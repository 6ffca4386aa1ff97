import type { ReversalStatus } from './reversal.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  PENDING: 'Na fila',
  SENT: 'Enviada',
  MANUAL: 'Requer ação manual',
} as const satisfies Record<ReversalStatus, string>;
