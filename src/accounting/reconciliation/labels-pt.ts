import type { DifferenceKind } from './difference-kinds.ts';
import type { SettlementType } from './settlement-file.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const DIFFERENCE_KIND_LABELS = {
  MISSING_IN_LEDGER: 'Ausente no livro-razão',
  MISSING_IN_FILE: 'Ausente no arquivo',
  AMOUNT_DIFFERS: 'Valor divergente',
  DAY_DIFFERS: 'Data divergente',
  DUPLICATE_LINE: 'Linha duplicada',
} as const satisfies Record<DifferenceKind, string>;

export const SETTLEMENT_TYPE_LABELS = {
  PAYMENT: 'Pagamento',
  REFUND: 'Reembolso',
  CHARGEBACK: 'Chargeback',
  WITHDRAWAL: 'Saque',
} as const satisfies Record<SettlementType, string>;

/** What a provider event changed. */
export const OUTCOME_LABELS = {
  APPLIED: 'Aplicado',
  LATE: 'Atrasado',
  DUPLICATE: 'Duplicado',
  WRONG_AMOUNT: 'Valor divergente',
  REJECTED: 'Rejeitado',
  UNMATCHED: 'Não identificado',
  PENDING: 'Não confirmado',
} as const;
