import type { Audience } from './audiences.ts';

/** The texts of the API reference. CommonMark. */

interface DocumentTexts {
  readonly title: string;
  readonly summary: string;
  readonly introduction: string;
  /** In the order of the reference. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const CONVENTIONS = `Requests and responses are JSON in UTF-8, except files and CSV exports. Amounts are
integers in **cents of BRL (centavos)**: \`1050\` is R$ 10.50. Timestamps are ISO 8601 in UTC. A filter that
is a date without a time (\`2026-03-01\`) means the whole day in São Paulo. Fields of a request body that are
not described here are ignored: if an optional field has no effect, check its spelling.`;

const ERRORS = `### Errors
A 2xx status means success. A 4xx status means that the request was rejected and changed nothing, unless the
description of the operation says otherwise. A 5xx status means that the gateway failed, and the outcome of
the request is unknown. Every error has these fields:

- \`code\`: a stable, machine-readable code. [Error codes](/docs/errors) lists the cause and remedy of each.
- \`message\`: a description for developers. If fields of the request are invalid, it is a list with one
  sentence for each violation, and \`errors\` has the \`path\`, \`code\` and \`message\` of each.
- \`statusCode\` and \`error\`: the HTTP status and its text.
- \`requestId\`: the \`x-request-id\` of the response. Quote it when you ask for support.`;

const RATE_LIMIT_HEADERS = `\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report the
current state. A request above the limit gets a 429: wait the number of seconds in \`Retry-After\`, then try
again.`;

const PAGINATION = `### Pagination
Lists are sorted newest first, unless the operation says otherwise. \`take\` is the page size, from 1 to 100,
and \`count\` the number of records that match the filters; with some filters it stops at 10,000 and
\`countCapped\` is true. To read the next page, pass \`nextCursor\` as \`cursor\`. On the last page it is
null. Each record is returned once, even if records are created in the meantime. \`skip\` is for tables with
page numbers, and for lists without a \`cursor\`.`;

const VERSIONING = `### Versioning
The version is part of the path: \`/v1\`. New operations, optional parameters, response fields, event types
and error codes are added without a new version, so ignore values that you do not know. Breaking changes get
a new version.`;

const SELLER_INTRODUCTION = `Accept payments in Brazil by Pix, boleto and card, hold the proceeds in a
wallet, and withdraw them.

${CONVENTIONS}

### Authentication
Authenticate your server with an API key in the \`x-api-key\` header. A key has a role, which limits what it
may do. Users of the dashboard send the access token of \`POST /v1/login\` as \`Authorization: Bearer\`. If a
request has both, the API key is used. Keep keys and tokens on your server, never in a browser or an app.

Keys that begin with \`sk_test_\` belong to a sandbox, where no money moves. The sandbox has a demo seller.
Its key is printed in the terminal where the gateway was started, and stored in \`demo.json\` in the data
directory.

### Idempotency
Creating a transaction, refund, withdrawal, payment link or subscription requires an \`Idempotency-Key\`
header: a UUID v4 that you generate for each request. If a request times out or fails with a 5xx, send it
again with the same key and the same body. The operation takes effect once: a repeated request gets the status
and body of the first one, with the header \`Idempotency-Replayed: true\`. The same key with a different body
gets a 409. A rejected request does not use up its key. Keys expire after 30 days.

${ERRORS}

### Rate limits
By default, a seller may send 120 requests per minute in total with its API keys and with access tokens
outside the dashboard, and create 60 transactions per minute. The operator can raise both limits. Each
dashboard user has a separate limit of 600 requests per minute, but transactions created in the dashboard
count toward the seller's 60. Requests without a valid credential share a limit of 120 per minute for each IP
address.

${RATE_LIMIT_HEADERS}

${PAGINATION}

### Webhooks
Create a webhook to be notified when a transaction, withdrawal, dispute or subscription changes. Each
delivery is a \`POST\` with a JSON body \`{event, data}\`, signed as specified by
[Standard Webhooks](https://www.standardwebhooks.com):

1. Verify \`webhook-signature\` with the webhook's secret, over the body as received. Reject a
   \`webhook-timestamp\` that is more than five minutes in the past or in the future.
2. Ignore a \`webhook-id\` that you have already processed. Deliveries are made at least once, and their order
   is not guaranteed.
3. Respond with a 2xx within 15 seconds. Do longer work afterward.

A failed attempt is retried up to four times: 30 seconds, 2 minutes, 10 minutes and one hour after the
previous attempt. A \`Retry-After\` header of your response can lengthen these delays. A webhook that responds
with 410, or that fails for five days, is disabled; its events are held and can be replayed. The bodies are
described at the end of this page. A system that webhooks cannot reach can poll \`GET /v1/events\`.

${VERSIONING}`;

const OPERATOR_INTRODUCTION = `The API of the back office: manage sellers, approve withdrawals, resolve
disputes, and reconcile settlements. The API of sellers and payers has [its own reference](/docs).

${CONVENTIONS}

### Authentication
Sign in with \`POST /v1/login\` as an operator user, and send the access token as
\`Authorization: Bearer\`. A token is valid for one hour; exchange the refresh token for the next one.
Outside the sandbox, a user must first set up a second factor: until then, most operations respond with 403
\`second_factor_required\`. The role ADMIN may call every operation. SUPPORT may read, start ledger checks and
manage its own account, but not download remittance files, export personal data or use the sandbox operations.
API keys belong to sellers and are not accepted.

${ERRORS}

### Rate limits
A user may send 1,200 requests per minute, unless the gateway is configured otherwise
(\`OPERATOR_REQUESTS_PER_MINUTE\`). Requests without a valid credential share a limit of 120 per minute for
each IP address. ${RATE_LIMIT_HEADERS}

${PAGINATION}

### Audit log
Every change made through this API is recorded in the audit log, in the same database transaction, with the
user who made it and the \`x-request-id\` of the request.

${VERSIONING}`;

const AUTHENTICATION = { name: 'Authentication', description: 'Sign-in and sign-out of users.' };
const ACCOUNT = {
  name: 'Account',
  description:
    "The signed-in user's own name, password, second factors, sessions and notifications. Not " +
    'available to API keys (403).',
};
const HEALTH = { name: 'Health', description: 'For health probes and load balancers.' };
const SANDBOX = {
  name: 'Sandbox',
  description: 'Simulates the bank, the payer and the passage of time. Only in sandbox mode.',
};

const ACCESS_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The access token that `POST /v1/login` returns, valid for one hour.',
};

export const DOCUMENTS: Readonly<Record<Audience, DocumentTexts>> = {
  seller: {
    title: 'Vereda API',
    summary:
      'Transactions, payment links, subscriptions, wallet, withdrawals and webhooks for sellers in Brazil.',
    introduction: SELLER_INTRODUCTION,
    tags: [
      {
        name: 'Transactions',
        description:
          'A transaction is one payment by a payer: create, retrieve, capture, cancel and refund it. The ' +
          'dashboard calls it a charge (cobrança).',
      },
      {
        name: 'Customers',
        description: 'Payers whose details you store, and their saved cards.',
      },
      {
        name: 'Payment links',
        description:
          'Links to share with payers, and the operations that their payment pages call without ' +
          'a credential.',
      },
      {
        name: 'Subscriptions',
        description:
          'Recurring payments by Pix Automático, which the payer authorizes once, or by saved ' +
          'card, boleto or Pix.',
      },
      { name: 'Wallet', description: "The seller's balance: what can be withdrawn and what is on hold." },
      { name: 'Reports', description: 'Totals of payments, fees and refunds over time.' },
      {
        name: 'Withdrawals',
        description:
          'A withdrawal is the request to transfer money from the balance to a Pix key, a bank account ' +
          '(TED, if the gateway has a provider for it) or, in the sandbox, a crypto address. The transfer ' +
          'that executes it is the payout.',
      },
      { name: 'Disputes', description: 'Payments that a payer disputes with their bank.' },
      { name: 'Webhooks', description: 'Endpoints of your system that receive events.' },
      {
        name: 'Events',
        description: 'The events that webhooks receive, and a stream for systems that poll.',
      },
      { name: 'Sellers', description: "The seller's fees and settings." },
      { name: 'Applications', description: 'How a seller applies for an account.' },
      { name: 'API keys', description: 'The credentials of your servers.' },
      AUTHENTICATION,
      ACCOUNT,
      { name: 'Team', description: 'The users of the seller, managed by users with the role OWNER.' },
      HEALTH,
      SANDBOX,
    ],
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'An API key of the seller: `sk_live_…`, or `sk_test_…` in the sandbox.',
      },
      accessToken: ACCESS_TOKEN,
    },
  },
  operator: {
    title: 'Vereda Operator API',
    summary: 'The back office of a gateway: sellers, approvals, disputes, reconciliation and audit.',
    introduction: OPERATOR_INTRODUCTION,
    tags: [
      { name: 'Sellers', description: 'Sellers with their limits, fees, wallets, users and API keys.' },
      { name: 'Applications', description: 'Applications of sellers for an account, and decisions on them.' },
      { name: 'Transactions', description: 'The transactions of all sellers.' },
      { name: 'Withdrawals', description: 'The withdrawals of all sellers, and decisions on them.' },
      { name: 'Disputes', description: 'The disputes of all sellers, and decisions on them.' },
      {
        name: 'Risk',
        description: 'Rules and lists that are checked before a provider is called, and the review queue.',
      },
      {
        name: 'Reversals',
        description:
          'Payments returned to the payer because they were late, duplicates or of the wrong amount.',
      },
      { name: 'Ledger', description: 'Verifies the balances and the HMAC chain of the ledger.' },
      { name: 'Reports', description: 'What the gateway earned, and what the providers cost.' },
      { name: 'Reconciliation', description: 'Compares what providers settled with the ledger.' },
      {
        name: 'CNAB files',
        description:
          'Files exchanged with a bank: remittance files (arquivos de remessa) to it, return files from it.',
      },
      { name: 'Providers', description: 'The health of external providers, and the events they reported.' },
      { name: 'Webhooks', description: 'The webhooks of all sellers.' },
      { name: 'Privacy', description: "Payers' requests under the LGPD: export and erasure." },
      { name: 'Emails', description: 'Emails that the gateway sent or could not send.' },
      { name: 'Approvals', description: 'Changes that wait for approval by a second ADMIN.' },
      { name: 'Audit log', description: 'Who changed what, and when.' },
      { name: 'Settings', description: 'Settings of the operator that apply to all sellers.' },
      { name: 'Users', description: 'The operator users: ADMIN and SUPPORT.' },
      { name: 'System', description: 'The state of the installation.' },
      AUTHENTICATION,
      ACCOUNT,
      HEALTH,
      SANDBOX,
    ],
    securitySchemes: { accessToken: ACCESS_TOKEN },
  },
};
