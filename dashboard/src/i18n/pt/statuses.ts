import { STATUS_LABELS as LINK } from '../../../../src/payments/payment-links/labels-pt.ts';
import { STATUS_LABELS as WEBHOOK } from '../../../../src/webhooks/labels-pt.ts';
import { CAUSE_LABELS, METHOD_LABELS } from '../../../../src/accounting/ledger/labels-pt.ts';
import { STATUS_LABELS as CHARGE } from '../../../../src/payments/transactions/labels-pt.ts';
import { STATUS_LABELS as WITHDRAWAL } from '../../../../src/payouts/withdrawals/labels-pt.ts';

/** Labels and descriptions of API values. */
export const statuses = {
  method: METHOD_LABELS,
  chargeStatus: {
    PENDING: { label: CHARGE.PENDING, description: 'Aguardando o pagamento.' },
    WAITING_PAYMENT: { label: CHARGE.WAITING_PAYMENT, description: 'Aguardando o pagamento.' },
    IN_REVIEW: {
      label: 'Em análise de risco',
      description:
        'Retida por uma regra de risco. Se a análise aprovar, o código Pix ou o boleto é gerado, ou o ' +
        'cartão é cobrado.',
    },
    PROCESSING: { label: CHARGE.PROCESSING, description: 'O pagamento está sendo confirmado.' },
    AUTHORIZED: {
      label: CHARGE.AUTHORIZED,
      description: 'O valor está reservado no cartão. Capture para receber.',
    },
    PAID: { label: CHARGE.PAID, description: 'O pagamento foi confirmado.' },
    FAILED: { label: CHARGE.FAILED, description: 'A cobrança expirou, foi cancelada ou falhou.' },
    EXPIRED: { label: 'Expirada', description: 'O prazo para pagar ou capturar acabou.' },
    CANCELED: { label: 'Cancelada', description: 'A cobrança foi cancelada antes do pagamento.' },
    DECLINED: { label: 'Não aprovada', description: 'O pagamento não foi aprovado.' },
    REFUSED: {
      label: CHARGE.REFUSED,
      description: 'Recusada por uma regra de risco, na análise de risco ou pelo provedor.',
    },
    PARTLY_REFUNDED: {
      label: 'Reembolsada em parte',
      description: 'Foi paga, e uma parte do valor foi reembolsada.',
    },
    REFUNDED: { label: CHARGE.REFUNDED, description: 'O valor foi reembolsado.' },
    CHARGEDBACK: { label: CHARGE.CHARGEDBACK, description: 'O banco emissor estornou o valor (chargeback).' },
    DISPUTE: {
      label: CHARGE.DISPUTE,
      description: 'A cobrança foi contestada. O valor fica bloqueado até a decisão.',
    },
  },
  withdrawalStatus: {
    PENDING: { label: WITHDRAWAL.PENDING, description: 'Aguardando aprovação. O valor está reservado.' },
    APPROVED: { label: WITHDRAWAL.APPROVED, description: 'Será enviado ao banco em breve.' },
    PROCESSING: { label: WITHDRAWAL.PROCESSING, description: 'O banco está fazendo a transferência.' },
    PAID: { label: WITHDRAWAL.PAID, description: 'O valor chegou ao destino.' },
    REJECTED: {
      label: WITHDRAWAL.REJECTED,
      description: 'O saque não foi aprovado. O valor foi devolvido ao saldo.',
    },
    FAILED: {
      label: WITHDRAWAL.FAILED,
      description: 'O banco não concluiu a transferência. O valor foi devolvido ao saldo.',
    },
  },
  disputeStatus: {
    OPEN: {
      label: 'Aguardando sua defesa',
      description: 'Envie sua defesa dentro do prazo. Sem defesa, você perde a disputa.',
    },
    UNDER_REVIEW: { label: 'Em análise', description: 'Sua defesa foi enviada e está em análise.' },
    RESOLVED: { label: 'Ganha', description: 'A decisão foi a seu favor. O valor foi desbloqueado.' },
    REJECTED: {
      label: 'Perdida',
      description: 'A decisão foi a favor do pagador. O valor saiu do seu saldo.',
    },
  },
  medStatus: {
    CREATED: {
      label: 'Solicitada',
      description: 'O banco do pagador solicitou a devolução. O valor está bloqueado.',
    },
    TRACKED: { label: 'Rastreada', description: 'O caminho do dinheiro foi identificado.' },
    AWAITING_ANALYSIS: { label: 'Aguardando análise', description: 'Os bancos vão analisar a solicitação.' },
    ANALYSED: { label: 'Analisada', description: 'A análise terminou. O valor ainda está bloqueado.' },
    REFUNDING: {
      label: 'Em devolução',
      description: 'A solicitação foi aceita. O banco está devolvendo o valor.',
    },
    COMPLETED: {
      label: 'Concluída',
      description: 'O valor aceito foi devolvido, ou a solicitação foi negada.',
    },
    CANCELLED: { label: 'Cancelada', description: 'A solicitação foi cancelada. O valor foi desbloqueado.' },
  },
  deliveryStatus: {
    PENDING: { label: 'Na fila', description: 'Aguarda o primeiro envio ou a próxima tentativa.' },
    DELIVERED: { label: 'Entregue', description: 'Seu servidor confirmou o recebimento.' },
    FAILED: {
      label: 'Falhou',
      description: 'Não foi entregue, e não haverá novas tentativas automáticas. Corrija a causa e reenvie.',
    },
    HELD: {
      label: 'Retido',
      description: 'Não enviado, porque o webhook estava desativado. Reative o webhook e reenvie.',
    },
  },
  linkStatus: {
    ACTIVE: { label: LINK.ACTIVE, description: 'Recebe pagamentos.' },
    INACTIVE: { label: LINK.INACTIVE, description: 'Não recebe novos pagamentos. Você pode reativá-lo.' },
    EXPIRED: { label: LINK.EXPIRED, description: 'O prazo acabou. Altere “Válido até” para reativá-lo.' },
    COMPLETED: { label: LINK.COMPLETED, description: 'Recebeu todos os pagamentos previstos.' },
  },
  webhookStatus: {
    ACTIVE: { label: WEBHOOK.ACTIVE, description: 'Recebe eventos.' },
    DISABLED: {
      label: WEBHOOK.DISABLED,
      description: 'Não recebe eventos. Eles ficam retidos e podem ser reenviados.',
    },
  },
  eventNames: {
    TRANSACTION_UPDATED: 'A situação ou o valor reembolsado de uma cobrança mudou',
    WITHDRAWAL_UPDATED: 'A situação de um saque mudou',
    DISPUTE_UPDATED: 'Uma disputa foi aberta, recebeu defesa ou foi encerrada',
    SUBSCRIPTION_UPDATED: 'Uma assinatura mudou',
    SUBSCRIPTION_INVOICE_UPDATED: 'Uma fatura de assinatura mudou',
    SUBSCRIPTION_CARD_REQUIRED: 'Uma assinatura precisa de outro cartão',
    PING: 'Um webhook foi testado',
  },
  cause: CAUSE_LABELS,
} as const;
