import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { ENCODINGS, selectEncoding, type EncodedBody } from './compression.ts';

export interface CacheableResponse {
  /** Media type. */
  readonly type: string;
  /** A text that determines the body. The ETag is a hash of it. */
  readonly from: string;
  /** The value of Cache-Control. */
  readonly control: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Images of codes never change. Sellers embed them in their own pages, so other origins may load
 * them.
 */
export const PUBLIC_IMAGE = {
  type: 'image/png',
  control: 'public, max-age=86400',
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
} as const;

/** Sends 304 to a client that has the current version, and renders the body only for others. */
export async function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, from, control, headers = {} }: CacheableResponse,
  render: () => Buffer | Promise<Buffer>,
): Promise<FastifyReply> {
  const tag = hash('sha256', from, 'base64url').slice(0, 22);
  reply.headers({ ...headers, etag: `"${tag}"`, 'cache-control': control });
  if (matchesEtag(request.headers['if-none-match'], [`"${tag}"`])) return reply.code(304).send();
  return reply.type(type).send(await render());
}

/**
 * As `sendCacheable`, in the best encoding that the client accepts. Each encoding has an ETag of
 * its own, as strong ones must. Those of the other encodings match too: they are of the same text.
 */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, from, control, headers = {} }: CacheableResponse,
  body: EncodedBody,
): Promise<FastifyReply> {
  const encoding = selectEncoding(request.headers['accept-encoding']);
  const tag = hash('sha256', from, 'base64url').slice(0, 22);
  const etag = encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`;
  reply.headers({ vary: 'accept-encoding', ...headers, etag, 'cache-control': control });
  const current = [`"${tag}"`, ...ENCODINGS.map((name) => `"${tag}-${name}"`)];
  if (matchesEtag(request.headers['if-none-match'], current)) return reply.code(304).send();
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type(type).send(await body(encoding));
}

/** Weak tags match too, because a compressing proxy weakens ours (RFC 9110, section 13.1.2). */
function matchesEtag(header: string | undefined, current: readonly string[]): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || current.some((tag) => tags.includes(tag));
}
