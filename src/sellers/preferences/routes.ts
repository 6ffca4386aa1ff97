import { Type } from 'typebox';

import { envelope, nullable, ok } from '#platform/http/envelope.ts';
import { auditActorOf, callingSeller } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { nameString, withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { PAYER_LANGUAGES, type Preferences, type PreferencesService } from './service.ts';

interface PreferencesRouteDeps {
  readonly preferences: PreferencesService;
  readonly mode: 'sandbox' | 'production';
}

const MAX_ORIGINS = 20;

const members = {
  displayName: nullable(nameString(60, 'The name that payers see; null to use the name of the seller.')),
  logoUrl: nullable(
    Type.String({
      format: 'https-url',
      maxLength: 2_048,
      description: 'HTTPS URL of the logo; null for none.',
    }),
  ),
  payerEmails: Type.Boolean({
    description:
      'Whether payers receive receipts, a reminder before a boleto is due, and notices about ' +
      'subscriptions. Initially false.',
  }),
  payerLanguage: Type.Enum([...PAYER_LANGUAGES], {
    description: 'The language of emails to payers. Initially `pt-BR`.',
  }),
  embedOrigins: Type.Array(
    Type.String({ maxLength: 300, description: 'An HTTPS origin such as `https://shop.example.com`.' }),
    {
      maxItems: MAX_ORIGINS,
      description:
        'The origins that may embed the payment page. The sandbox accepts `http://127.0.0.1:PORT`, too.',
    },
  ),
};

const SettingsSchema = Type.Object(members, {
  title: 'SellerSettings',
  description: 'Settings of a seller for the payment page and for emails to payers.',
});

const settings = {
  displayName: 'Loja da Ana',
  logoUrl: 'https://shop.example.com/logo.png',
  payerEmails: true,
  payerLanguage: 'pt-BR' as const,
  embedOrigins: ['https://shop.example.com'],
};
const SETTINGS = { 'The settings': ok(settings) };
const tags = ['Sellers'];

/** Settings of a seller for the payment page and for emails to payers. */
export function preferencesRoutes(app: App, deps: PreferencesRouteDeps): void {
  registerRead(app, deps);
  registerUpdate(app, deps);
}

function registerRead(app: App, { preferences }: PreferencesRouteDeps): void {
  app.get(
    '/sellers/me/settings',
    {
      config: { access: 'settings:read' },
      schema: {
        operationId: 'getSellerSettings',
        summary: 'Retrieve your settings',
        description: 'Returns the settings of the seller for the payment page and for emails to payers.',
        tags,
        examples: { response: SETTINGS },
        response: { 200: envelope(SettingsSchema) },
      },
    },
    async (request) => ok(view(await preferences.get(callingSeller(request).id))),
  );
}

function registerUpdate(app: App, { preferences, mode }: PreferencesRouteDeps): void {
  app.patch(
    '/sellers/me/settings',
    {
      config: { access: 'settings:write' },
      schema: {
        operationId: 'updateSellerSettings',
        summary: 'Update your settings',
        description:
          'Changes what payers see: name, logo, emails, and the sites that may embed the payment page. ' +
          'Omitted fields stay unchanged. Returns all settings.',
        tags,
        examples: { body: { 'Emails to payers': { payerEmails: true } }, response: SETTINGS },
        body: withCrossFieldRules(Type.Partial(Type.Object(members)), [originsRule(mode)]),
        response: { 200: envelope(SettingsSchema) },
      },
    },
    async (request) => {
      const { displayName, logoUrl, payerEmails, payerLanguage, embedOrigins } = request.body;
      const changes = { displayName, logoUrl, payerEmails, payerLanguage, embedOrigins };
      const { id } = callingSeller(request);
      return ok(view(await preferences.update(id, changes, auditActorOf(request))));
    },
  );
}

const originsRule =
  (mode: 'sandbox' | 'production'): CrossFieldRule =>
  ({ embedOrigins }) => {
    const origins: readonly unknown[] = Array.isArray(embedOrigins) ? embedOrigins.slice(0, MAX_ORIGINS) : [];
    return origins.flatMap((origin, index) =>
      typeof origin !== 'string' || isOrigin(origin, mode)
        ? []
        : [{ path: ['embedOrigins', String(index)], rule: RULE, code: 'invalid_format' }],
    );
  };

const RULE = 'must be an HTTPS origin such as https://shop.example.com';

/**
 * An origin as browsers write it: scheme, host and port, without a path. URLs may contain `*` and
 * `;`, which have a meaning of their own in a Content-Security-Policy.
 */
function isOrigin(text: string, mode: 'sandbox' | 'production'): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text || !/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(text)) return false;
  return url.protocol === 'https:' || (mode === 'sandbox' && /^http:\/\/127\.0\.0\.1:\d+$/.test(text));
}

const view = ({ embedOrigins, ...others }: Preferences) => ({ ...others, embedOrigins: [...embedOrigins] });
