import type { ApplicationStatus } from './states.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  DRAFT: 'Em preenchimento',
  SUBMITTED: 'Em análise',
  QUESTION: 'Aguardando resposta',
  APPROVED: 'Aprovado',
  REJECTED: 'Recusado',
  EXPIRED: 'Expirado',
} as const satisfies Record<ApplicationStatus, string>;
