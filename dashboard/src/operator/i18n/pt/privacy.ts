export const privacy = {
  privacy: {
    title: 'Dados pessoais',
    intro: 'Atenda aos pedidos de pagadores previstos na LGPD: cópia ou anonimização dos dados.',
    who: 'CPF, CNPJ ou e-mail do pagador',
    whoHint:
      'A busca por documento encontra também quem pagou com e-mails diferentes. O que você ' +
      'digita não é armazenado.',
    needWho: 'Informe um CPF (11 dígitos), um CNPJ (14 caracteres) ou um e-mail.',
    export: 'Exportar dados',
    erase: 'Anonimizar dados',
    exportOf: 'Exportação dos dados de {{who}}',
    eraseOf: 'Anonimização dos dados de {{who}}',
    running: 'Buscando nas transações de todas as lojas. Mantenha esta tela aberta.',
    exportedSoFar_zero: 'Nenhuma transação até agora.',
    exportedSoFar_one: '{{count, number}} transação até agora.',
    exportedSoFar_other: '{{count, number}} transações até agora.',
    erasedSoFar_zero: 'Nenhuma transação anonimizada até agora.',
    erasedSoFar_one: '{{count, number}} transação anonimizada até agora.',
    erasedSoFar_other: '{{count, number}} transações anonimizadas até agora.',
    stop: 'Interromper',
    stopped: 'Interrompido.',
    resume: 'Continuar',
    failed: 'Interrompido por uma falha. Ao tentar de novo, o processo continua deste ponto.',
    found_one: '{{count, number}} transação deste pagador',
    found_other: '{{count, number}} transações deste pagador',
    fileDescription:
      'O arquivo tem uma linha JSON por transação, com todos os dados armazenados. São dados ' +
      'pessoais: entregue somente ao titular.',
    download: 'Baixar arquivo',
    nothingTitle: 'Nenhuma transação deste pagador',
    nothingHint: 'Confira os dados ou busque pelo documento. Dados já anonimizados não são encontrados.',
    eraseTitle: 'Anonimizar os dados de {{who}}?',
    eraseDescription:
      'Nome, e-mail, telefone, documento e referência são anonimizados em todas as transações ' +
      'deste pagador, em todas as lojas, e nos textos relacionados. Não pode ser desfeito.',
    eraseStays:
      'Valores, situações e o livro-razão não mudam. Transações que ainda precisam dos dados do ' +
      'pagador são mantidas e listadas no fim.',
    eraseFirst: 'Se o pagador pediu uma cópia, exporte os dados antes de anonimizar.',
    erased_zero: 'Nenhuma transação anonimizada',
    erased_one: '{{count, number}} transação anonimizada',
    erased_other: '{{count, number}} transações anonimizadas',
    erasedDescription: 'Elas não identificam mais o pagador. Valores, situações e o livro-razão não mudaram.',
    unsure:
      'Uma das chamadas falhou e pode ter anonimizado transações que não entraram nesta ' +
      'contagem. A auditoria registra todas.',
    kept_one: '{{count, number}} transação mantida por enquanto',
    kept_other: '{{count, number}} transações mantidas por enquanto',
    keptDescription:
      'Elas ainda precisam dos dados do pagador. Repita a anonimização quando forem concluídas.',
    reasons: {
      BOLETO_OPEN: 'O boleto ainda pode ser pago',
      PROVIDER_PENDING: 'Aguardando resposta do provedor',
      DISPUTED: 'Disputa em andamento',
    },
  },
} as const;
