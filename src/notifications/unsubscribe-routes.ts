import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

import { preferredLanguage } from '#platform/http/accept-language.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import type { MailsService } from './service.ts';

const PAGE_POLICY = pageContentSecurityPolicy("style-src 'self'", "img-src 'self'", "form-action 'self'");

const TEXTS = {
  'pt-BR': {
    title: 'Parar de receber e-mails',
    ask:
      'Quer parar de receber e-mails sobre compras nesta loja? Isso inclui comprovantes, lembretes e ' +
      'avisos sobre assinaturas.',
    action: 'Parar de receber e-mails',
    done: 'Pronto. Você não receberá mais e-mails sobre compras nesta loja.',
    expired: 'Este link expirou. Use o link do e-mail mais recente desta loja.',
  },
  en: {
    title: 'Unsubscribe',
    ask:
      'Stop receiving emails about purchases from this store? This includes receipts, reminders and ' +
      'notices about subscriptions.',
    action: 'Unsubscribe',
    done: 'Done. You will receive no more emails about purchases from this store.',
    expired: 'This link has expired. Use the link in the latest email about this store.',
  },
} as const;

const publicRoute = {
  config: { access: 'public' as const },
  schema: { hide: true, params: Type.Object({ id: Type.String() }) },
};

/**
 * Where payers unsubscribe from mails about a seller. Public: the unguessable id of the mail is the
 * authorization. Reading the page changes nothing, since mail scanners follow links.
 */
export function unsubscribeRoutes(app: App, { mails }: { readonly mails: MailsService }): void {
  app.get('/unsubscribe/:id', publicRoute, async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language']);
    const { ask, action } = TEXTS[language];
    const form = `<p>${ask}</p><form method="post"><button type="submit">${action}</button></form>`;
    return sendPage(reply, language, form);
  });
  void app.register(async (scope: App) => {
    // The form of the page, and the one-click request of mail clients. Its content says nothing
    // more.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'buffer' },
      (_request, _body, done) => done(null, undefined),
    );
    scope.post('/unsubscribe/:id', publicRoute, async (request, reply) => {
      const isDone = await mails.unsubscribe(request.params.id);
      const language = preferredLanguage(request.headers['accept-language']);
      const { done, expired } = TEXTS[language];
      const page = reply.code(isDone ? 200 : 404);
      return sendPage(page, language, `<p role="status">${isDone ? done : expired}</p>`);
    });
  });
}

function sendPage(reply: FastifyReply, language: 'pt-BR' | 'en', content: string) {
  const { title } = TEXTS[language];
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      vary: 'accept-language',
    })
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>` +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        '<meta name="robots" content="noindex"><link rel="stylesheet" href="/assets/errors.css"></head>' +
        `<body><main><h1>${title}</h1>${content}</main></body></html>`,
    );
}
