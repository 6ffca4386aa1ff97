/** Texts of the settings that operators change while the gateway runs. */
export const settings = {
  settings: {
    title: 'Configurações do gateway',
    intro:
      'Valem para todas as lojas em até um segundo, sem reiniciar o gateway. Cada alteração fica ' +
      'registrada na auditoria.',
    sections: {
      providers: 'Provedores',
      disputes: 'Disputas',
      limits: 'Limites',
      retention: 'Guarda de dados',
      history: 'Últimas alterações',
    },
    methods: { PIX: 'Pix', BOLETO: 'Boleto', CREDIT_CARD: 'Cartão de crédito', PAYOUT: 'Saques' },
    providersIntro:
      'São acionados nesta ordem. Um provedor pausado não recebe novas operações. As que já estão em ' +
      'andamento continuam: ' +
      'capturas, cancelamentos, reembolsos e confirmações de pagamento.',
    noProviders: 'Nenhum provedor configurado.',
    active: 'Ativo',
    paused: 'Pausado',
    pausedBy: 'Pausado por {{name}}',
    up: 'Para {{method}}, acionar {{provider}} antes',
    down: 'Para {{method}}, acionar {{provider}} depois',
    orderSaved: 'Ordem dos provedores salva',
    resetOrder: 'Restaurar a ordem padrão',
    pause: 'Pausar',
    pauseOf: 'Pausar {{provider}} para {{method}}',
    pauseTitle: 'Pausar {{provider}} para {{method}}?',
    pauseMessage: {
      charges: 'Nenhuma cobrança nova é enviada a este provedor até que ele seja reativado.',
      payout: 'Nenhum saque é enviado a este provedor até que ele seja reativado.',
    },
    pauseLast: {
      charges:
        'Não há outro provedor ativo para {{method}}: ' +
        'novas cobranças desta forma de pagamento serão recusadas.',
      payout: 'Não há outro provedor ativo: os saques aprovados ficam aguardando.',
    },
    reasonMissing: 'Informe o motivo.',
    pauseDone: 'Provedor pausado',
    resume: 'Reativar',
    resumeOf: 'Reativar {{provider}} para {{method}}',
    resumeTitle: 'Reativar {{provider}} para {{method}}?',
    resumeMessage: {
      charges: 'O provedor volta a receber cobranças novas.',
      payout: 'Os saques aprovados que estão aguardando são enviados.',
    },
    resumeDone: 'Provedor reativado',
    names: {
      medWindowDays: 'Prazo de defesa em solicitações de devolução do MED (dias)',
      checkoutUnpaidPerHour: 'Cobranças não pagas por endereço IP e link (por hora)',
      checkoutDeclinesPerAddress: 'Cartões recusados por endereço IP (por hora)',
      checkoutDeclinesPerLink: 'Cartões recusados por link de pagamento (por hora)',
      signupsPerHour: 'Cadastros por endereço IP (por hora)',
      webhookLogDays: 'Histórico de webhooks (dias)',
      applicationRetentionDays: 'Cadastros recusados ou abandonados (dias)',
    },
    meanings: {
      medWindowDays:
        'Prazo da loja para se defender de uma solicitação de devolução. Vale para novas solicitações em ' +
        'que o provedor não informa o prazo.',
      checkoutUnpaidPerHour: 'Quantas um visitante pode criar em um mesmo link de pagamento.',
      checkoutDeclinesPerAddress: 'Depois disso, a página de pagamento recusa outros cartões do visitante.',
      checkoutDeclinesPerLink: 'Depois disso, o link recusa outros cartões de qualquer visitante.',
      signupsPerHour: 'Quantas lojas podem se cadastrar a partir de um mesmo endereço.',
      webhookLogDays: 'Eventos, envios e tentativas mais antigos são excluídos.',
      applicationRetentionDays:
        'Documentos e dados de cadastros que não foram aprovados são excluídos após esse prazo.',
    },
    range: 'Informe um número de {{minimum}} a {{maximum}}.',
    isDefault: 'De {{minimum}} a {{maximum}}. Em uso: o valor padrão.',
    changed: 'De {{minimum}} a {{maximum}}. Valor padrão: {{value}}.',
    reset: 'Restaurar o padrão ({{value}})',
    saved: 'Configuração salva',
    shortenTitle: 'Reduzir o tempo de guarda?',
    shortenMessage_one:
      'Os dados com mais de {{count, number}} dia são excluídos em seguida e não podem ser recuperados.',
    shortenMessage_other:
      'Os dados com mais de {{count, number}} dias são excluídos em seguida e não podem ser recuperados.',
    shorten: 'Reduzir e excluir',
    noHistory: 'Nenhuma alteração ainda.',
    allHistory: 'Ver a auditoria',
    fromTo: 'de {{from}} para {{to}}',
  },
} as const;
