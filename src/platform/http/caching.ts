import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is served, as its reader may keep it. */
export interface CacheableResponse {
  /** Media type. */
  readonly type: string;
  /**
   * What the bytes follow from: the same text, the same bytes. Nothing of it can be read from its
   * tag.
   */
  readonly from: string;
  /** The value of Cache-Control. */
  readonly control: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Pictures of codes never change, and sellers show them in pages of their own, which the default
 * policy forbids.
 */
export const PUBLIC_IMAGE = {
  type: 'image/png',
  control: 'public, max-age=86400',
  headers: { 'cross-origin-resource-policy': 'cross-origin' },
} as const;

/** Answers 304 to a reader that has it already, and makes the bytes only for one that has not. */
export async function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, from, control, headers = {} }: CacheableResponse,
  render: () => Buffer | Promise<Buffer>,
): Promise<FastifyReply> {
  const etag = `"${hash('sha256', from, 'base64url').slice(0, 22)}"`;
  reply.headers({ ...headers, etag: etag, 'cache-control': control });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(await render());
}

/** Weak tags count too: a proxy that compresses makes ours weak (RFC 9110 §13.1.2). */
function matchesEtag(sent: string | undefined, tag: string): boolean {
  if (sent === undefined) return false;
  const tags = sent.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
