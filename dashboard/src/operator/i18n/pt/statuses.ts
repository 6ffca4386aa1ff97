import { OUTCOME_LABELS as OUTCOME } from '../../../../../src/accounting/reconciliation/labels-pt.ts';
import { STATUS_LABELS as SELLER } from '../../../../../src/sellers/labels-pt.ts';
import { STATUS_LABELS as DISPUTE } from '../../../../../src/payments/disputes/labels-pt.ts';
import { OPERATOR_STATUS_LABELS as WITHDRAWAL } from '../../../../../src/payouts/withdrawals/labels-pt.ts';
import { STATUS_LABELS as REVERSAL } from '../../../../../src/payouts/reversals/labels-pt.ts';

/** Labels of statuses that only operators see. */
export const statuses = {
  sellerStatus: {
    PENDING: { label: SELLER.PENDING, description: 'Cadastrada, mas ainda não pode operar.' },
    ACTIVE: { label: SELLER.ACTIVE, description: 'Pode cobrar, receber e sacar.' },
    SUSPENDED: { label: SELLER.SUSPENDED, description: 'Não pode cobrar nem sacar até ser reativada.' },
    CLOSED: { label: SELLER.CLOSED, description: 'A conta foi encerrada.' },
  },
  withdrawalStatus: {
    PENDING: {
      label: WITHDRAWAL.PENDING.replace(' ', '\u00a0'),
      description: 'Aguardando aprovação. O valor está reservado.',
    },
    APPROVED: {
      label: WITHDRAWAL.APPROVED,
      description: 'Será enviado ao provedor ou incluído na próxima remessa.',
    },
    PROCESSING: { label: WITHDRAWAL.PROCESSING, description: 'A transferência está em andamento.' },
    PAID: { label: WITHDRAWAL.PAID, description: 'O valor chegou ao destino.' },
    REJECTED: { label: WITHDRAWAL.REJECTED, description: 'O valor foi devolvido ao saldo da loja.' },
    FAILED: {
      label: WITHDRAWAL.FAILED,
      description: 'A transferência não foi concluída. O valor foi devolvido ao saldo da loja.',
    },
  },
  disputeStatus: {
    OPEN: { label: DISPUTE.OPEN, description: 'A loja ainda pode apresentar defesa.' },
    UNDER_REVIEW: {
      label: DISPUTE.UNDER_REVIEW,
      description:
        'A loja apresentou a defesa. Se o provedor abriu a disputa, ele decide. Se não, o operador.',
    },
    RESOLVED: {
      label: DISPUTE.RESOLVED,
      description: 'Decidida a favor da loja. O valor foi desbloqueado.',
    },
    REJECTED: {
      label: DISPUTE.REJECTED,
      description: 'Decidida a favor do pagador. O valor foi debitado.',
    },
  },
  reversalStatus: {
    PENDING: { label: REVERSAL.PENDING, description: 'Será enviada ao provedor automaticamente.' },
    SENT: { label: REVERSAL.SENT, description: 'O valor foi devolvido ao pagador.' },
    MANUAL: {
      label: REVERSAL.MANUAL,
      description: 'Não pode ser feita automaticamente. Devolva fora do sistema.',
    },
  },
  mailStatus: {
    PENDING: { label: 'Na fila', description: 'Aguarda o primeiro envio ou a próxima tentativa.' },
    SENT: { label: 'Enviado', description: 'O servidor de e-mail aceitou a mensagem.' },
    KEPT: { label: 'Guardado', description: 'Está em “E-mails de teste”.' },
    FAILED: { label: 'Não entregue', description: 'Não haverá novas tentativas. Corrija a causa e reenvie.' },
  },
  providerEventStatus: {
    APPLIED: { label: OUTCOME.APPLIED, description: 'O registro foi atualizado.' },
    LATE: {
      label: OUTCOME.LATE,
      description: 'Pagamento de cobrança já encerrada. O valor volta ao pagador.',
    },
    DUPLICATE: {
      label: OUTCOME.DUPLICATE,
      description: 'A cobrança já estava paga. O valor volta ao pagador.',
    },
    WRONG_AMOUNT: {
      label: OUTCOME.WRONG_AMOUNT,
      description: 'Valor diferente do cobrado. Volta ao pagador.',
    },
    REJECTED: {
      label: OUTCOME.REJECTED,
      description: 'Incompatível com a situação do registro. Nada foi alterado.',
    },
    NOTED: { label: 'Informativo', description: 'Registrado apenas para consulta.' },
    REPEATED: { label: 'Repetido', description: 'Já havia sido processado.' },
    WAITING: { label: 'Aguardando', description: 'Ainda será processado.' },
    UNMATCHED: {
      label: OUTCOME.UNMATCHED,
      description: 'Não corresponde a nenhum registro ou difere do que o provedor respondeu. Investigue.',
    },
    PENDING: { label: OUTCOME.PENDING, description: 'Nada muda até o provedor confirmar.' },
  },
  dayStatus: {
    BALANCED: { label: 'Conciliado', description: 'O arquivo e o livro-razão conferem.' },
    DIFFERENT: { label: 'Divergente', description: 'Há diferenças entre o arquivo e o livro-razão.' },
    NO_FILE: { label: 'Sem arquivo', description: 'O arquivo do dia ainda não foi importado.' },
    NO_FILE_DUE: {
      label: 'Nada a conferir',
      description: 'O arquivo chega no dia seguinte. Um dia sem movimentações não precisa de arquivo.',
    },
  },
  providerStatus: {
    CLOSED: { label: 'Operacional', description: 'Recebe chamadas normalmente.' },
    HALF_OPEN: { label: 'Em recuperação', description: 'A próxima chamada decide se volta a operar.' },
    OPEN: {
      label: 'Fora do ar',
      description: 'Falhou cinco vezes seguidas. Não recebe chamadas por até um minuto.',
    },
  },
  checkStatus: {
    OK: { label: 'OK', description: 'Nada a fazer.' },
    WARNING: { label: 'Atenção', description: 'Nada está falhando agora, mas algo deve ser ajustado.' },
    FAILED: { label: 'Falha', description: 'Precisa ser corrigido.' },
  },
  componentStatus: {
    UP: { label: 'Operacional', description: 'Está respondendo.' },
    DOWN: { label: 'Fora do ar', description: 'Não está respondendo.' },
  },
} as const;
