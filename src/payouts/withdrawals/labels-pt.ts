import type { PixKeyType } from '#formats/pix/pix-key.ts';
import type { WithdrawalStatus } from './withdrawal.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  PENDING: 'Em análise',
  APPROVED: 'Aprovado',
  PROCESSING: 'Em processamento',
  PAID: 'Pago',
  REJECTED: 'Recusado',
  FAILED: 'Não realizado',
} as const satisfies Record<WithdrawalStatus, string>;

/** As the operator sees them, who approves. */
export const OPERATOR_STATUS_LABELS = {
  ...STATUS_LABELS,
  PENDING: 'A aprovar',
} as const satisfies Record<WithdrawalStatus, string>;

export const PIX_KEY_TYPE_LABELS = {
  CPF: 'CPF',
  CNPJ: 'CNPJ',
  PHONE: 'Celular',
  EMAIL: 'E-mail',
  EVP: 'Chave aleatória',
} as const satisfies Record<PixKeyType, string>;
