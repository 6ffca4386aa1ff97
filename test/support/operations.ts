import type { Role } from '#platform/kit/permissions.ts';

/** The kind of record of an id. */
export type Kind =
  | 'transaction'
  | 'withdrawal'
  | 'dispute'
  | 'webhook'
  | 'delivery'
  | 'api key'
  | 'user'
  | 'invitation'
  | 'session'
  | 'passkey'
  | 'card token'
  | 'customer'
  | 'payment link'
  | 'subscription'
  | 'refund'
  /** A cursor of the same list. */
  | 'cursor';

/** A field of a request that refers to a record. */
export interface Naming {
  readonly at: 'path' | 'query' | 'body';
  readonly name: string;
  readonly kind: Kind;
  /** The response if the caller has no such record: an error, or an empty list. */
  readonly unknown: readonly [status: number, message: string] | 'nothing';
  /** A valid body with this id. */
  readonly body?: (id: string) => object;
}

/** Who may call an operation, and which of its fields refer to records. */
export interface Operation {
  /** Public, or these roles only. */
  readonly may: 'public' | readonly Role[];
  /** API keys are rejected, whatever their role. */
  readonly peopleOnly: boolean;
  /** Open to sellers that are not ACTIVE too. */
  readonly whileClosed: boolean;
  readonly names: readonly Naming[];
}

const rule =
  (may: Operation['may'], { peopleOnly = false, whileClosed = false } = {}) =>
  (...names: readonly Naming[]): Operation => ({ may, peopleOnly, whileClosed, names });

const SELLERS = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
const OPERATORS = ['ADMIN', 'SUPPORT'] as const;

const open = rule('public');
const reads = rule(SELLERS);
const builds = rule(['OWNER', 'DEVELOPER']);
const keepsCustomers = rule(['OWNER', 'FINANCE', 'DEVELOPER']);
const buildsInPerson = rule(['OWNER', 'DEVELOPER'], { peopleOnly: true });
const pays = rule(['OWNER', 'FINANCE']);
const leads = rule(['OWNER'], { peopleOnly: true });
const applies = rule(['OWNER'], { peopleOnly: true, whileClosed: true });
const oneself = rule([...SELLERS, ...OPERATORS], { peopleOnly: true, whileClosed: true });
const looks = rule(OPERATORS);
const rules = rule(['ADMIN']);

const UNKNOWN = {
  transaction: [404, 'Transaction not found'],
  withdrawal: [404, 'Withdrawal not found'],
  dispute: [404, 'Record Not Found'],
  webhook: [404, 'Webhook not found'],
  delivery: [404, 'Delivery not found'],
  'api key': [404, 'API key not found'],
  user: [404, 'User not found'],
  invitation: [404, 'Invitation not found'],
  session: [404, 'Session not found'],
  customer: [404, 'Customer not found'],
  'card token': [404, 'Card token not found'],
  'payment link': [404, 'Payment link not found'],
  subscription: [404, 'Subscription not found'],
  refund: [404, 'Refund not found'],
  passkey: [404, 'Passkey not found'],
} as const;

const id = (kind: keyof typeof UNKNOWN, body?: object): Naming => ({
  at: 'path',
  name: 'id',
  kind,
  unknown: UNKNOWN[kind],
  ...(body === undefined ? {} : { body: () => body }),
});
const filter = (name: string, kind: Kind): Naming => ({ at: 'query', name, kind, unknown: 'nothing' });
const cursor: Naming = filter('cursor', 'cursor');
const inBody = (name: string, kind: keyof typeof UNKNOWN, body: (id: string) => object): Naming => ({
  at: 'body',
  name,
  kind,
  unknown: UNKNOWN[kind],
  body,
});

const LONG_AGO = '2026-01-01T00:00:00.000Z';

const CUSTOMER = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11987654321',
  documentType: 'CPF',
  document: '52998224725',
};

const CHARGE = {
  amount: 1500,
  method: 'PIX',
  items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
};

const CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2030,
};

const SUBSCRIPTION = { amount: 1500, method: 'BOLETO', interval: 'MONTHLY', startDate: '2090-01-01' };

const chargeByToken = (token: string) => ({
  amount: 1500,
  method: 'CREDIT_CARD',
  customer: CUSTOMER,
  items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
  installments: 1,
  card: { token, holderName: 'ANA SOUZA', holderDocument: '52998224725' },
});

