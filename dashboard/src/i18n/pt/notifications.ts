import type { ChosenKind, NotificationKind } from '../../../../src/notifications/kinds.ts';

/** Texts of the bell and of the choices of emails. */
export const notifications = {
  notifications: {
    title: 'Avisos',
    open_one: 'Avisos: {{count, number}} não lido',
    open_other: 'Avisos: {{count, number}} não lidos',
    readAll: 'Marcar todos como lidos',
    older: 'Mostrar anteriores',
    unread: 'Não lido',
    empty: 'Nenhum aviso',
    emptyHint: 'Os próximos avisos aparecem aqui.',
    paid_one: '{{count, number}} cobrança paga',
    paid_other: '{{count, number}} cobranças pagas',
    appealBy: 'envie a defesa até {{when}}',
    kinds: {
      'new-device': 'Acesso de um novo dispositivo',
      'password-changed': 'Sua senha foi alterada',
      'two-factor-enabled': 'Aplicativo autenticador ativado',
      'two-factor-disabled': 'Aplicativo autenticador desativado',
      'passkey-added': 'Chave de acesso adicionada',
      'passkey-deleted': 'Chave de acesso excluída',
      'second-factor-reset-requested': 'Redefinição da verificação em duas etapas solicitada',
      'second-factor-reset-canceled': 'Redefinição da verificação em duas etapas cancelada',
      'second-factor-reset': 'Verificação em duas etapas redefinida',
      'api-key-created': 'Nova chave de API',
      'destination-added': 'Novo destino de saque',
      'application-submitted': 'Cadastro enviado para análise',
      'application-question': 'Pergunta sobre seu cadastro',
      'application-approved': 'Cadastro aprovado',
      'application-rejected': 'Cadastro não aprovado',
      'daily-summary': 'Resumo diário',
      'dispute-opened': 'Disputa aberta',
      'dispute-reminder': 'Prazo de defesa perto do fim',
      'webhook-disabled': 'Webhook desativado',
      'withdrawal-paid': 'Saque pago',
      'withdrawal-rejected': 'Saque não realizado',
    } satisfies Record<NotificationKind, string>,
    choicesTitle: 'Avisos por e-mail',
    choicesIntro:
      'Tudo aparece no sino, aqui no painel. Escolha o que você também quer receber por e-mail. Avisos ' +
      'de segurança são sempre enviados.',
    choices: {
      'daily-summary': 'Resumo diário das cobranças pagas',
      'dispute-opened': 'Disputas, com o prazo de defesa',
      'dispute-reminder': 'Lembretes do prazo de defesa',
      'webhook-disabled': 'Webhooks desativados por falhas',
      'withdrawal-paid': 'Saques pagos',
      'withdrawal-rejected': 'Saques não realizados',
    } satisfies Record<ChosenKind, string>,
  },
  payers: {
    title: 'O que o pagador vê',
    intro: 'Na página de pagamento, no boleto e nos e-mails.',
    name: 'Nome exibido',
    nameHint: 'Se ficar vazio, aparece o nome da loja.',
    logo: 'URL do logotipo (https)',
    emails: 'Enviar e-mails ao pagador',
    language: 'Idioma dos e-mails',
    emailsHint:
      'Comprovante após o pagamento, lembrete antes do vencimento do boleto e avisos sobre assinaturas. ' +
      'O pagador pode deixar de receber esses e-mails.',
    origins: 'Sites que podem incorporar a página de pagamento',
    originsHint:
      'Um endereço por linha, como https://www.minhaloja.com.br. Em outros sites, a página não abre.',
    snippetHint:
      'Cole este código na página do seu site e troque CODIGO-DO-LINK pelo final do endereço do seu link:',
    snippetCode: 'CODIGO-DO-LINK',
    saved: 'Preferências salvas',
  },
} as const;
