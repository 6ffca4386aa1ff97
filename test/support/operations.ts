import type { Role } from '#platform/kit/permissions.ts';

/** What an id is of. */
export type Kind =
  | 'transaction'
  | 'withdrawal'
  | 'dispute'
  | 'webhook'
  | 'delivery'
  | 'api key'
  | 'user'
  | 'session'
  | 'card token'
  /** A cursor of the same list. */
  | 'cursor';

/** A member of a request that names a record. */
export interface Naming {
  readonly at: 'path' | 'query' | 'body';
  readonly name: string;
  readonly kind: Kind;
  /** What is answered where the caller has no such record: a refusal, or a list of nothing. */
  readonly unknown: readonly [status: number, message: string] | 'nothing';
  /** A body that is good, with this id in it. */
  readonly body?: (id: string) => object;
}

/** Who may call an operation, and what of a request names records. */
export interface Operation {
  /** Nobody must be asked who they are, or these roles alone may. */
  readonly may: 'anybody' | readonly Role[];
  /** No API key may, whatever its role. */
  readonly peopleOnly: boolean;
  /** Open to a seller that is not ACTIVE too. */
  readonly whileClosed: boolean;
  readonly names: readonly Naming[];
}

const rule =
  (may: Operation['may'], { peopleOnly = false, whileClosed = false } = {}) =>
  (...names: readonly Naming[]): Operation => ({ may, peopleOnly, whileClosed, names });

const SELLERS = ['OWNER', 'FINANCE', 'DEVELOPER', 'VIEWER'] as const;
const OPERATORS = ['ADMIN', 'SUPPORT'] as const;

const open = rule('anybody');
const reads = rule(SELLERS);
const builds = rule(['OWNER', 'DEVELOPER']);
const buildsInPerson = rule(['OWNER', 'DEVELOPER'], { peopleOnly: true });
const pays = rule(['OWNER', 'FINANCE']);
const leads = rule(['OWNER'], { peopleOnly: true });
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
  session: [404, 'Session not found'],
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

const chargeByToken = (token: string) => ({
  amount: 1500,
  method: 'CREDIT_CARD',
  customer: CUSTOMER,
  items: [{ title: 'Caneca', amount: 1500, quantity: 1, tangible: true }],
  installments: 1,
  card: { token, holderName: 'ANA SOUZA', holderDocument: '52998224725' },
});

