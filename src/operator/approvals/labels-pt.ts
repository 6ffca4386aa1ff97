import type { ApprovalAction } from './request.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const ACTION_LABELS = {
  'user.create': 'Adicionar um usuário',
  'user.invite': 'Convidar um usuário',
  'user.delete': 'Excluir um administrador',
  'second-factor.reset': 'Redefinir a verificação em duas etapas de um usuário',
  'settings.replace': 'Alterar a regra de aprovação dupla',
  'seller.update': 'Aumentar limites de uma loja',
  'api-key.create': 'Criar uma chave de API',
} as const satisfies Record<ApprovalAction, string>;
