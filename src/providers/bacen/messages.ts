import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

import { firstCharacters } from '#formats/text.ts';
import type { PixPayer } from '#payments/transactions/transaction.ts';

/**
 * The members of the Pix API's messages that the gateway reads. Others are ignored, since the API
 * adds members in compatible versions. Source: Banco Central do Brasil, API Pix 2.9.
 */

/** PostgreSQL stores no NUL, so that a text with one could never be stored. */
const storedText = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' });

/** Amount in reais with a point and two decimals. */
const Valor = Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$' });

export const Token = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8192 }),
  /** Seconds. */
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
  /** The receiver's id of the refund; the PSP's id if it was made by MED. */
  id: storedText(64, 1),
  rtrId: Type.Optional(storedText(64)),
  valor: Valor,
  natureza: Type.Optional(storedText(64)),
  /** EM_PROCESSAMENTO, DEVOLVIDO or NAO_REALIZADO. */
  status: storedText(64),
  motivo: Type.Optional(storedText(1_000)),
});
export type Devolucao = Static<typeof Devolucao>;

const Pagador = Type.Object({
  nome: Type.Optional(storedText(200)),
  cpf: Type.Optional(storedText(14)),
  cnpj: Type.Optional(storedText(18)),
});

export const Pix = Type.Object({
  endToEndId: storedText(64, 1),
  txid: Type.Optional(storedText(64)),
  valor: Valor,
  horario: Type.String({ maxLength: 64 }),
  /**
   * Not part of the published schema; many PSPs send it. Checked on its own: it must not cost a
   * payment.
   */
  pagador: Type.Optional(Type.Unknown()),
  // The published example of a callback has a single refund without an array.
  devolucoes: Type.Optional(Type.Union([Type.Array(Devolucao, { maxItems: 1_000 }), Devolucao])),
});
export type Pix = Static<typeof Pix>;

/** Who paid, as far as the PSP reports it; the bank is named by the end-to-end id. */
export function payerOf({ pagador, endToEndId }: Pix): PixPayer | null {
  const payer = parseAs(Pagador, pagador);
  if (payer === undefined) return null;
  const document = (payer.cpf ?? payer.cnpj)?.replaceAll(/[^0-9A-Z]/g, '');
  const isDocument = document?.length === 11 || document?.length === 14;
  const ispb = /^E(\d{8})/.exec(endToEndId)?.[1] ?? null;
  return { name: payer.nome ?? null, document: isDocument ? document : null, ispb };
}

export const PixPage = Type.Object({
  parametros: Type.Object({
    paginacao: Type.Object({ quantidadeDePaginas: Type.Integer({ minimum: 0 }) }),
  }),
  // Parsed one by one: a malformed payment must not block the others.
  pix: Type.Optional(Type.Array(Type.Unknown())),
});

export const WebhookConfig = Type.Object({ webhookUrl: Type.String() });

/** An error of the API, by RFC 7807. */
const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  status: Type.Optional(Type.Number()),
  violacoes: Type.Optional(Type.Array(Type.Object({ propriedade: Type.Optional(Type.String()) }))),
});

/** Returns the value if it matches the schema; otherwise undefined. */
export function parseAs<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined {
  return Value.Check(schema, value) ? value : undefined;
}

const MAX_NAME_LENGTH = 200;

/** A payer's name as the API accepts it. Cut between characters: the API refuses half of one. */
export const nameOf = (name: string): string => firstCharacters(name.trim(), MAX_NAME_LENGTH);

/** Converts an amount of the API, already checked against its schema, to cents. */
export const centsOf = (valor: string): number => Number(valor.replace('.', ''));

/** Converts cents to an amount of the API. */
export function valorOf(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Describes why the API refused a request: the error type and the offending members, never their
 * values. Returns undefined if the body is not an error of the API.
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
