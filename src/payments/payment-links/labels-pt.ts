import type { LinkStatus } from './link.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  ACTIVE: 'Ativo',
  INACTIVE: 'Desativado',
  EXPIRED: 'Expirado',
  COMPLETED: 'Concluído',
} as const satisfies Record<LinkStatus, string>;
