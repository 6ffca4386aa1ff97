import type { Status } from './transaction.ts';

/** Portuguese labels of statuses. The dashboard and CSV files for Brazil show them. */
export const STATUS_LABELS = {
  PENDING: 'Pendente',
  WAITING_PAYMENT: 'Pendente',
  PROCESSING: 'Em processamento',
  AUTHORIZED: 'Pré-autorizada',
  PAID: 'Paga',
  FAILED: 'Não concluída',
  REFUSED: 'Recusada',
  REFUNDED: 'Reembolsada',
  CHARGEDBACK: 'Chargeback',
  DISPUTE: 'Em disputa',
} as const satisfies Record<Status, string>;
