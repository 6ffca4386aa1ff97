import {
  ACTION_LABELS,
  ACTOR_LABELS,
  MEMBER_LABELS,
  RECORD_TYPE_LABELS,
  VALUE_LABELS,
} from '../../../../../src/audit/labels-pt.ts';

export const audit = {
  audit: {
    title: 'Auditoria',
    file: 'auditoria.csv',
    one: 'Registro de auditoria',
    intro:
      'Alterações, logins, acessos negados e consultas a dados pessoais. Os registros não podem ser ' +
      'alterados nem excluídos.',
    when: 'Quando',
    who: 'Quem',
    action: 'Ação',
    request: 'ID da requisição',
    emptyTitle: 'Nenhum registro ainda',
    emptyHint: 'Alterações da operação e de credenciais aparecem aqui.',
    changes: 'Alterações',
    createdWith: 'Detalhes',
    deletedWith: 'Valores excluídos',
    field: 'Campo',
    value: 'Valor',
    before: 'Antes',
    after: 'Depois',
    nothing: 'Nenhum campo alterado.',
  },
  actors: {
    ...ACTOR_LABELS,
    SELLER: 'loja',
    PROVIDER: 'provedor',
    WORKER: 'sistema',
    OPERATOR: 'operação',
  },
  recordTypes: RECORD_TYPE_LABELS,
  actions: ACTION_LABELS,
  fields: MEMBER_LABELS,
  values: VALUE_LABELS,
} as const;
