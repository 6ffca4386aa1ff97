import { Type, type Static } from 'typebox';

import { AUTHORIZATION_STATUSES } from '#subscriptions/subscription.ts';

/**
 * The members of the messages of Pix Automático that the gateway reads. Source: Banco Central do
 * Brasil, API Pix 2.9.
 */

export const Rec = Type.Object({
  idRec: Type.String({ pattern: '^[a-zA-Z0-9]{29}$' }),
  status: Type.Enum([...AUTHORIZATION_STATUSES]),
  vinculo: Type.Optional(Type.Object({ contrato: Type.Optional(Type.String({ maxLength: 35 })) })),
  /** The requests to the payer, oldest first, in journey 1. */
  solicitacao: Type.Optional(Type.Array(Type.Object({ status: Type.String({ maxLength: 16 }) }))),
  dadosQR: Type.Optional(Type.Object({ pixCopiaECola: Type.Optional(Type.String({ maxLength: 512 })) })),
});
export type Rec = Static<typeof Rec>;

export const RecPage = Type.Object({
  parametros: Type.Object({
    paginacao: Type.Object({ quantidadeDePaginas: Type.Integer({ minimum: 0 }) }),
  }),
  // Parsed one by one: a recurrence of another system must not block the others.
  recs: Type.Array(Type.Unknown()),
});

export const LocRec = Type.Object({ id: Type.Integer() });

const Rejeicao = Type.Optional(Type.Object({ codigo: Type.Optional(Type.String({ maxLength: 4 })) }));

export const Tentativa = Type.Object({
  dataLiquidacao: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  /** SOLICITADA, AGENDADA, PAGA, CANCELADA, REJEITADA or EXPIRADA. */
  status: Type.String({ maxLength: 16 }),
  rejeicao: Rejeicao,
});
export type Tentativa = Static<typeof Tentativa>;

export const CobR = Type.Object({
  idRec: Type.String({ maxLength: 29 }),
  txid: Type.String({ maxLength: 35 }),
  /** CRIADA, ATIVA, CONCLUIDA, EXPIRADA, REJEITADA or CANCELADA. */
  status: Type.String({ maxLength: 16 }),
  valor: Type.Object({ original: Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' }) }),
  tentativas: Type.Optional(Type.Array(Tentativa, { maxItems: 100 })),
  encerramento: Type.Optional(Type.Object({ rejeicao: Rejeicao, cancelamento: Rejeicao })),
  pix: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
});
export type CobR = Static<typeof CobR>;

/** Callbacks. They name what is to be read. */
export const RecNotification = Type.Object({ idRec: Type.String({ maxLength: 29 }) });
export const CobRNotification = Type.Object({ txid: Type.String({ maxLength: 35 }) });
