import { hash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendCompressed } from '#platform/http/caching.ts';
import { compressible } from '#platform/http/compression.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** Revalidated on every use, so that a page never loads the files of another version. */
export const REVALIDATE = 'no-cache';

export type SendFile = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Returns a handler that sends a file from memory, compressed and with an ETag. */
export function fileSender(
  bytes: Buffer,
  extension: string,
  options: { readonly control?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): SendFile {
  const type = TYPES[extension] ?? 'application/octet-stream';
  const response = { type, from: hash('sha256', bytes), control: REVALIDATE, ...options };
  const body = compressible(bytes);
  return (request, reply) => sendCompressed(request, reply, response, body);
}