/**
 * Every operation with its callers and records, written from the contract and
 * independent of the code. A missing route fails the tests that use this table, and so does a
 * missing field that refers to a record.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /metrics': open(),
  'GET /v1/health': open(),
  'GET /v1/health/live': open(),
  'GET /': open(),
  'GET /openapi.json': open(),
  'GET /openapi-operator.json': open(),
  'GET /docs': open(),
  'GET /docs/operator': open(),
  'GET /docs/errors': open(),
  'GET /docs/guides': open(),
  'GET /docs/guides/:slug': open(),
  'GET /dashboard': open(),
  'GET /dashboard/*': open(),
  'GET /dashboard/assets/:name': open(),
  'GET /assets/boleto.css': open(),
  'GET /assets/boleto.js': open(),
  'GET /assets/errors.css': open(),
  'GET /assets/guides.css': open(),
  'GET /assets/guides.js': open(),
  'GET /assets/icon-180.png': open(),
  'GET /assets/icon-192.png': open(),
  'GET /assets/icon-512.png': open(),
  'GET /assets/icon-maskable.png': open(),
  'GET /assets/icon.svg': open(),
  'GET /assets/manifest.webmanifest': open(),
  'GET /assets/payment.css': open(),
  'GET /assets/payment.js': open(),
  'GET /checkout.js': open(),
  'GET /assets/reference.css': open(),
  'GET /assets/reference.js': open(),
  'GET /assets/scheme.js': open(),
  'GET /assets/style.css': open(),
  'GET /assets/unbuilt.html': open(),
  'GET /assets/swagger-ui-bundle.js': open(),
  'GET /assets/swagger-ui.css': open(),
  // A payer has the URL, and no credential.
  'GET /pix/jwks.json': open(),
  'GET /pix/:txid(^[0-9a-f]{32}$)': open(),
  'GET /pix/:file': open(),
  'GET /unsubscribe/:id': open(),
  'POST /unsubscribe/:id': open(),
  'GET /boletos/:token': open(),
  'GET /boletos/:token/barcode.png': open(),
  'GET /boletos/:token/qrcode.png': open(),
  'GET /pay/:code': open(),
  'GET /pay/:code/logo': open(),
  'GET /pay/t/:paymentToken': open(),
  'GET /pay/t/:paymentToken/logo': open(),
  'POST /pay/t/:paymentToken/renewal': open(),
  'GET /pay/s/:subscriptionToken': open(),
  'GET /pay/s/:subscriptionToken/logo': open(),

  'POST /v1/login': open(),
  'POST /v1/login/two-factor': open(),
  'POST /v1/login/passkey/options': open(),
  'POST /v1/login/passkey': open(),
  'POST /v1/auth/step-up/options': oneself(),
  'POST /v1/auth/step-up': oneself(),
  'POST /v1/auth/refresh': open(),
  'POST /v1/auth/password/forgot': open(),
  'POST /v1/auth/password/reset': open(),
  'POST /v1/auth/invitations/accept': open(),
  'GET /v1/signup': open(),
  'POST /v1/signup': open(),
  'POST /v1/signup/confirm': open(),
  'GET /v1/application': applies(),
  'PATCH /v1/application': applies(),
  'POST /v1/application/submit': applies(),
  // Refused for its media type: the flows of applications call it with files.
  'POST /v1/application/documents': applies(),
  'GET /v1/application/documents/:documentId': applies(),
  'DELETE /v1/application/documents/:documentId': applies(),
  'POST /v1/auth/logout': oneself(),
  'GET /v1/users/me': oneself(),
  'PATCH /v1/users/me': oneself(),
  'POST /v1/users/me/password': oneself(),
  'POST /v1/users/me/two-factor': oneself(),
  'POST /v1/users/me/two-factor/confirm': oneself(),
  'DELETE /v1/users/me/two-factor': oneself(),
  'POST /v1/users/me/passkeys/options': oneself(),
  'POST /v1/users/me/passkeys': oneself(),
  'GET /v1/users/me/passkeys': oneself(),
  'PATCH /v1/users/me/passkeys/:id': oneself(id('passkey', { name: 'Laptop' })),
  'DELETE /v1/users/me/passkeys/:id': oneself(id('passkey')),
  'DELETE /v1/users/me/second-factor-reset': oneself(),
  'GET /v1/users/me/sessions': oneself(),
  'GET /v1/users/me/devices': oneself(),
  'DELETE /v1/users/me/sessions/:id': oneself(id('session')),

  'GET /v1/users/me/notifications': oneself(),
  'PATCH /v1/users/me/notifications': oneself(),
  'GET /v1/users/me/notification-feed': oneself(cursor),
  'POST /v1/users/me/notification-feed/read': oneself(),

  'GET /v1/users': reads(cursor),
  'POST /v1/users': leads(),
  'PATCH /v1/users/:id': leads(id('user', { name: 'Changed by another client', role: 'VIEWER' })),
  'POST /v1/users/:id/second-factor-reset': leads(id('user')),
  'DELETE /v1/users/:id/second-factor-reset': leads(id('user')),
  'DELETE /v1/users/:id': leads(id('user')),

  'GET /v1/users/invitations': reads(cursor),
  'POST /v1/users/invitations': leads(),
  'DELETE /v1/users/invitations/:id': leads(id('invitation')),

  'GET /v1/api-keys': reads(),
  'POST /v1/api-keys': buildsInPerson(),
  'DELETE /v1/api-keys/:id': buildsInPerson(id('api key')),

  'POST /v1/transactions': builds(
    {
      at: 'body',
      name: 'card.token',
      kind: 'card token',
      unknown: [400, 'card.token must be a token of POST /card-tokens'],
      body: chargeByToken,
    },
    inBody('customerId', 'customer', (customerId) => ({ ...CHARGE, customerId })),
  ),
  'GET /v1/transactions': reads(
    filter('transactionId', 'transaction'),
    filter('customerId', 'customer'),
    filter('paymentLinkId', 'payment link'),
    filter('subscriptionId', 'subscription'),
    cursor,
  ),
  'GET /v1/transactions/search': reads(),
  'POST /v1/transactions/lookup': reads({
    at: 'body',
    name: 'text',
    kind: 'transaction',
    unknown: 'nothing',
    body: (text) => ({ text }),
  }),
  'GET /v1/transactions/:id': reads(id('transaction')),
  'GET /v1/transactions/:id/timeline': reads(id('transaction')),
  'POST /v1/transactions/:id/cancel': builds(id('transaction', {})),
  'POST /v1/transactions/:id/void': builds(id('transaction', {})),
  'POST /v1/transactions/:id/capture': builds(id('transaction', {})),
  'POST /v1/transactions/:id/refund': pays(id('transaction', { amount: 100 })),
  'POST /v1/card-tokens': builds(inBody('customerId', 'customer', (customerId) => ({ ...CARD, customerId }))),
  'DELETE /v1/card-tokens/:id': keepsCustomers(id('card token')),

  'POST /v1/customers': keepsCustomers(),
  'GET /v1/customers': reads(cursor),
  'POST /v1/customers/lookup': reads({
    at: 'body',
    name: 'text',
    kind: 'customer',
    unknown: 'nothing',
    body: (text) => ({ text }),
  }),
  'GET /v1/customers/:id': reads(id('customer')),
  'PATCH /v1/customers/:id': keepsCustomers(id('customer', { notes: 'Changed by another client' })),
  'DELETE /v1/customers/:id': keepsCustomers(id('customer')),
  'GET /v1/customers/:id/card-tokens': reads(id('customer')),

  'POST /v1/payment-links': builds(
    inBody('customerId', 'customer', (customerId) => ({ title: 'Caneca', amount: 1500, customerId })),
  ),
  'GET /v1/payment-links': reads(cursor),
  'GET /v1/payment-links/:id': reads(id('payment link')),
  'PATCH /v1/payment-links/:id': builds(id('payment link', { title: 'Changed by another client' })),
  // A payer has the code or the token, and no credential.
  'GET /v1/public/payment-links/:code': open(),
  'GET /v1/public/payment-links/:code/:file': open(),
  'POST /v1/public/payment-links/:code/payments': open(),
  'GET /v1/public/payments/:paymentToken': open(),
  'GET /v1/public/payments/:paymentToken/receipt': open(),
  'GET /v1/public/payments/:paymentToken/receipt.pdf': open(),

  'GET /v1/public/subscriptions/:subscriptionToken': open(),
  'PUT /v1/public/subscriptions/:subscriptionToken/card': open(),
  'POST /v1/public/subscriptions/:subscriptionToken/cancel': open(),
  'POST /v1/subscriptions': builds(
    inBody('customerId', 'customer', (customerId) => ({ ...SUBSCRIPTION, customerId })),
    {
      at: 'body',
      name: 'cardTokenId',
      kind: 'card token',
      unknown: [400, 'cardTokenId must be a token of POST /card-tokens'],
      body: (cardTokenId) => ({
        ...SUBSCRIPTION,
        customer: CUSTOMER,
        method: 'CREDIT_CARD',
        cardTokenId,
      }),
    },
  ),
  'GET /v1/subscriptions': reads(filter('customerId', 'customer'), cursor),
  'GET /v1/subscriptions/summary': reads(),
  'GET /v1/subscriptions/:id': reads(id('subscription')),
  'PATCH /v1/subscriptions/:id': builds(id('subscription', { description: 'Changed by another client' })),
  'POST /v1/subscriptions/:id/cancel': builds(id('subscription', {})),
  'POST /v1/subscriptions/:id/pause': builds(id('subscription', {})),
  'POST /v1/subscriptions/:id/resume': builds(id('subscription', {})),
  'GET /v1/subscriptions/:id/invoices': reads(id('subscription')),
  'POST /v1/subscriptions/:id/invoices/:number/retry': builds(id('subscription', {})),

  'GET /v1/disputes': reads(filter('transactionId', 'transaction')),
  'GET /v1/disputes/:id': reads(id('dispute')),
  'POST /v1/disputes/appeal': pays(
    inBody('disputeId', 'dispute', (disputeId) => ({ disputeId, appealReason: 'It was delivered' })),
  ),

  // Refused for its media type: the flows of disputes call it with files.
  'POST /v1/disputes/:id/attachments': pays(),
  'GET /v1/disputes/:id/attachments': reads(id('dispute')),
  'GET /v1/disputes/:id/attachments/:attachmentId': reads({
    ...id('dispute'),
    unknown: [404, 'Attachment not found'],
  }),
  'POST /v1/disputes/:id/messages': pays(id('dispute', { text: 'It was delivered' })),
  'GET /v1/disputes/:id/messages': reads(id('dispute')),

  'GET /v1/sellers/me/fees': reads(),
  'GET /v1/sellers/me/settings': reads(),
  'PATCH /v1/sellers/me/settings': builds(),
  'GET /v1/fees/simulate': reads(),
  'GET /v1/seller-wallet/gestao': reads(),
  'GET /v1/seller-wallet/entries': reads(filter('recordId', 'transaction'), cursor),
  'GET /v1/seller-wallet/releases': reads(),
  'GET /v1/seller-wallet/releases/sales': reads(),
  'GET /v1/reports/summary': reads(),

  'POST /v1/withdrawals': pays(),
  'GET /v1/withdrawals': reads(filter('withdrawalId', 'withdrawal'), cursor),
  'GET /v1/withdrawals/search': reads(),
  'POST /v1/withdrawals/lookup': reads({
    at: 'body',
    name: 'text',
    kind: 'withdrawal',
    unknown: 'nothing',
    body: (text) => ({ text }),
  }),
  'GET /v1/withdrawals/:id': reads(id('withdrawal')),
  'GET /v1/withdrawals/:id/timeline': reads(id('withdrawal')),

  'GET /v1/events': reads({
    at: 'query',
    name: 'after',
    kind: 'cursor',
    unknown: [400, 'after must be the nextCursor of a previous response, or now'],
  }),
  'POST /v1/webhooks': builds(),
  'GET /v1/webhooks': reads(),
  'GET /v1/webhooks/event-types': reads(),
  'GET /v1/webhooks/postback-secret': builds(),
  'POST /v1/webhooks/postback-secret/rotate': buildsInPerson(),
  'GET /v1/webhooks/:id': reads(id('webhook')),
  'PATCH /v1/webhooks/:id': builds(id('webhook', { description: 'Changed by another client' })),
  'POST /v1/webhooks/:id/rotate-secret': builds(id('webhook', {})),
  'POST /v1/webhooks/:id/test': builds(id('webhook', {})),
  'POST /v1/webhooks/:id/replay': builds(id('webhook', { since: LONG_AGO })),
  'DELETE /v1/webhooks/:id': builds(id('webhook')),
  'GET /v1/webhooks/deliveries': reads(
    filter('webhookId', 'webhook'),
    filter('recordId', 'transaction'),
    cursor,
  ),
  'GET /v1/webhooks/deliveries/:id': reads(id('delivery')),
  'POST /v1/webhooks/deliveries/:id/resend': builds(id('delivery', {})),
  'POST /v1/webhooks/deliveries/resend-failed': builds(
    inBody('webhookId', 'webhook', (webhookId) => ({ webhookId, since: LONG_AGO })),
  ),
  'POST /v1/webhooks/resend-transaction-event': builds(
    inBody('transactionIds', 'transaction', (one) => ({ transactionIds: [one] })),
  ),
  'POST /v1/webhooks/resend-withdrawal-event': builds(
    inBody('withdrawalIds', 'withdrawal', (one) => ({ withdrawalIds: [one] })),
  ),

  'POST /v1/sandbox/transactions/:id/pay': builds(id('transaction', {})),
  'POST /v1/sandbox/transactions/:id/fail': builds(id('transaction')),
  'POST /v1/sandbox/transactions/:id/refuse': builds(id('transaction')),
  'POST /v1/sandbox/transactions/:id/processing': builds(id('transaction')),
  'POST /v1/sandbox/transactions/:id/chargeback': builds(id('transaction')),
  'POST /v1/sandbox/transactions/:id/dispute': builds(id('transaction')),
  'POST /v1/sandbox/transactions/:id/med': builds(id('transaction', { type: 'SCAM' })),
  'POST /v1/sandbox/disputes/:id/med/advance': builds(id('dispute', {})),
  'POST /v1/sandbox/subscriptions/:id/authorize': builds(id('subscription')),
  'POST /v1/sandbox/subscriptions/:id/reject': builds(id('subscription')),
  'POST /v1/sandbox/subscriptions/:id/revoke': builds(id('subscription')),
  'POST /v1/sandbox/subscriptions/:id/next-outcome': builds(id('subscription', { outcome: 'PAID' })),
  'POST /v1/sandbox/subscriptions/:id/expire': builds(id('subscription')),
  'POST /v1/sandbox/refunds/:id/complete': builds(id('refund')),
  'POST /v1/sandbox/refunds/:id/fail': builds(id('refund')),
  'POST /v1/sandbox/withdrawals/:id/pay': builds(id('withdrawal')),
  'POST /v1/sandbox/withdrawals/:id/fail': builds(id('withdrawal')),
  'POST /v1/sandbox/clock': rules(),
  'GET /v1/sandbox/settlement-file': rules(),
  'GET /v1/sandbox/mails': rules(),

  // The operator sees every seller, so that no record is foreign: the tests of these routes cover
  // their ids.
  'GET /v1/admin/applications': looks(),
  'GET /v1/admin/applications/:id': looks(),
  'GET /v1/admin/applications/:id/documents/:documentId': looks(),
  'POST /v1/admin/applications/:id/ask': rules(),
  'POST /v1/admin/applications/:id/approve': rules(),
  'POST /v1/admin/applications/:id/reject': rules(),
  'POST /v1/admin/sellers': rules(),
  'GET /v1/admin/sellers': looks(),
  'GET /v1/admin/sellers/:id': looks(),
  'PATCH /v1/admin/sellers/:id': rules(),
  'GET /v1/admin/sellers/:id/wallet': looks(),
  'GET /v1/admin/sellers/:id/fees': looks(),
  'PUT /v1/admin/sellers/:id/fees': rules(),
  'GET /v1/admin/sellers/:id/users': looks(),
  'POST /v1/admin/sellers/:id/users': rules(),
  'DELETE /v1/admin/sellers/:id/users/:userId': rules(),
  'GET /v1/admin/sellers/:id/api-keys': looks(),
  'POST /v1/admin/sellers/:id/api-keys': rules(),
  'DELETE /v1/admin/sellers/:id/api-keys/:keyId': rules(),
  'POST /v1/admin/users/:id/second-factor-reset': rules(),
  'DELETE /v1/admin/users/:id/second-factor-reset': rules(),
  'POST /v1/admin/users': rules(),
  'GET /v1/admin/users': looks(),
  'DELETE /v1/admin/users/:id': rules(),
  'GET /v1/admin/users/invitations': looks(),
  'POST /v1/admin/users/invitations': rules(),
  'DELETE /v1/admin/users/invitations/:id': rules(),
  'GET /v1/admin/transactions': looks(),
  'GET /v1/admin/transactions/:id': looks(),
  'POST /v1/admin/transactions/:id/dispute': rules(),
  'GET /v1/admin/disputes': looks(),
  'GET /v1/admin/disputes/:id': looks(),
  'GET /v1/admin/disputes/:id/evidence': looks(),
  'GET /v1/admin/disputes/:id/attachments/:attachmentId': looks(),
  'POST /v1/admin/disputes/:id/resolve': rules(),
  'GET /v1/admin/withdrawals': looks(),
  'GET /v1/admin/withdrawals/:id': looks(),
  'POST /v1/admin/withdrawals/:id/approve': rules(),
  'POST /v1/admin/withdrawals/:id/reject': rules(),
  'GET /v1/admin/reversals': looks(),
  'POST /v1/admin/reversals/:id/settle': rules(),
  // They return and change personal data of payers.
  'POST /v1/admin/privacy/export': rules(),
  'POST /v1/admin/privacy/erase': rules(),
  'GET /v1/admin/ledger/check': looks(),
  'POST /v1/admin/ledger/checks': looks(),
  'GET /v1/admin/ledger/checks/latest': looks(),
  'GET /v1/admin/risk-rules': looks(),
  'POST /v1/admin/risk-rules': rules(),
  'PATCH /v1/admin/risk-rules/:id': rules(),
  'DELETE /v1/admin/risk-rules/:id': rules(),
  'GET /v1/admin/risk-lists/:kind': looks(),
  'POST /v1/admin/risk-lists/:kind': rules(),
  'DELETE /v1/admin/risk-lists/:kind': rules(),
  'GET /v1/admin/risk-reviews': looks(),
  'GET /v1/admin/transactions/:id/review': looks(),
  'POST /v1/admin/transactions/:id/review': rules(),
  'GET /v1/admin/settings': looks(),
  'PUT /v1/admin/settings': rules(),
  'PATCH /v1/admin/settings': rules(),
  'GET /v1/admin/provider-routes': looks(),
  'PUT /v1/admin/provider-routes/:method': rules(),
  'POST /v1/admin/provider-routes/:method/pause': rules(),
  'POST /v1/admin/provider-routes/:method/resume': rules(),
  'GET /v1/admin/default-fees': looks(),
  'PUT /v1/admin/default-fees': rules(),
  'GET /v1/admin/approvals': looks(),
  'POST /v1/admin/approvals/:id/approve': rules(),
  'POST /v1/admin/approvals/:id/reject': rules(),
  'GET /v1/admin/audit-log': looks(),
  'GET /v1/admin/mails': looks(),
  'POST /v1/admin/mails/:id/retry': rules(),
  'GET /v1/admin/webhooks': looks(),
  'GET /v1/admin/system': looks(),
  'GET /v1/admin/providers': looks(),
  'GET /v1/admin/provider-events': looks(),
  'POST /v1/admin/transactions/lookup': looks(),
  'GET /v1/admin/reports/revenue': looks(),
  'GET /v1/admin/provider-costs': looks(),
  'PUT /v1/admin/provider-costs': rules(),
  'GET /v1/admin/reconciliation': looks(),
  'GET /v1/admin/reconciliation/differences': looks(),
  'GET /v1/admin/reconciliation/files': looks(),
  'POST /v1/admin/reconciliation/files': rules(),
  'GET /v1/admin/cnab': looks(),
  'GET /v1/admin/cnab/shipments': looks(),
  'POST /v1/admin/cnab/shipments': rules(),
  // It returns the full documents and accounts of payees.
  'GET /v1/admin/cnab/shipments/:id/file': rules(),
  'GET /v1/admin/cnab/returns': looks(),
  'POST /v1/admin/cnab/returns': rules(),
  'GET /v1/admin/cnab/returns/:id': looks(),
  'GET /v1/admin/cnab/returns/:id/lines': looks(),
  'POST /v1/admin/cnab/returns/:id/lines/:line/decide': rules(),
};

/** The row of a route; Fastify answers HEAD for every GET. */
export function operationOf({ method, url }: { readonly method: string; readonly url: string }): Operation {
  const name = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  const found = OPERATIONS[name];
  if (found === undefined) throw new Error(`${name} is in no row of the table of operations`);
  return found;
}
