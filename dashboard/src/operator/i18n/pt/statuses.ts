/** Labels of statuses that only operators see. */
export const statuses = {
  sellerStatus: {
    PENDING: { label: 'Pendente', description: 'Cadastrada, mas ainda não pode operar.' },
    ACTIVE: { label: 'Ativa', description: 'Pode cobrar, receber e sacar.' },
    SUSPENDED: { label: 'Suspensa', description: 'Não pode cobrar nem sacar até ser reativada.' },
    CLOSED: { label: 'Encerrada', description: 'A conta foi encerrada.' },
  },
  withdrawalStatus: {
    PENDING: { label: 'A\u00a0aprovar', description: 'Aguardando aprovação. O valor está reservado.' },
    APPROVED: { label: 'Aprovado', description: 'Será enviado ao provedor ou incluído na próxima remessa.' },
    PROCESSING: { label: 'Em processamento', description: 'A transferência está em andamento.' },
    PAID: { label: 'Pago', description: 'O valor chegou ao destino.' },
    REJECTED: { label: 'Recusado', description: 'O valor foi devolvido ao saldo da loja.' },
    FAILED: {
      label: 'Falhou',
      description: 'A transferência não foi concluída. O valor foi devolvido ao saldo da loja.',
    },
  },
  disputeStatus: {
    OPEN: { label: 'Aguardando defesa', description: 'A loja ainda pode apresentar defesa.' },
    UNDER_REVIEW: {
      label: 'Aguardando decisão',
      description: 'A loja apresentou a defesa. A decisão é do operador.',
    },
    RESOLVED: {
      label: 'Ganha pela loja',
      description: 'Decidida a favor da loja. O valor foi desbloqueado.',
    },
    REJECTED: {
      label: 'Perdida pela loja',
      description: 'Decidida a favor do pagador. O valor foi debitado.',
    },
  },
  reversalStatus: {
    PENDING: { label: 'Na fila', description: 'Será enviada ao provedor automaticamente.' },
    SENT: { label: 'Enviada', description: 'O valor foi devolvido ao pagador.' },
    MANUAL: {
      label: 'Ação manual',
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
    APPLIED: { label: 'Aplicado', description: 'O registro foi atualizado.' },
    LATE: {
      label: 'Atrasado',
      description: 'Pagamento de cobrança já encerrada. O valor volta ao pagador.',
    },
    DUPLICATE: { label: 'Duplicado', description: 'A cobrança já estava paga. O valor volta ao pagador.' },
    WRONG_AMOUNT: { label: 'Valor divergente', description: 'Valor diferente do cobrado. Volta ao pagador.' },
    REJECTED: {
      label: 'Rejeitado',
      description: 'Incompatível com a situação do registro. Nada foi alterado.',
    },
    NOTED: { label: 'Informativo', description: 'Registrado apenas para consulta.' },
    REPEATED: { label: 'Repetido', description: 'Já havia sido processado.' },
    WAITING: { label: 'Aguardando', description: 'Ainda será processado.' },
    UNMATCHED: {
      label: 'Não identificado',
      description: 'Não corresponde a nenhum registro ou contradiz o provedor. Investigue.',
    },
    PENDING: { label: 'Não confirmado', description: 'Nada muda até o provedor confirmar.' },
  },
  dayStatus: {
    BALANCED: { label: 'Conciliado', description: 'O arquivo e o livro-razão conferem.' },
    DIFFERENT: { label: 'Divergente', description: 'Há diferenças entre o arquivo e o livro-razão.' },
    NO_FILE: { label: 'Sem arquivo', description: 'O arquivo do dia ainda não foi importado.' },
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
