import type { EntryCause } from '../../../../src/accounting/ledger/entries.ts';

/** Labels and descriptions of API values. */
export const statuses = {
  method: {
    PIX: 'Pix',
    PIX_AUTOMATICO: 'Pix Automático',
    BOLETO: 'Boleto',
    CREDIT_CARD: 'Cartão',
    CARD: 'Cartão',
    CRYPTO: 'Cripto',
  },
  chargeStatus: {
    PENDING: { label: 'Pendente', description: 'Aguardando o pagamento.' },
    WAITING_PAYMENT: { label: 'Pendente', description: 'Aguardando o pagamento.' },
    PROCESSING: { label: 'Em processamento', description: 'O pagamento está sendo confirmado.' },
    AUTHORIZED: {
      label: 'Pré-autorizada',
      description: 'O valor está reservado no cartão. Capture para receber.',
    },
    PAID: { label: 'Paga', description: 'O pagamento foi confirmado.' },
    FAILED: { label: 'Não concluída', description: 'A cobrança expirou, foi cancelada ou falhou.' },
    EXPIRED: { label: 'Expirada', description: 'O prazo de pagamento acabou.' },
    CANCELED: { label: 'Cancelada', description: 'A cobrança foi cancelada antes do pagamento.' },
    DECLINED: { label: 'Cartão recusado', description: 'O pagamento não foi aprovado.' },
    REFUSED: {
      label: 'Recusada',
      description: 'Recusada por uma regra de risco, na análise de risco ou pelo provedor.',
    },
    PARTLY_REFUNDED: {
      label: 'Reembolsada em parte',
      description: 'Foi paga, e uma parte do valor foi reembolsada.',
    },
    REFUNDED: { label: 'Reembolsada', description: 'O valor foi reembolsado.' },
    CHARGEDBACK: { label: 'Chargeback', description: 'O banco emissor estornou o valor (chargeback).' },
    DISPUTE: {
      label: 'Em disputa',
      description: 'A cobrança foi contestada. O valor fica bloqueado até a decisão.',
    },
  },
  withdrawalStatus: {
    PENDING: { label: 'Em análise', description: 'Aguardando aprovação. O valor está reservado.' },
    APPROVED: { label: 'Aprovado', description: 'Será enviado ao banco em breve.' },
    PROCESSING: { label: 'Em processamento', description: 'O banco está fazendo a transferência.' },
    PAID: { label: 'Pago', description: 'O valor chegou ao destino.' },
    REJECTED: { label: 'Recusado', description: 'O saque não foi aprovado. O valor foi devolvido ao saldo.' },
    FAILED: {
      label: 'Falhou',
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
    FAILED: { label: 'Falhou', description: 'Todas as tentativas falharam. Corrija a causa e reenvie.' },
    HELD: { label: 'Retido', description: 'O webhook está desativado. Reative-o e reenvie.' },
  },
  linkStatus: {
    ACTIVE: { label: 'Ativo', description: 'Recebe pagamentos.' },
    INACTIVE: { label: 'Desativado', description: 'Não recebe novos pagamentos. Você pode reativá-lo.' },
    EXPIRED: { label: 'Expirado', description: 'O prazo acabou. Altere “Válido até” para reativá-lo.' },
    COMPLETED: { label: 'Concluído', description: 'Recebeu todos os pagamentos previstos.' },
  },
  webhookStatus: {
    ACTIVE: { label: 'Ativo', description: 'Recebe eventos.' },
    DISABLED: {
      label: 'Desativado',
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
  cause: {
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
  } satisfies Record<EntryCause, string>,
} as const;
