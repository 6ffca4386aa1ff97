import type { EntryCause, LedgerAccount, Origin } from './entries.ts';
import type { StatementLine } from './statement.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

/** Payment methods, origins of balances, and methods of withdrawals and subscriptions. */
export const METHOD_LABELS = {
  PIX: 'Pix',
  PIX_AUTOMATICO: 'Pix Automático',
  BOLETO: 'Boleto',
  CREDIT_CARD: 'Cartão',
  CARD: 'Cartão',
  CRYPTO: 'Cripto',
  TED: 'TED',
} as const satisfies Record<Origin, string> & Record<string, string>;

export const CAUSE_LABELS = {
  PAYMENT: 'Pagamento recebido',
  PAYMENT_FEE: 'Tarifa de recebimento',
  RELEASE: 'Valor liberado para saque',
  REFUND: 'Reembolso',
  REFUND_RESERVED: 'Reserva para reembolso',
  REFUND_RETURNED: 'Reembolso não realizado; valor devolvido ao saldo',
  REFUND_REVERSED: 'Reembolso revertido',
  CHARGEBACK: 'Chargeback',
  CHARGEBACK_FEE: 'Tarifa de chargeback',
  DISPUTE_HELD: 'Valor bloqueado por disputa',
  DISPUTE_RELEASED: 'Disputa ganha; valor desbloqueado',
  DISPUTE_LOST: 'Disputa perdida',
  WITHDRAWAL_RESERVED: 'Reserva para saque',
  WITHDRAWAL_RETURNED: 'Saque não realizado; valor devolvido ao saldo',
  WITHDRAWAL_PAID: 'Saque pago',
  WITHDRAWAL_FEE: 'Tarifa de saque',
} as const satisfies Record<EntryCause, string>;

export const RECORD_TYPE_LABELS = {
  TRANSACTION: 'Cobrança',
  WITHDRAWAL: 'Saque',
} as const satisfies Record<StatementLine['recordType'], string>;

export const ACCOUNT_LABELS = {
  available: 'disponível',
  retained: 'a liberar',
  disputed: 'bloqueado',
  reserved: 'reservado',
  fees: 'tarifas',
  provider: 'provedor',
} as const satisfies Record<LedgerAccount, string>;
