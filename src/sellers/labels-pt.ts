import type { SellerStatus } from './seller.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  PENDING: 'Pendente',
  ACTIVE: 'Ativa',
  SUSPENDED: 'Suspensa',
  CLOSED: 'Encerrada',
} as const satisfies Record<SellerStatus, string>;
