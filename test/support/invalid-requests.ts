import { goodCharge, type ApiResponse } from './client.ts';
import { bodyOf } from './errors.ts';

/** Invalid requests and their responses. */

/** Marks a member to remove. */
export const ABSENT = Symbol('absent');

/** A valid request with the members at the given paths replaced or removed. */
export function chargeWith(changes: Readonly<Record<string, unknown>>): unknown {
  let body: unknown = goodCharge();
  for (const [path, value] of Object.entries(changes)) body = changed(body, path.split('.'), value);
  return body;
}

function changed(holder: unknown, [name = '', ...below]: readonly string[], value: unknown): unknown {
  if (Array.isArray(holder)) {
    return holder.map((entry, index) => (String(index) === name ? changed(entry, below, value) : entry));
  }
  const members = Object.entries(holder ?? {});
  const others = members.filter(([member]) => member !== name);
  if (below.length === 0)
    return Object.fromEntries([...others, ...(value === ABSENT ? [] : [[name, value]])]);
  const member: unknown = members.find(([known]) => known === name)?.[1];
  return Object.fromEntries([...others, [name, changed(member, below, value)]]);
}

/** The constant part of every error response. */
export const resultOf = (response: ApiResponse) => ({
  status: response.status,
  body: response.body,
  type: response.headers.get('content-type'),
  named: /^[\w-]{1,64}$/.test(response.headers.get('x-request-id') ?? ''),
});

/** The schema of every error response. */
export const refused = (statusCode: number, message: unknown) => ({
  status: statusCode,
  body: bodyOf(statusCode, message),
  type: 'application/json; charset=utf-8',
  named: true,
});

export const METHOD_RULE = 'method must be one of the following values: PIX, BOLETO, CREDIT_CARD';
export const TYPE_RULE = 'customer.documentType must be one of the following values: CPF, CNPJ';
