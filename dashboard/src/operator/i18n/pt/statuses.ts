/** Labels of statuses that only operators see. */
export const statuses = {
  sellerStatus: {
    PENDING: { word: 'Pendente', means: 'Cadastrada, mas ainda não pode operar.' },
    ACTIVE: { word: 'Ativa', means: 'Pode cobrar, receber e sacar.' },
    SUSPENDED: { word: 'Suspensa', means: 'Não pode cobrar nem sacar até ser reativada.' },
    CLOSED: { word: 'Encerrada', means: 'A conta foi encerrada.' },
  },
  disputeStatus: {
    OPEN: { word: 'Aguardando defesa', means: 'A loja ainda pode apresentar defesa.' },
    UNDER_REVIEW: { word: 'Aguardando decisão', means: 'A loja apresentou defesa. A decisão é da operação.' },
    RESOLVED: { word: 'Ganha pela loja', means: 'Decidida a favor da loja. O valor foi liberado.' },
    REJECTED: { word: 'Perdida pela loja', means: 'Decidida a favor do pagador. O valor foi debitado.' },
  },
  reversalStatus: {
    PENDING: { word: 'Na fila', means: 'Será enviada ao provedor automaticamente.' },
    SENT: { word: 'Enviada', means: 'O valor foi devolvido ao pagador.' },
    MANUAL: { word: 'Ação manual', means: 'Não pode ser feita automaticamente. Devolva fora do sistema.' },
  },
  providerEventStatus: {
    APPLIED: { word: 'Aplicado', means: 'O registro foi atualizado.' },
    LATE: { word: 'Atrasado', means: 'Pagamento de transação já finalizada. O valor volta ao pagador.' },
    DUPLICATE: { word: 'Duplicado', means: 'A transação já estava paga. O valor volta ao pagador.' },
    WRONG_AMOUNT: { word: 'Valor divergente', means: 'Valor diferente do cobrado. Volta ao pagador.' },
    REJECTED: { word: 'Rejeitado', means: 'Incompatível com a situação do registro. Nada mudou.' },
    NOTED: { word: 'Informativo', means: 'Guardado apenas para consulta.' },
    REPEATED: { word: 'Repetido', means: 'Já havia sido processado.' },
    WAITING: { word: 'Aguardando', means: 'Ainda será processado.' },
    UNMATCHED: {
      word: 'Sem registro',
      means: 'Não corresponde a nenhum registro ou contradiz o provedor. Investigue.',
    },
    PENDING: { word: 'Não confirmado', means: 'Nada muda até o provedor confirmar.' },
  },
  dayStatus: {
    BALANCED: { word: 'Conciliado', means: 'O arquivo e o livro-razão conferem.' },
    DIFFERENT: { word: 'Divergente', means: 'Há diferenças entre o arquivo e o livro-razão.' },
    NO_FILE: { word: 'Sem arquivo', means: 'O arquivo do dia ainda não foi importado.' },
  },
  providerStatus: {
    CLOSED: { word: 'Operacional', means: 'Recebe chamadas normalmente.' },
    HALF_OPEN: { word: 'Em recuperação', means: 'A próxima chamada decide se volta a operar.' },
    OPEN: { word: 'Fora do ar', means: 'Falhou cinco vezes seguidas. As chamadas estão suspensas.' },
  },
  componentStatus: {
    UP: { word: 'Operacional', means: 'Está respondendo.' },
    DOWN: { word: 'Fora do ar', means: 'Não está respondendo.' },
  },
} as const;
