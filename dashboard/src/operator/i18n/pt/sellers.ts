import { MEMBER_LABELS as MEMBER } from '../../../../../src/audit/labels-pt.ts';

export const sellers = {
  sellers: {
    title: 'Lojas',
    file: 'lojas.csv',
    new: 'Cadastrar loja',
    newIntro: 'A loja começa com as tarifas e os prazos padrão, que podem ser alterados depois.',
    details: 'Dados da loja',
    owner: 'Responsável',
    name: 'Nome da loja',
    create: 'Cadastrar',
    created: 'Loja cadastrada: {{name}}',
    search: 'Nome, CPF ou CNPJ',
    viewAll: 'Todas',
    viewPending: 'Pendentes',
    viewSuspended: 'Suspensas',
    emptyTitle: 'Nenhuma loja ainda',
    emptyHint: 'Cadastre a primeira loja e seu responsável.',
    balance: 'Saldo',
    related: 'Registros da loja',
    tabs: {
      overview: 'Visão geral',
      limits: 'Limites e prazos',
      fees: 'Tarifas',
      users: 'Usuários',
      keys: 'Chaves de API',
    },
    change: {
      activate: {
        do: 'Ativar',
        title: 'Ativar {{name}}?',
        description: 'A loja passa a cobrar, receber e sacar.',
        done: 'Loja ativada',
      },
      suspend: {
        do: 'Suspender',
        title: 'Suspender {{name}}?',
        description:
          'Os usuários e as chaves de API da loja perdem o acesso até a reativação. Cobranças já ' +
          'criadas ainda podem ser pagas.',
        done: 'Loja suspensa',
      },
      close: {
        do: 'Encerrar conta',
        title: 'Encerrar a conta de {{name}}?',
        description: 'A loja deixa de cobrar e de sacar. O saldo e o histórico são mantidos.',
        done: 'Conta encerrada',
      },
    },
  },
  limits: {
    decisions: 'Decisões automáticas',
    delays: 'Prazos de liberação',
    rates: 'Limites da API',
    saved: 'Limites salvos',
    disabled: 'Desativada',
    autoApproveUpTo: MEMBER.autoApproveUpTo,
    negativeBalanceUpTo: MEMBER.negativeBalanceUpTo,
    chargebackFee: MEMBER.chargebackFee,
    boletoDelayDays: MEMBER.boletoDelayDays,
    cardDelayDays: MEMBER.cardDelayDays,
    requestsPerMinute: MEMBER.requestsPerMinute,
    creationsPerMinute: MEMBER.creationsPerMinute,
  },
  limitDescriptions: {
    autoApproveUpTo:
      'Saques até este valor em 24 horas dispensam aprovação se um saque anterior para o mesmo destino ' +
      'foi pago ou aprovado e ele não é de outro titular. Em branco: todos exigem aprovação.',
    negativeBalanceUpTo:
      'Reembolsos podem deixar o saldo disponível negativo até este valor, mais a tarifa da cobrança.',
    chargebackFee: 'Cobrada da loja a cada chargeback e a cada disputa de cartão perdida.',
    boletoDelayDays: 'Dias úteis bancários após o pagamento.',
    cardDelayDays:
      'Dias entre o pagamento e a liberação da primeira parcela, e entre cada parcela e a seguinte.',
    requestsPerMinute:
      'Requisições com chaves de API e com tokens de acesso fora do painel, somadas. Cada usuário do ' +
      'painel tem um limite próprio.',
    creationsPerMinute: 'Cobranças que a loja pode criar por minuto.',
  },
  fees: {
    save: 'Salvar tarifas',
    receive: 'A loja recebe',
    tooSmall: 'O valor não cobre a tarifa. Informe um valor maior.',
    saved: 'Tarifas salvas',
    preview: 'O simulador já usa as tarifas digitadas. Elas só valem depois de salvas.',
    description:
      'Estas tarifas valem para novas cobranças e novos saques. Os já criados mantêm a tarifa anterior.',
    kindOf: 'Tipo de tarifa: {{name}}',
    fixedPart: 'Parte fixa',
    fixedPartOf: 'Parte fixa: {{name}}',
    minimum: 'Tarifa mínima',
    minimumOf: 'Tarifa mínima: {{name}}',
  },
  people: {
    deleteTitle: 'Excluir {{name}}?',
    deleteDescription: 'O acesso é encerrado imediatamente em todos os dispositivos.',
    deleted: 'Usuário excluído',
    none: 'Nenhum usuário ainda',
    noneHint: 'Convide quem deve ter acesso.',
  },
} as const;
