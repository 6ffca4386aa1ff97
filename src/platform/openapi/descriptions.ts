/** What the reference says before and between the operations. CommonMark. */

export const INTRODUCTION = `Take payments in Brazil by PIX, boleto and card, see the money in a wallet, and pay it out.
All amounts are whole numbers of **cents of a real**; all instants are ISO 8601 in UTC.

### Who is calling
Send an API key in \`x-api-key\`, or the access token that \`POST /v1/login\` answers in \`Authorization: Bearer\`.
If both are sent, the key counts. Keys and tokens belong on your server, never in a browser or an app.

In the sandbox there is a demo seller. Its API key is printed in the terminal where the gateway was started, and kept
in \`demo.json\` in the gateway's data folder.

### Asking twice and paying once
Operations that move money need an \`Idempotency-Key\`: a UUID v4 that you make up for each request. If you do not know what
became of a request, send it again with the same key and the same body: you get the first answer again, with
\`Idempotency-Replayed: true\`, and nothing is done twice. The same key with another body is a 409.

### When something is wrong
Every error has the same body: \`statusCode\`, \`message\`, \`error\`. Where the request breaks rules, \`message\` is a list with
one sentence for each of them; everywhere else it is one sentence. Every answer carries \`x-request-id\`; a 500 repeats
it as \`requestId\`, which is what the operator needs to find out what happened.

### How fast
A seller has 120 requests a minute, of which 60 may create charges, unless the operator has set other numbers.
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where you stand. A 429 says in \`Retry-After\` how many
seconds to wait.

### Page by page
Lists are newest first. \`take\` is the size of a page; to read on, pass \`nextCursor\` as \`cursor\` until it is null.
Read that way, each record comes once, whatever is created meanwhile. \`skip\` jumps, for tables with page numbers.`;

export const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Transactions',
    description: 'Charges to payers: make them, look them up, capture, cancel and return them.',
  },
  { name: 'Wallet', description: 'What the seller has: what can be withdrawn, and what is still held.' },
  { name: 'Reports', description: 'Sums over time.' },
  { name: 'Withdrawals', description: 'Paying the balance out, to a PIX key or a crypto address.' },
  { name: 'Disputes', description: 'Payments that a payer has called into question at their bank.' },
  { name: 'Webhooks', description: 'Where the gateway tells your system what has happened.' },
  {
    name: 'Events',
    description:
      'What is posted to your webhooks. At least once each: up to five attempts, at once and then after 30 seconds, 2 minutes, 10 minutes and an hour, or later where your answer says so in `Retry-After`. A webhook that answers 410, or to which every attempt has failed for five days, is disabled, and what happens meanwhile is kept.',
  },
  { name: 'Sellers', description: "The seller's own account." },
  { name: 'API keys', description: 'Credentials for your servers.' },
  { name: 'Authentication', description: 'Signing in and out as a person.' },
  { name: 'Account', description: "One's own name, password, second factor and sessions." },
  { name: 'Team', description: 'Who signs in for the seller. Its OWNERs keep it.' },
  { name: 'Health', description: 'For probes and load balancers.' },
  {
    name: 'Sandbox',
    description:
      'Plays the bank, the payer and the passing of time. Only where the gateway runs as a sandbox.',
  },
  {
    name: 'Operator',
    description: 'The back office: what the operator of the gateway does. Sign in as an operator.',
  },
];
