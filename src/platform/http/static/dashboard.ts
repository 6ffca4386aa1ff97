import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { sendCacheable } from '#platform/http/caching.ts';
import { HttpError } from '#platform/http/errors.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';

/** What `npm ci` builds of dashboard/src; empty where nothing was built. */
const BUILT = new URL('../../../../dashboard/dist/', import.meta.url);
const UNBUILT = new URL('../../../../dashboard/public/unbuilt.html', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * What the dashboard may do: run and call what this gateway serves, and nothing else. No script stands in the page; Mantine
 * writes the sizes of a screen into style elements, which is why styles may.
 */
const POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
);

/** A name tells of every change in it: it may be kept for ever. */
const CACHE_IMMUTABLE = 'public, max-age=31536000, immutable';

const page = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;

/** A file as it is sent: the smallest first that its reader understands. */
interface Asset {
  readonly type: string;
  readonly encodings: readonly { readonly encoding: string; readonly bytes: Buffer }[];
}

/**
 * The dashboard below /dashboard/: its page at every address that names no file, since the page knows its own addresses, and
 * its files under names that change with them.
 */
export async function dashboardRoutes(app: App, mode: string): Promise<void> {
  const html = await readPage(mode);
  const assets = await readAssets();
  const cacheable = {
    type: 'text/html; charset=utf-8',
    from: html,
    control: 'no-cache',
    headers: { 'content-security-policy': POLICY },
  };
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    sendCacheable(request, reply, cacheable, () => Buffer.from(html));
  app.get('/dashboard', page, sendPage);
  app.get('/dashboard/*', page, sendPage);
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', page, async (request, reply) => {
    const asset = assets.get(request.params.name);
    // Of another version, or of nobody: a page in its place would be run as a script.
    if (asset === undefined) throw new HttpError(404, 'Route not found');
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    const representation = asset.encodings.find(
      ({ encoding }) => encoding === 'identity' || accepted.has(encoding),
    );
    if (representation === undefined) throw new HttpError(404, 'Route not found');
    if (representation.encoding !== 'identity') reply.header('content-encoding', representation.encoding);
    return reply
      .headers({ 'cache-control': CACHE_IMMUTABLE, vary: 'accept-encoding' })
      .type(asset.type)
      .send(representation.bytes);
  });
}

/** The page says which mode it is of before it has asked anybody. */
async function readPage(mode: string): Promise<string> {
  const built = await readFile(new URL('index.html', BUILT), 'utf8').catch(() => undefined);
  if (built === undefined) return readFile(UNBUILT, 'utf8');
  return built.replace('data-mode="sandbox"', `data-mode="${mode}"`);
}

/** Only what lies in the folder at start is served: no address leads elsewhere. */
async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const folder = new URL('assets/', BUILT);
  const names = new Set(await readdir(folder).catch(() => []));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const encodings = [];
    for (const [encoding, ending] of ENCODINGS) {
      if (names.has(name + ending))
        encodings.push({ encoding, bytes: await readFile(new URL(name + ending, folder)) });
    }
    assets.set(name, { type, encodings });
  }
  return assets;
}

/** From the smallest to what everybody understands, with the ending of the file that holds it. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
] as const;

/** Encodings that a reader names without refusing them (`;q=0`), RFC 9110 §12.5.3. */
export function acceptedEncodings(header: string | undefined): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of (header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name !== '' && !refused) accepted.add(name);
  }
  return accepted;
}
