/** Texts of invitations, lost passwords and the team. */
export const people = {
  people: {
    forgot: 'Esqueceu a senha?',
    forgotTitle: 'Redefinir a senha',
    forgotIntro: 'Informe o e-mail da sua conta. Enviaremos um link para criar uma nova senha.',
    forgotSend: 'Enviar link',
    forgotSent: 'Confira o seu e-mail',
    forgotSentHint:
      'Se houver uma conta com o e-mail {{email}}, o link chega em alguns minutos e vale por 30 ' +
      'minutos. Confira também a caixa de spam.',
    sandboxMailbox: 'No ambiente de testes, os e-mails ficam com o operador, em “E-mails de teste”.',
    resetTitle: 'Criar nova senha',
    resetIntro: 'Ao salvar, todas as suas sessões são encerradas.',
    resetSave: 'Salvar nova senha',
    resetDone: 'Senha alterada',
    resetDoneHint: 'Todas as suas sessões foram encerradas. Entre com a nova senha.',
    linkTitle: 'Este link não é mais válido',
    resetLinkHint:
      'O link pode ser usado uma única vez e vale por 30 minutos. Peça um novo ou abra novamente o ' +
      'e-mail mais recente.',
    newLink: 'Pedir novo link',
    invitationLinkHint:
      'O convite pode ser usado uma única vez e vale por sete dias. Se você já o aceitou, entre com o ' +
      'seu e-mail e a sua senha. Se não, peça um novo a quem convidou você.',
    takenTitle: 'Você já tem uma conta',
    takenHint: 'Já existe uma conta com este e-mail. Entre com ela.',
    acceptTitle: 'Aceitar convite',
    acceptIntro: 'Informe o seu nome e escolha uma senha para entrar na equipe.',
    accept: 'Aceitar e entrar',
    teamIntro: 'Quem tem acesso à conta da loja e o que cada pessoa pode fazer.',
    members: 'Pessoas',
    you: '(você)',
    alone: 'Por enquanto, só você tem acesso. Convide quem trabalha com você.',
    invite: 'Convidar pessoa',
    inviteHint: 'A pessoa recebe um link e escolhe a própria senha.',
    sendInvitation: 'Enviar convite',
    invited: 'Convite enviado para {{email}}',
    pending: 'Convites pendentes',
    noPending: 'Nenhum convite pendente.',
    expires: 'expira',
    resend: 'Reenviar',
    resent: 'Convite reenviado para {{email}}. O link anterior não vale mais.',
    revoke: 'Cancelar convite',
    revokeTitle: 'Cancelar o convite para {{email}}?',
    revokeMeans: 'O link enviado deixa de funcionar.',
    revoked: 'Convite cancelado',
  },
} as const;
