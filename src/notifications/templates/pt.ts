import type { Templates, TemplateTools, MailParams } from './template.ts';
import { reasonInPortuguese } from '#notifications/reasons-pt.ts';

const SECURITY = 'Este aviso trata da segurança da sua conta na Vereda e é sempre enviado.';
const ACCOUNT = 'Mensagem automática da Vereda, plataforma de pagamentos.';
const CHOICE =
  'Você recebe este e-mail conforme as suas preferências na Vereda. Para alterá-las, abra Configurações e ' +
  'vá até “Avisos por e-mail”.';
const NOT_YOU = 'Se não foi você, altere a sua senha agora e encerre as outras sessões em Configurações.';

const ROLES: Readonly<Record<string, string>> = {
  OWNER: 'Responsável',
  FINANCE: 'Financeiro',
  DEVELOPER: 'Desenvolvedor',
  VIEWER: 'Somente leitura',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
};

const METHODS: Readonly<Record<string, string>> = {
  PIX: 'Pix',
  BOLETO: 'Boleto',
  CREDIT_CARD: 'Cartão de crédito',
  PIX_AUTOMATICO: 'Pix Automático',
};

const security = { label: 'Abrir configurações', path: '/settings' } as const;

/** What the mails about an unpaid cycle share. */
const toSubscriber = (
  { seller, amount, description, method, reason, payerToken }: MailParams['payment-failed'],
  { money, unsubscribeUrl, payerPage }: TemplateTools,
) => ({
  sender: seller,
  isForPayer: true,
  details: [
    ['Recebedor', seller],
    ...(description === '' ? [] : [['Assinatura', description] as const]),
    ['Valor', money(amount)],
    ['Forma de pagamento', METHODS[method] ?? method],
    ['Motivo', reasonInPortuguese(reason)],
  ] as const,
  action: {
    label: method === 'CREDIT_CARD' ? 'Trocar cartão' : 'Ver assinatura',
    url: payerPage(payerToken),
  },
  footer: `Para não receber mais e-mails sobre compras em ${seller}: ${unsubscribeUrl}`,
});

/** What other mails about a subscription share. */
const ofSubscription = (
  { seller, amount, description }: Pick<MailParams['card-required'], 'seller' | 'amount' | 'description'>,
  { money, unsubscribeUrl }: TemplateTools,
) => ({
  sender: seller,
  isForPayer: true,
  details: [
    ['Recebedor', seller],
    ...(description === '' ? [] : [['Assinatura', description] as const]),
    ['Valor', money(amount)],
  ] as const,
  footer: `Para não receber mais e-mails sobre compras em ${seller}: ${unsubscribeUrl}`,
});

const INTERVALS: Readonly<Record<string, string>> = {
  WEEKLY: 'toda semana',
  MONTHLY: 'todo mês',
  QUARTERLY: 'a cada 3 meses',
  SEMIANNUAL: 'a cada 6 meses',
  YEARLY: 'todo ano',
};

/** Operators join a team that has the name of the product. */
const inTeam = (name: string): string => (name === 'Vereda' ? 'a equipe da Vereda' : `${name} na Vereda`);
const ofTeam = (name: string): string => (name === 'Vereda' ? 'da Vereda' : `de ${name}`);

/** The time that is left, from its whole days. */
const inDays = (days: number): string =>
  days === 0 ? 'menos de 1 dia' : `até ${days === 1 ? '1 dia' : `${days} dias`}`;

