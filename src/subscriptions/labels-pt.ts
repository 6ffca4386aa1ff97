import type { InvoiceStatus, SubscriptionStatus } from './subscription.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  PENDING: 'Aguardando o pagador',
  ACTIVE: 'Ativa',
  PAST_DUE: 'Em atraso',
  PAUSED: 'Pausada',
  CANCELLED: 'Cancelada',
  COMPLETED: 'Concluída',
  REJECTED: 'Recusada',
  EXPIRED: 'Expirada',
} as const satisfies Record<SubscriptionStatus, string>;

export const INVOICE_STATUS_LABELS = {
  SCHEDULED: 'Agendada',
  PENDING: 'Em aberto',
  PAID: 'Paga',
  FAILED: 'Não paga',
  CANCELLED: 'Cancelada',
} as const satisfies Record<InvoiceStatus, string>;
