/** The introduction and the tags of the API reference. CommonMark. */

export const INTRODUCTION = `Accept payments in Brazil by Pix, boleto and card, hold the balance in a wallet, and pay it out.
All amounts are integers in **cents of a real**; all timestamps are ISO 8601 in UTC.

### Authentication
Send an API key in \`x-api-key\`, or the access token returned by \`POST /v1/login\` in
\`Authorization: Bearer\`. If both are sent, the key is used. Keep keys and tokens on your server,
never in a browser or an app.

The sandbox has a demo seller. Its API key is printed in the terminal where the gateway was started
and stored in \`demo.json\` in the data directory of the gateway.

### Idempotency
Operations that move money require an \`Idempotency-Key\`: a UUID v4 that you generate for each
request. If the outcome of a request is unknown, send it again with the same key and body: the
response is the first one, with \`Idempotency-Replayed: true\`, and nothing is executed twice. The
same key with a different body is a 409.

### Errors
Every error has the same body: \`statusCode\`, \`message\`, \`error\`. If the request is invalid,
\`message\` is a list with one sentence for each violated rule; otherwise it is one sentence. Every
response has an \`x-request-id\` header. A 500 repeats it as \`requestId\`, which the operator needs
to investigate.

### Rate limits
A seller may send 120 requests per minute, of which 60 may create transactions, unless the operator
has set other limits. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report
the current state. A 429 states in \`Retry-After\` how many seconds to wait.

### Pagination
Lists are sorted newest first. \`take\` is the page size. To read the next page, pass \`nextCursor\`
as \`cursor\` until it is null: each record is returned once, even if others are created meanwhile.
\`skip\` supports tables with page numbers.`;

export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Transactions',
    description: 'Payments by payers: create, retrieve, capture, cancel and refund them.',
  },
  { name: 'Wallet', description: "The seller's balance: what can be withdrawn, and what is still held." },
  { name: 'Reports', description: 'Totals over time.' },
  { name: 'Withdrawals', description: 'Payouts of the balance to a Pix key or a crypto address.' },
  { name: 'Disputes', description: 'Payments that a payer has disputed with their bank.' },
  { name: 'Webhooks', description: 'Endpoints of your system that receive events.' },
  {
    name: 'Events',
    description:
      'The requests that your webhooks receive. Delivery is at least once: up to five attempts, ' +
      'immediately and then after 30 seconds, 2 minutes, 10 minutes and one hour, or later if your ' +
      'response has a `Retry-After` header. A webhook that responds with 410, or to which every attempt' +
      ' has failed for five days, is disabled. Its events are stored and can be replayed.',
  },
  { name: 'Sellers', description: "The seller's own account." },
  { name: 'API keys', description: 'Credentials of your servers.' },
  { name: 'Authentication', description: 'Sign-in and sign-out of users.' },
  { name: 'Account', description: "The user's own name, password, second factor and sessions." },
  { name: 'Team', description: 'Users of the seller, managed by users with the role OWNER.' },
  { name: 'Health', description: 'For health probes and load balancers.' },
  {
    name: 'Sandbox',
    description: 'Simulates the bank, the payer and the passage of time. Only in sandbox mode.',
  },
  {
    name: 'Operator',
    description: 'The back office of the gateway operator. Requires an operator user.',
  },
];
