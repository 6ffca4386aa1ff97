/** Texts of passkeys and of lost second factors. */
export const passkeys = {
  passkeys: {
    title: 'Chaves de acesso',
    intro: 'Entre com a digital, o rosto ou o PIN do seu dispositivo, sem senha e sem código.',
    none: 'Nenhuma chave de acesso ainda.',
    add: 'Adicionar chave de acesso',
    name: 'Nome',
    nameHint: 'Para reconhecê-la depois, como “Celular da Ana”. O navegador pede a confirmação a seguir.',
    created: 'Chave de acesso adicionada',
    exists: 'Este dispositivo já tem uma chave de acesso para a sua conta.',
    rename: 'Renomear',
    synced: 'Sincronizada',
    added: 'criação:',
    used: 'último uso:',
    unused: 'nunca usada',
    deleteTitle: 'Excluir a chave de acesso {{name}}?',
    deleteMeans:
      'Ela não poderá mais ser usada para entrar. Se for a sua única forma de verificação em duas etapas, ' +
      'só a senha será pedida. ' +
      'Exclua-a também no dispositivo.',
    deleted: 'Chave de acesso excluída',
    unsupported: 'Este navegador não aceita chaves de acesso neste endereço. É preciso HTTPS ou localhost.',
    or: 'ou',
    withCode: 'Usar código',
    withPassword: 'Usar senha',
    reset: 'Redefinir verificação em duas etapas',
    resetTitle: 'Redefinir a verificação em duas etapas de {{name}}?',
    resetMeans:
      'Para quem perdeu o dispositivo e os códigos de recuperação. Após o prazo de espera, o autenticador ' +
      'e as chaves de acesso são removidos e as sessões são encerradas. Todos os envolvidos recebem um ' +
      'e-mail, e é possível cancelar até o fim do prazo.',
    resetRequested: 'Redefinição solicitada',
    resetAt: 'A verificação em duas etapas será removida',
    cancelReset: 'Cancelar redefinição',
    resetCanceled: 'Redefinição cancelada',
    ownReset: 'Sua verificação em duas etapas será removida',
    ownResetMeans:
      'Foi solicitada a remoção do seu autenticador e das suas chaves de acesso. Se você não os ' +
      'perdeu, cancele. A remoção será feita em',
  },
} as const;