/** The mails in Portuguese. */
export const TEMPLATES_PT: Templates = {
  invitation: ({ inviter, organization, role }, { link }) => ({
    subject: `${inviter} convidou você para ${inTeam(organization)}`,
    paragraphs: [
      `${inviter} convidou você para a equipe ${ofTeam(organization)}, com o perfil ${ROLES[role] ?? role}.`,
      'Aceite o convite para criar a sua senha. O link vale por 7 dias e só pode ser usado uma vez.',
    ],
    action: { label: 'Aceitar convite', url: link('/invitation') },
    footer: `Não conhece ${inviter}? Ignore este e-mail: se você não abrir o link, nada acontece. ${ACCOUNT}`,
  }),
  'invitation-refused': ({ inviter, organization }) => ({
    subject: `Convite para ${inTeam(organization)}`,
    paragraphs: [
      `${inviter} convidou este endereço para a equipe ${ofTeam(organization)}, ` +
        'mas ele já tem uma conta na Vereda.',
      'Cada endereço de e-mail pertence a uma só equipe. Para participar desta, peça um convite para ' +
        'outro endereço.',
    ],
    footer: ACCOUNT,
  }),
  'signup-confirmation': ({ organization }, { link }) => ({
    subject: 'Confirme seu e-mail para abrir sua conta na Vereda',
    paragraphs: [
      `Recebemos um cadastro de ${organization} com este endereço de e-mail.`,
      'Confirme o endereço para continuar. O link vale por 24 horas e só pode ser usado uma vez.',
    ],
    action: { label: 'Confirmar e-mail', url: link('/signup/confirm') },
    footer: `Não foi você? Ignore este e-mail: sem a confirmação, nenhuma conta é criada. ${ACCOUNT}`,
  }),
  'signup-refused': ({ organization }, { page }) => ({
    subject: 'Este e-mail já tem uma conta na Vereda',
    paragraphs: [
      `Recebemos um cadastro de ${organization} com este endereço de e-mail, mas ele já tem uma conta.`,
      'Entre com a sua senha, ou redefina-a se não se lembrar dela. Para abrir outra conta, use outro ' +
        'endereço.',
    ],
    action: { label: 'Entrar', url: page('/') },
    footer: `Não foi você? Ignore este e-mail: nada mudou na sua conta. ${ACCOUNT}`,
  }),
  'application-submitted': ({ organization, sellerId, message }, { page }) => ({
    subject: `Cadastro de ${organization} enviado para análise`,
    paragraphs: [
      `${organization} enviou o cadastro, que aguarda a sua decisão.`,
      ...(message === '' ? [] : ['Resposta à pergunta:', message]),
    ],
    action: { label: 'Analisar cadastro', url: page(`/operator/applications/${sellerId}`) },
    footer: ACCOUNT,
  }),
  'application-question': ({ message }, { page }) => ({
    subject: 'Precisamos de uma informação sobre seu cadastro na Vereda',
    paragraphs: ['Analisamos seu cadastro e temos uma pergunta:', message],
    action: { label: 'Responder', url: page('/') },
    footer: ACCOUNT,
  }),
  'application-approved': ({ message }, { page }) => ({
    subject: 'Seu cadastro na Vereda foi aprovado',
    paragraphs: [
      'Sua conta está ativa. Você já pode criar cobranças e chaves de API.',
      ...(message === '' ? [] : [message]),
    ],
    action: { label: 'Abrir painel', url: page('/') },
    footer: ACCOUNT,
  }),
  'application-rejected': ({ message }, { page }) => ({
    subject: 'Seu cadastro na Vereda não foi aprovado',
    paragraphs: ['Analisamos seu cadastro e não podemos abrir a conta. O motivo:', message],
    action: { label: 'Ver cadastro', url: page('/') },
    footer: ACCOUNT,
  }),
  'password-reset': (_params, { link }) => ({
    subject: 'Redefina a sua senha da Vereda',
    paragraphs: [
      'Recebemos uma solicitação para redefinir a senha da sua conta.',
      'O link vale por 30 minutos e só pode ser usado uma vez. A nova senha encerra todas as sessões.',
    ],
    action: { label: 'Criar nova senha', url: link('/reset-password') },
    footer: `Não foi você? Ignore este e-mail: a sua senha continua a mesma. ${ACCOUNT}`,
  }),
  'new-device': ({ browser, address, at }, { dateTime, page }) => ({
    subject: 'Novo acesso à sua conta da Vereda',
    paragraphs: ['A sua conta foi acessada de um dispositivo que não reconhecemos.', NOT_YOU],
    details: [
      ['Dispositivo', browser.replace(' on ', ' no ')],
      ['Endereço IP', address],
      ['Data e hora', dateTime(at)],
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'password-changed': ({ at }, { dateTime, page }) => ({
    subject: 'A senha da sua conta da Vereda foi alterada',
    paragraphs: [
      `A senha foi alterada em ${dateTime(at)}, e as demais sessões foram encerradas.`,
      'Se não foi você, redefina a senha agora em “Esqueceu a senha?”, na tela de login.',
    ],
    action: { label: 'Redefinir senha', url: page('/forgot-password') },
    footer: SECURITY,
  }),
  'two-factor-enabled': ({ at }, { dateTime, page }) => ({
    subject: 'Aplicativo autenticador ativado',
    paragraphs: [
      `O aplicativo autenticador foi ativado em ${dateTime(at)}. Guarde os códigos de recuperação.`,
      NOT_YOU,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'two-factor-disabled': ({ at }, { dateTime, page }) => ({
    subject: 'Aplicativo autenticador desativado',
    paragraphs: [
      `O aplicativo autenticador foi desativado em ${dateTime(at)}. Se você não tiver uma chave ` +
        'de acesso, só a senha será pedida para entrar.',
      NOT_YOU,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'passkey-added': ({ name, at }, { dateTime, page }) => ({
    subject: 'Nova chave de acesso na sua conta da Vereda',
    paragraphs: [
      `A chave de acesso “${name}” foi adicionada em ${dateTime(at)}. ` +
        'Com ela é possível entrar na sua conta.',
      NOT_YOU,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'passkey-deleted': ({ name, at }, { dateTime, page }) => ({
    subject: 'Chave de acesso excluída da sua conta da Vereda',
    paragraphs: [`A chave de acesso “${name}” foi excluída em ${dateTime(at)}.`, NOT_YOU],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset-requested': ({ user, author, dueAt }, { dateTime, page }) => ({
    subject: `Redefinição da verificação em duas etapas de ${user} solicitada`,
    paragraphs: [
      `${author} pediu que o autenticador, as chaves de acesso e os códigos de recuperação ` +
        `de ${user} sejam removidos.`,
      `A remoção será feita em ${dateTime(dueAt)}. Até lá, ${user} pode cancelar em Configurações, ` +
        `e quem gerencia a equipe, em Equipe.`,
      'Se você não esperava este pedido, cancele-o, altere a sua senha e avise o responsável pela conta.',
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset-canceled': ({ user, at }, { dateTime, page }) => ({
    subject: `Redefinição da verificação em duas etapas de ${user} cancelada`,
    paragraphs: [
      `A redefinição foi cancelada em ${dateTime(at)}. Ela não removerá o autenticador, as chaves de ` +
        `acesso nem os códigos de recuperação de ${user}.`,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'second-factor-reset': ({ user, at }, { dateTime, page }) => ({
    subject: `Verificação em duas etapas de ${user} redefinida`,
    paragraphs: [
      'O autenticador, as chaves de acesso e os códigos de recuperação ' +
        `de ${user} foram removidos em ${dateTime(at)}.`,
      `Até configurar a verificação em duas etapas novamente, ${user} entra só com a senha.`,
    ],
    action: { label: security.label, url: page(security.path) },
    footer: SECURITY,
  }),
  'api-key-created': ({ name, prefix, author, at }, { dateTime, page }) => ({
    subject: 'Nova chave de API criada',
    paragraphs: [
      'Uma chave de API foi criada. Quem tem a chave pode usar a API em nome da sua loja.',
      'Se você não reconhece essa chave, exclua-a agora.',
    ],
    details: [
      ['Nome', name],
      ['Prefixo', prefix],
      ['Criada por', author],
      ['Data e hora', dateTime(at)],
    ],
    action: { label: 'Ver chaves de API', url: page('/developers/keys') },
    footer: SECURITY,
  }),
  'destination-added': ({ destination, author, at }, { dateTime, page }) => ({
    subject: 'Novo destino de saque',
    paragraphs: [
      'Um saque foi solicitado para um destino que a sua loja nunca usou.',
      'Se você não reconhece esse destino, fale com o suporte imediatamente.',
    ],
    details: [
      ['Destino', destination],
      ['Solicitado por', author],
      ['Data e hora', dateTime(at)],
    ],
    action: { label: 'Ver saques', url: page('/withdrawals') },
    footer: SECURITY,
  }),
  'daily-summary': ({ date: day, count, amount }, { date, money, page }) => ({
    subject: `Resumo de ${date(day)}: ${money(amount)} em cobranças pagas`,
    paragraphs: [
      count === 1
        ? `Uma cobrança foi paga em ${date(day)}, no valor de ${money(amount)}.`
        : `${count} cobranças foram pagas em ${date(day)}, no total de ${money(amount)}.`,
    ],
    action: { label: 'Ver cobranças', url: page('/charges') },
    footer: CHOICE,
  }),
  'dispute-opened': ({ amount, reason, days, dueAt }, { money, dateTime, page }) => ({
    subject: `Disputa de ${money(amount)}: envie a sua defesa em ${inDays(days)}`,
    paragraphs: [
      'Uma cobrança foi contestada. O valor fica bloqueado até a decisão.',
      `Sem defesa até ${dateTime(dueAt)}, você perde a disputa.`,
    ],
    details: [
      ['Valor', money(amount)],
      ['Motivo', reasonInPortuguese(reason)],
    ],
    action: { label: 'Apresentar defesa', url: page('/disputes') },
    footer: CHOICE,
  }),
  'dispute-reminder': ({ amount, reason, hours, dueAt }, { money, dateTime, page }) => ({
    subject:
      `${hours === 1 ? 'Falta menos de 1 hora' : `Faltam ${hours} horas`} para enviar a defesa: ` +
      `disputa de ${money(amount)}`,
    paragraphs: [
      'Você ainda não enviou a sua defesa.',
      `Sem defesa até ${dateTime(dueAt)}, você perde a disputa e o valor volta para o pagador.`,
    ],
    details: [
      ['Valor', money(amount)],
      ['Motivo', reasonInPortuguese(reason)],
    ],
    action: { label: 'Apresentar defesa', url: page('/disputes') },
    footer: CHOICE,
  }),
  receipt: ({ seller, amount, method, at }, { money, dateTime, unsubscribeUrl }) => ({
    sender: seller,
    isForPayer: true,
    subject: `Comprovante do pagamento de ${money(amount)} para ${seller}`,
    paragraphs: [`O seu pagamento para ${seller} foi confirmado. Guarde este e-mail como comprovante.`],
    details: [
      ['Recebedor', seller],
      ['Valor', money(amount)],
      ['Forma de pagamento', METHODS[method] ?? method],
      ['Data e hora', dateTime(at)],
    ],
    footer: `Para não receber mais e-mails sobre compras em ${seller}: ${unsubscribeUrl}`,
  }),
  'boleto-reminder': ({ seller, amount, dueDate, line, url }, { money, date, unsubscribeUrl }) => ({
    sender: seller,
    isForPayer: true,
    subject: `Seu boleto de ${money(amount)} vence em ${date(dueDate)}`,
    paragraphs: [
      `O boleto da sua compra em ${seller} vence amanhã. Se você já pagou, desconsidere este e-mail.`,
    ],
    details: [
      ['Recebedor', seller],
      ['Valor', money(amount)],
      ['Vencimento', date(dueDate)],
      ['Linha digitável', line],
    ],
    action: { label: 'Abrir boleto', url },
    footer: `Para não receber mais e-mails sobre compras em ${seller}: ${unsubscribeUrl}`,
  }),
  'payment-failed': (params, tools) => ({
    ...toSubscriber(params, tools),
    subject: `Pagamento de ${tools.money(params.amount)} para ${params.seller} não concluído`,
    paragraphs: [
      `O pagamento da sua assinatura em ${params.seller} não foi concluído.`,
      params.nextDate === null
        ? 'Confira a fatura na página da sua assinatura.'
        : `Uma nova tentativa será feita em ${tools.date(params.nextDate)}. ` +
          `Confira o saldo ou o limite até lá.`,
    ],
  }),
  'subscription-past-due': (params, tools) => ({
    ...toSubscriber(params, tools),
    subject: `A fatura da sua assinatura em ${params.seller} está em atraso`,
    paragraphs: [
      'O pagamento não foi concluído, e não haverá novas tentativas de cobrar esta fatura.',
      params.method === 'CREDIT_CARD'
        ? 'Para regularizar o pagamento, informe outro cartão. A fatura em atraso será cobrada nele na hora.'
        : `Para regularizar o pagamento, fale com ${params.seller}.`,
    ],
  }),
  'subscription-canceled': (params, tools) => ({
    ...toSubscriber(params, tools),
    action: { label: 'Ver assinatura', url: tools.payerPage(params.payerToken) },
    subject: `Sua assinatura em ${params.seller} foi cancelada`,
    paragraphs: [
      'O pagamento não foi concluído, e a assinatura foi cancelada. Nada mais será cobrado.',
      `Para assinar de novo, fale com ${params.seller}.`,
    ],
  }),
  'subscription-created': (params, tools) => ({
    ...ofSubscription(params, tools),
    subject: `Sua assinatura em ${params.seller} foi criada`,
    paragraphs: [
      `Sua assinatura em ${params.seller} foi criada. ` +
        `A cobrança é feita ${INTERVALS[params.interval] ?? ''}.`,
      'Na página da assinatura, você vê as faturas e cancela quando quiser. Se você paga com cartão, ' +
        'também pode trocar de cartão nessa página.',
    ],
    action: { label: 'Ver assinatura', url: tools.payerPage(params.payerToken) },
  }),
  'card-required': (params, tools) => ({
    ...ofSubscription(params, tools),
    subject: `Informe outro cartão para a sua assinatura em ${params.seller}`,
    paragraphs: [
      params.problem === 'EXPIRES'
        ? `A próxima cobrança será em ${tools.date(params.date)}, e o seu cartão vence antes disso.`
        : `O cartão da sua assinatura foi excluído. A próxima cobrança será em ${tools.date(params.date)}.`,
      'Informe outro cartão para manter a assinatura em dia.',
    ],
    action: { label: 'Trocar cartão', url: tools.payerPage(params.payerToken) },
  }),
  'webhook-disabled': ({ url, reason }, { page }) => ({
    subject: 'Um webhook foi desativado',
    paragraphs: [
      'Os envios para a URL abaixo falharam, e o webhook foi desativado. Os novos eventos ficam retidos. ' +
        'Corrija a causa, reative o webhook e reenvie os eventos retidos com POST /v1/webhooks/{id}/replay.',
    ],
    details: [
      ['URL', url],
      ['Motivo', reasonInPortuguese(reason)],
    ],
    action: { label: 'Ver webhooks', url: page('/developers/webhooks') },
    footer: CHOICE,
  }),
  'withdrawal-paid': ({ amount, destination }, { money, page }) => ({
    subject: `Saque de ${money(amount)} pago`,
    paragraphs: ['O seu saque foi pago.'],
    details: [
      ['Valor', money(amount)],
      ['Destino', destination],
    ],
    action: { label: 'Ver saques', url: page('/withdrawals') },
    footer: CHOICE,
  }),
  'withdrawal-rejected': ({ amount, destination, reason }, { money, page }) => ({
    subject: `Saque de ${money(amount)} não realizado`,
    paragraphs: ['O seu saque não foi realizado. O valor voltou para o saldo disponível.'],
    details: [
      ['Valor', money(amount)],
      ['Destino', destination],
      ['Motivo', reasonInPortuguese(reason)],
    ],
    action: { label: 'Ver saques', url: page('/withdrawals') },
    footer: CHOICE,
  }),
};
