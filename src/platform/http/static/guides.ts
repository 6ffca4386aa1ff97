import { readFile } from 'node:fs/promises';

import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { preferredLanguage } from '#platform/http/accept-language.ts';
import { routeNotFound } from '#platform/http/errors.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import { once } from '#platform/kit/once.ts';
import {
  GUIDE_LANGUAGES,
  GUIDES_PATH,
  renderGuide,
  renderGuideIndex,
  type Guide,
  type GuideLanguage,
} from './guide-page.ts';
import { fileSender, type SendFile } from './send-file.ts';

/**
 * The guides, in the order of the index. Each has a file in `docs/guides/pt` and `docs/guides/en`.
 */
export const GUIDES = [
  'accept-pix',
  'payment-links',
  'cards',
  'charge-every-month',
  'webhooks',
  'reconcile-orders',
  'refunds-and-disputes',
  'withdrawals',
  'sandbox',
  'test-with-the-clock',
  'go-live',
  'migrate',
] as const;

const FOLDER = new URL('../../../../docs/guides/', import.meta.url);

const POLICY = pageContentSecurityPolicy("script-src 'self'", "style-src 'self'", "img-src 'self'");

const HEADERS = { 'content-security-policy': POLICY, vary: 'accept-encoding, accept-language' };

const pageConfig = { access: 'public' } as const;
const Query = Type.Object({ lang: Type.Optional(Type.Enum([...GUIDE_LANGUAGES])) });

type Pages = ReadonlyMap<string, SendFile>;

/** The guides for developers, in Portuguese and English. */
export function guideRoutes(app: App): void {
  // Read and rendered on the first request, because startup must be fast.
  const pages = once(async () => ({ pt: await renderPages('pt'), en: await renderPages('en') }));
  const schema = { hide: true, querystring: Query } as const;
  app.get(GUIDES_PATH, { config: pageConfig, schema }, async (request, reply) => {
    const send = (await pages())[languageOf(request)].get('');
    if (send === undefined) throw routeNotFound();
    return send(request, reply);
  });
  app.get(
    `${GUIDES_PATH}/:slug`,
    { config: pageConfig, schema: { ...schema, params: Type.Object({ slug: Type.String() }) } },
    async (request, reply) => {
      const send = (await pages())[languageOf(request)].get(request.params.slug);
      if (send === undefined) throw routeNotFound();
      return send(request, reply);
    },
  );
}

function languageOf({
  query,
  headers,
}: FastifyRequest<{ Querystring: { lang?: GuideLanguage } }>): GuideLanguage {
  return query.lang ?? (preferredLanguage(headers['accept-language']) === 'en' ? 'en' : 'pt');
}

/** The pages of a language by slug. The index has no slug. */
async function renderPages(language: GuideLanguage): Promise<Pages> {
  const guides = await Promise.all(GUIDES.map((slug) => readGuide(slug, language)));
  const pages = guides.map(({ slug, page }) => [slug, page] as const);
  return new Map(
    [['', renderGuideIndex(language, guides)] as const, ...pages].map(([slug, page]) => [
      slug,
      fileSender(Buffer.from(page), '.html', { headers: HEADERS }),
    ]),
  );
}

async function readGuide(slug: string, language: GuideLanguage): Promise<Guide> {
  const markdown = await readFile(new URL(`${language}/${slug}.md`, FOLDER), 'utf8');
  return renderGuide(slug, language, markdown);
}