/**
 * Every operation, whom it is for and what it is asked about: said here again, from the contract
 * (C5, C13, C14) and without looking at the code. A route that is missing here fails the tests that
 * walk through this table, and so does a member of a request that names a record and is not here.
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
  'GET /dashboard': open(),
  'GET /dashboard/*': open(),
  'GET /dashboard/assets/:name': open(),
  'GET /assets/boleto.css': open(),
  'GET /assets/boleto.js': open(),
  'GET /assets/errors.css': open(),
  'GET /assets/icon.svg': open(),
  'GET /assets/reference.css': open(),
  'GET /assets/reference.js': open(),
  'GET /assets/scheme.js': open(),
  'GET /assets/style.css': open(),
  'GET /assets/unbuilt.html': open(),
  'GET /assets/swagger-ui-bundle.js': open(),
  'GET /assets/swagger-ui.css': open(),
  // A payer has the address of what they pay, and no credential.
  'GET /pix/jwks.json': open(),
  'GET /pix/:txid(^[0-9a-f]{32}$)': open(),
  'GET /pix/:file': open(),
  'GET /boletos/:token': open(),
  'GET /boletos/:token/barcode.png': open(),
  'GET /boletos/:token/qrcode.png': open(),

  'POST /v1/login': open(),
  'POST /v1/login/two-factor': open(),
  'POST /v1/auth/refresh': open(),
  'POST /v1/auth/logout': oneself(),
  'GET /v1/users/me': oneself(),
  'PATCH /v1/users/me': oneself(),
  'POST /v1/users/me/password': oneself(),
  'POST /v1/users/me/two-factor': oneself(),
  'POST /v1/users/me/two-factor/confirm': oneself(),
  'DELETE /v1/users/me/two-factor': oneself(),
  'GET /v1/users/me/sessions': oneself(),
  'DELETE /v1/users/me/sessions/:id': oneself(id('session')),

  'GET /v1/users': reads(cursor),
  'POST /v1/users': leads(),
  'PATCH /v1/users/:id': leads(id('user', { name: 'Changed by another client', role: 'VIEWER' })),
  'DELETE /v1/users/:id': leads(id('user')),

  'GET /v1/api-keys': reads(),
  'POST /v1/api-keys': buildsInPerson(),
  'DELETE /v1/api-keys/:id': buildsInPerson(id('api key')),

  'POST /v1/transactions': builds({
    at: 'body',
    name: 'card.token',
    kind: 'card token',
    unknown: [400, 'card.token must be a token of POST /card-tokens'],
    body: chargeByToken,
  }),
  'GET /v1/transactions': reads(filter('transactionId', 'transaction'), cursor),
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
  'POST /v1/card-tokens': builds(),

  'GET /v1/disputes': reads(filter('transactionId', 'transaction')),
  'GET /v1/disputes/:id': reads(id('dispute')),
  'POST /v1/disputes/appeal': pays(
    inBody('disputeId', 'dispute', (disputeId) => ({ disputeId, appealReason: 'It was delivered' })),
  ),

  'GET /v1/sellers/me/fees': reads(),
  'GET /v1/fees/simulate': reads(),
  'GET /v1/seller-wallet/gestao': reads(),
  'GET /v1/seller-wallet/entries': reads(filter('recordId', 'transaction'), cursor),
  'GET /v1/seller-wallet/releases': reads(),
  'GET /v1/reports/summary': reads(),

  'POST /v1/withdrawals': pays(),
  'GET /v1/withdrawals': reads(filter('withdrawalId', 'withdrawal'), cursor),
  'GET /v1/withdrawals/search': reads(),
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
  'POST /v1/sandbox/withdrawals/:id/pay': builds(id('withdrawal')),
  'POST /v1/sandbox/withdrawals/:id/fail': builds(id('withdrawal')),
  'POST /v1/sandbox/clock': rules(),
  'GET /v1/sandbox/settlement-file': rules(),

  // The operator sees every seller, so that no record is another's: what is asked about goes by the
  // routes' own tests.
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
  'POST /v1/admin/users': rules(),
  'GET /v1/admin/users': looks(),
  'DELETE /v1/admin/users/:id': rules(),
  'GET /v1/admin/transactions': looks(),
  'GET /v1/admin/transactions/:id': looks(),
  'POST /v1/admin/transactions/:id/dispute': rules(),
  'GET /v1/admin/disputes': looks(),
  'GET /v1/admin/disputes/:id': looks(),
  'POST /v1/admin/disputes/:id/resolve': rules(),
  'GET /v1/admin/withdrawals': looks(),
  'GET /v1/admin/withdrawals/:id': looks(),
  'POST /v1/admin/withdrawals/:id/approve': rules(),
  'POST /v1/admin/withdrawals/:id/reject': rules(),
  'GET /v1/admin/reversals': looks(),
  'POST /v1/admin/reversals/:id/settle': rules(),
  // They carry and change what names a payer.
  'POST /v1/admin/privacy/export': rules(),
  'POST /v1/admin/privacy/erase': rules(),
  'GET /v1/admin/ledger/check': looks(),
  'GET /v1/admin/settings': looks(),
  'PUT /v1/admin/settings': rules(),
  'GET /v1/admin/approvals': looks(),
  'POST /v1/admin/approvals/:id/approve': rules(),
  'POST /v1/admin/approvals/:id/reject': rules(),
  'GET /v1/admin/audit-log': looks(),
  'GET /v1/admin/webhooks': looks(),
  'GET /v1/admin/system': looks(),
  'GET /v1/admin/providers': looks(),
  'GET /v1/admin/provider-events': looks(),
  'GET /v1/admin/reconciliation': looks(),
  'GET /v1/admin/reconciliation/differences': looks(),
  'GET /v1/admin/reconciliation/files': looks(),
  'POST /v1/admin/reconciliation/files': rules(),
  'GET /v1/admin/cnab': looks(),
  'GET /v1/admin/cnab/shipments': looks(),
  'POST /v1/admin/cnab/shipments': rules(),
  // It carries the whole documents and accounts of who is paid.
  'GET /v1/admin/cnab/shipments/:id/file': rules(),
  'GET /v1/admin/cnab/returns': looks(),
  'POST /v1/admin/cnab/returns': rules(),
  'GET /v1/admin/cnab/returns/:id': looks(),
  'GET /v1/admin/cnab/returns/:id/lines': looks(),
  'POST /v1/admin/cnab/returns/:id/lines/:line/decide': rules(),
};

/** The row of a route; Fastify answers HEAD wherever it answers GET. */
export function operationOf({ method, url }: { readonly method: string; readonly url: string }): Operation {
  const name = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  const found = OPERATIONS[name];
  if (found === undefined) throw new Error(`${name} is in no row of the table of operations`);
  return found;
}
