import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/**
 * What of the PIX API's messages the gateway reads. Members that it does not need are not named, and new ones do no harm: the
 * API says that it grows. Source: Banco Central do Brasil, API Pix 2.9.
 */

/** Reais with a point and two decimals. */
const Valor = Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' });

export const Token = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8192 }),
  /** In seconds. */
  expires_in: Type.Optional(Type.Number({ minimum: 0 })),
});

export const Cob = Type.Object({
  status: Type.String({ maxLength: 64 }),
  valor: Type.Object({ original: Valor }),
  location: Type.Optional(Type.String({ maxLength: 200 })),
  loc: Type.Optional(Type.Object({ location: Type.Optional(Type.String({ maxLength: 200 })) })),
  pixCopiaECola: Type.Optional(Type.String({ maxLength: 512 })),
});
export type Cob = Static<typeof Cob>;

export const Devolucao = Type.Object({
  /** The receiver's own id of it; of a return by MED the PSP's. */
  id: Type.String({ minLength: 1, maxLength: 64 }),
  rtrId: Type.Optional(Type.String({ maxLength: 64 })),
  valor: Valor,
  natureza: Type.Optional(Type.String({ maxLength: 64 })),
  /** EM_PROCESSAMENTO, DEVOLVIDO or NAO_REALIZADO. */
  status: Type.String({ maxLength: 64 }),
  motivo: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type Devolucao = Static<typeof Devolucao>;

export const Pix = Type.Object({
  endToEndId: Type.String({ minLength: 1, maxLength: 64 }),
  txid: Type.Optional(Type.String({ maxLength: 64 })),
  valor: Valor,
  horario: Type.String({ maxLength: 64 }),
  // The published example of a callback has one return without an array around it.
  devolucoes: Type.Optional(Type.Union([Type.Array(Devolucao, { maxItems: 1_000 }), Devolucao])),
});
export type Pix = Static<typeof Pix>;

export const PixPage = Type.Object({
  parametros: Type.Object({
    paginacao: Type.Object({ quantidadeDePaginas: Type.Integer({ minimum: 0 }) }),
  }),
  // Each is looked at by itself: one in another form must not keep the others back.
  pix: Type.Optional(Type.Array(Type.Unknown())),
});

export const WebhookConfig = Type.Object({ webhookUrl: Type.String() });

/** RFC 7807, as the API makes its refusals. */
export const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  status: Type.Optional(Type.Number()),
  violacoes: Type.Optional(Type.Array(Type.Object({ propriedade: Type.Optional(Type.String()) }))),
});

/** The value where it has the form, else undefined. */
export function parseAs<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

/** Cents of an amount as the API writes it, which its form has vouched for. */
export const centsOf = (valor: string): number => Number(valor.replace('.', ''));

/** Whole cents as the API writes them. */
export function valorOf(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Why a request was refused: the kind of error and the members it is about, never their values nor a sentence that may quote
 * one. Undefined for what is no refusal of this API.
 */
export function describeProblem(body: unknown): string | undefined {
  const problem = parseAs(Problem, body);
  const kind = /\/error\/(\w{1,64})$/.exec(problem?.type ?? '')?.[1];
  if (problem === undefined || kind === undefined) return undefined;
  const members = (problem.violacoes ?? [])
    .flatMap(({ propriedade = '' }) => (/^[\w.[\]]{1,64}$/.test(propriedade) ? [propriedade] : []))
    .slice(0, 5);
  return members.length === 0 ? kind : `${kind} (${members.join(', ')})`;
}
