/** API keys, webhooks, their deliveries and event types. */
export const developers = {
  keys: {
    title: 'Chaves de API',
    intro: 'Seu sistema usa uma chave para criar cobranças e consultar o saldo. Guarde-a como uma senha.',
    new: 'Criar chave',
    name: 'Nome da chave',
    nameHint: 'Ex.: servidor da loja',
    role: 'Perfil de acesso',
    roleDescriptions: {
      OWNER: 'Acesso total: cobrar, reembolsar, sacar e configurar',
      FINANCE: 'Consultar tudo, reembolsar, sacar e apresentar defesas',
      DEVELOPER: 'Consultar tudo, cobrar e configurar webhooks',
      VIEWER: 'Somente consultar',
    },
    secretTitle: 'Copie e guarde a chave',
    secretLabel: 'chave de API',
    secretHint: 'Ela é exibida uma única vez. Se você a perder, crie outra e exclua esta.',
    prefix: 'Prefixo',
    createdBy: 'Criada por {{name}}',
    lastUsed: 'Último uso',
    never: 'Nunca usada',
    deleteTitle: 'Excluir a chave de API {{name}}?',
    deleteDescription: 'Os sistemas que usam {{prefix}}… deixam de funcionar imediatamente.',
    deleted: 'Chave excluída',
    emptyTitle: 'Nenhuma chave ainda',
    emptyHint: 'Crie a primeira para integrar o seu sistema.',
  },
  webhooks: {
    title: 'Webhooks',
    intro: 'Um webhook notifica o seu sistema a cada mudança em cobranças, saques, disputas e assinaturas.',
    new: 'Adicionar webhook',
    url: 'URL (https)',
    about: 'Eventos',
    types: {
      ALL: 'Todos os eventos',
      TRANSACTION: 'Cobranças',
      WITHDRAWAL: 'Saques',
      DISPUTE: 'Disputas',
      SUBSCRIPTION: 'Assinaturas',
    },
    secretTitle: 'Copie e guarde o segredo',
    secretLabel: 'segredo',
    secretHint: 'Use-o para conferir a assinatura dos envios. Ele é exibido uma única vez.',
    test: 'Enviar teste',
    tested: 'Teste enviado. Veja o resultado em Envios de webhook.',
    rotate: 'Trocar segredo',
    rotateTitle: 'Trocar o segredo deste webhook?',
    rotateDescription: 'O segredo atual continua valendo por 24 horas, junto com o novo.',
    postback: {
      rotate: 'Trocar segredo das URLs de notificação',
      title: 'Trocar o segredo das URLs de notificação?',
      description:
        'Os envios às URLs de notificação da loja (postbackUrl) são assinados com este segredo. O atual ' +
        'continua valendo por 24 horas, junto com o novo. Uma nova troca nesse período invalida o mais antigo.',
      hint:
        'Use-o para conferir a assinatura dos envios às URLs de notificação da loja. Ele é exibido uma ' +
        'única vez. O segredo anterior continua valendo por 24 horas.',
    },
    enable: 'Reativar',
    disable: 'Desativar',
    changed: 'Webhook atualizado',
    deleteTitle: 'Excluir o webhook?',
    deleteDescription: '{{url}} deixa de receber eventos. Os envios na fila e os retidos são descartados.',
    deleted: 'Webhook excluído',
    emptyTitle: 'Nenhum webhook ainda',
    emptyHint: 'Adicione a URL do seu sistema pelo painel ou pela API:',
    log: 'Ver envios',
  },
  deliveries: {
    title: 'Envios de webhook',
    one: 'Envio de webhook',
    results: 'Envios por resultado',
    event: 'Evento',
    attempts: 'Tentativas',
    emptyTitle: 'Nenhum envio ainda',
    emptyHint: 'Cada envio aparece aqui, com a resposta do seu servidor.',
    payload: 'Conteúdo enviado',
    answer: 'Resposta do seu servidor',
    attempt: 'Tentativa {{number}}',
    noAnswer: 'Sem resposta',
    latency: '{{ms, number}} ms',
    resend: 'Reenviar',
    resent: 'Reenvio solicitado',
    record: 'ID do registro',
    webhook: 'Webhook',
  },
  events: {
    title: 'Tipos de evento',
    intro: 'Os eventos que os webhooks recebem, com um exemplo do conteúdo de cada um.',
    example: 'Exemplo',
    about: 'Para recebê-lo, selecione “{{type}}” ou “{{all}}” no webhook.',
    descriptions: {
      TRANSACTION_UPDATED:
        'Enviado aos webhooks de cobranças e à URL de notificação da cobrança (postbackUrl). Na ' +
        'criação, só é enviado se a cobrança já tiver um resultado, como um cartão pago, pré-autorizado ou ' +
        'recusado.',
      WITHDRAWAL_UPDATED: 'Enviado aos webhooks de saques.',
      DISPUTE_UPDATED: 'Enviado aos webhooks de disputas.',
      SUBSCRIPTION_UPDATED:
        'Enviado aos webhooks de assinaturas, a cada mudança de situação e após uma alteração.',
      SUBSCRIPTION_INVOICE_UPDATED:
        'Enviado aos webhooks de assinaturas, quando uma fatura é cobrada e a cada mudança de situação.',
      SUBSCRIPTION_CARD_REQUIRED:
        'Enviado aos webhooks de assinaturas, quando o cartão vence antes da próxima cobrança ' +
        'ou foi excluído.',
      PING: 'Enviado quando você testa um webhook, qualquer que seja a seleção de eventos.',
    },
  },
} as const;
