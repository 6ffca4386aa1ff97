export const privacy = {
  privacy: {
    title: 'Dados pessoais',
    intro: 'Atenda aos pedidos dos pagadores previstos na LGPD: cópia ou anonimização dos dados.',
    who: 'CPF, CNPJ ou e-mail do pagador',
    whoHint:
      'A busca por documento encontra também quem pagou com e-mails diferentes. O que você ' +
      'digita não é armazenado.',
    needWho: 'Informe um CPF (11 dígitos), um CNPJ (14 caracteres) ou um e-mail.',
    export: 'Exportar dados',
    erase: 'Anonimizar dados',
    exportOf: 'Exportação dos dados de {{who}}',
    eraseOf: 'Anonimização dos dados de {{who}}',
    running: 'Buscando nas cobranças de todas as lojas. Mantenha esta tela aberta.',
    exportedSoFar_zero: 'Nenhuma cobrança até agora.',
    exportedSoFar_one: '{{count, number}} cobrança até agora.',
    exportedSoFar_other: '{{count, number}} cobranças até agora.',
    erasedSoFar_zero: 'Nenhuma cobrança anonimizada até agora.',
    erasedSoFar_one: '{{count, number}} cobrança anonimizada até agora.',
    erasedSoFar_other: '{{count, number}} cobranças anonimizadas até agora.',
    stop: 'Interromper',
    stopped: 'Interrompido.',
    resume: 'Continuar',
    failed: 'Interrompido por uma falha. Ao tentar novamente, o processo continua deste ponto.',
    found_zero: 'Nenhuma cobrança deste pagador',
    found_one: '{{count, number}} cobrança deste pagador',
    found_other: '{{count, number}} cobranças deste pagador',
    customersFound_one: '{{count, number}} cadastro deste pagador.',
    customersFound_other: '{{count, number}} cadastros deste pagador.',
    fileDescription:
      'O arquivo tem uma linha JSON por cobrança e por cadastro, com todos os dados armazenados. São dados ' +
      'pessoais: entregue somente ao titular.',
    download: 'Baixar arquivo',
    file: 'dados-do-pagador.jsonl',
    nothingTitle: 'Nenhum dado deste pagador',
    nothingHint: 'Confira os dados ou busque pelo documento. Dados já anonimizados não são encontrados.',
    eraseTitle: 'Anonimizar os dados de {{who}}?',
    eraseDescription:
      'Nome, e-mail, celular, documento e número do pedido são anonimizados em todas as cobranças deste ' +
      'pagador, em todas as lojas, e nos textos relacionados. Cadastros de cliente e cartões salvos são ' +
      'excluídos, e as assinaturas do pagador são canceladas na próxima cobrança. Esta ação não pode ser ' +
      'desfeita.',
    eraseStays:
      'Valores, situações e o livro-razão não mudam. Cobranças que ainda precisam dos dados do ' +
      'pagador são mantidas e listadas ao final.',
    eraseFirst: 'Se o pagador pediu uma cópia, exporte os dados antes de anonimizar.',
    customersErased_one: '{{count, number}} cadastro excluído.',
    customersErased_other: '{{count, number}} cadastros excluídos.',
    erased_zero: 'Nenhuma cobrança anonimizada',
    erased_one: '{{count, number}} cobrança anonimizada',
    erased_other: '{{count, number}} cobranças anonimizadas',
    erasedDescription: 'Elas não identificam mais o pagador. Valores, situações e o livro-razão não mudaram.',
    unsure:
      'Uma das chamadas falhou e pode ter anonimizado cobranças que não entraram nesta ' +
      'contagem. A auditoria registra todas.',
    kept_one: '{{count, number}} cobrança mantida por enquanto',
    kept_other: '{{count, number}} cobranças mantidas por enquanto',
    keptDescription:
      'Elas ainda precisam dos dados do pagador. Repita a anonimização quando forem concluídas.',
    reasons: {
      BOLETO_OPEN: 'O boleto ainda pode ser pago',
      PROVIDER_PENDING: 'Aguardando resposta do provedor',
      DISPUTED: 'Disputa em andamento',
    },
  },
} as const;
