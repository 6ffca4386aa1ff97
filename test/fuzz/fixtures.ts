import { randomUUID } from 'node:crypto';

import {
  createClient,
  goodCharge,
  type ApiResponse,
  type CallOptions,
  type Client,
} from '#test/support/client.ts';
import type { Demo } from '#app/demo.ts';

/** Records of every kind for two sellers, and the callers that send requests. */

export const CALLERS = [
  'anonymous',
  'owner key',
  'developer key',
  'viewer key',
  'other seller key',
  'owner',
  'finance',
  'developer',
  'viewer',
  'cookie',
  'admin',
  'support',
] as const;
export type CallerName = (typeof CALLERS)[number];

const KINDS = [
  'transaction',
  'boletoPage',
  'withdrawal',
  'dispute',
  'webhook',
  'delivery',
  'user',
  'operatorUser',
  'apiKey',
  'session',
  'passkey',
  'seller',
  'shipment',
  'returnFile',
  'returnLine',
  'return',
  'approval',
] as const;
export type Kind = (typeof KINDS)[number];

/** The credential of a caller. */
type Credential = Readonly<Record<string, string>>;

export interface World {
  credentialOf(caller: CallerName): Credential;
  /** Ids of the seller of most callers, and of the other seller. */
  readonly ids: Readonly<
    Record<Kind, { readonly own: readonly string[]; readonly foreign: readonly string[] }>
  >;
  /** Texts that only the other seller and the operator may receive. */
  readonly canaries: readonly string[];
  /** The caller with this credential is the other seller. */
  readonly otherSellerEmail: string;
  /** Credentials, which no response and no log may contain. */
  secrets(): readonly string[];
  readonly password: string;
  readonly emails: readonly string[];
  /** A token that can be used once. */
  readonly refreshToken: string;
  /** The cookies of a response. */
  keepCookies(caller: CallerName, headers: Headers): void;
  /** Gives every caller a working credential, whatever happened to the previous one. */
  restoreCallers(): Promise<void>;
}

const PASSWORD = 'a fuzzed long password';
const ROLE_OF = {
  owner: 'OWNER',
  finance: 'FINANCE',
  developer: 'DEVELOPER',
  viewer: 'VIEWER',
  cookie: 'OWNER',
} as const;
const KEY_ROLE_OF = { 'owner key': 'OWNER', 'developer key': 'DEVELOPER', 'viewer key': 'VIEWER' } as const;

interface Seller {
  readonly id: string;
  readonly email: string;
  readonly key: string;
}

/**
 * A client with another address for each request, because anonymous clients are counted by address.
 */
function elsewhere(client: Client): Client['call'] {
  return async (method, path, body, options = {}) => {
    const headers = { 'x-forwarded-for': address(), ...options.headers };
    return client.call(method, path, body, { ...options, headers });
  };
}

const address = (): string => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;

function must(response: ApiResponse, ...statuses: readonly number[]): ApiResponse {
  if (statuses.includes(response.status)) return response;
  throw new Error(`the world cannot be made: ${response.status} ${response.text}`);
}

/** Some lists have a name of their own in the response. */
function idsListed(response: ApiResponse): string[] {
  const { data } = must(response, 200).body;
  const list: unknown = Array.isArray(data) ? data : Object.values(data).find(Array.isArray);
  return Array.isArray(list) ? list.map(({ id }: { id: unknown }) => String(id)) : [];
}

export async function makeWorld(baseUrl: string, { admin }: Demo): Promise<World> {
  const call = elsewhere(createClient(baseUrl, ''));
  const none = { credential: 'none' } as const;
  const signIn = async (email: string, password: string): Promise<string> =>
    String(must(await call('POST', '/login', { email, password }, none), 200).body.accessToken);
  let root = { token: await signIn(admin.email, admin.password) };
  const idOf = (response: ApiResponse): string => String(must(response, 200, 201).body.data.id);

  async function newKey(sellerId: string, role: string): Promise<{ id: string; key: string }> {
    const made = await call('POST', `/admin/sellers/${sellerId}/api-keys`, { name: 'fuzz', role }, root);
    return { id: idOf(made), key: String(made.body.data.key) };
  }
  async function newUser(sellerId: string | null, role: string): Promise<{ id: string; email: string }> {
    const path = sellerId === null ? '/admin/users' : `/admin/sellers/${sellerId}/users`;
    const email = `${randomUUID()}@example.com`;
    return {
      id: idOf(await call('POST', path, { name: 'Zoe', email, password: PASSWORD, role }, root)),
      email,
    };
  }
  async function newSeller(name: string): Promise<Seller> {
    const ownerEmail = `${randomUUID()}@example.com`;
    const wanted = {
      name,
      documentType: 'CNPJ',
      document: '11222333000181',
      ownerName: name,
      ownerEmail,
      ownerPassword: PASSWORD,
    };
    const id = idOf(await call('POST', '/admin/sellers', wanted, root));
    await open(id);
    return { id, email: ownerEmail, key: (await newKey(id, 'OWNER')).key };
  }
  /** Active, and below its rate limits whatever it sends. */
  async function open(sellerId: string): Promise<void> {
    const rates = { requestsPerMinute: 1_000_000, creationsPerMinute: 1_000_000, autoApproveUpTo: 0 };
    const open = { status: 'ACTIVE', boletoDelayDays: 0, cardDelayDays: 0, ...rates };
    must(await call('PATCH', `/admin/sellers/${sellerId}`, open, root), 200);
  }

  const own = await newSeller('Loja do Meio');
  const secretName = `Canary ${randomUUID()}`;
  const otherSeller = await newSeller(secretName);
  const [mine, theirs] = [
    await createRecords(call, own, 'Ana Souza', root),
    await createRecords(call, otherSeller, secretName, root),
  ];
  const operatorUsers = [await newUser(null, 'SUPPORT'), await newUser(null, 'SUPPORT')];
  const targets = {
    own: [await newUser(own.id, 'VIEWER'), await newUser(own.id, 'FINANCE')],
    foreign: [await newUser(otherSeller.id, 'VIEWER')],
  };
  const keys = {
    own: [(await newKey(own.id, 'VIEWER')).id],
    foreign: [(await newKey(otherSeller.id, 'VIEWER')).id],
  };
  const files = await readFiles(call, root);

  const credentials = new Map<CallerName, Credential>([
    ['anonymous', {}],
    ['other seller key', { 'x-api-key': otherSeller.key }],
    ['owner key', { 'x-api-key': own.key }],
  ]);
  const sessions: string[] = [];
  const spent: string[] = [];

  async function renew(caller: CallerName): Promise<void> {
    const before = credentials.get(caller);
    if (before !== undefined) spent.push(...secretsOf(before));
    if (caller === 'anonymous') return;
    if (caller === 'other seller key') {
      credentials.set(caller, { 'x-api-key': (await newKey(otherSeller.id, 'OWNER')).key });
    } else if (isKeyCaller(caller)) {
      credentials.set(caller, { 'x-api-key': (await newKey(own.id, KEY_ROLE_OF[caller])).key });
    } else if (caller === 'admin' || caller === 'support') {
      // A second ADMIN would have to approve the changes of the first.
      const { email } = caller === 'admin' ? admin : await newUser(null, 'SUPPORT');
      const password = caller === 'admin' ? admin.password : PASSWORD;
      credentials.set(caller, { authorization: `Bearer ${await signIn(email, password)}` });
    } else {
      const { email } = await newUser(own.id, ROLE_OF[caller]);
      const session = caller === 'cookie' ? { session: 'cookie' } : {};
      const response = must(
        await call('POST', '/login', { email, password: PASSWORD, ...session }, none),
        200,
      );
      const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
      credentials.set(caller, {
        authorization: `Bearer ${response.body.accessToken}`,
        ...(caller !== 'cookie'
          ? {}
          : { cookie: cookies.join('; '), 'x-requested-by': 'dashboard', 'sec-fetch-site': 'same-origin' }),
      });
    }
  }

  async function works(caller: CallerName): Promise<boolean> {
    const path = caller === 'admin' || caller === 'support' ? '/admin/settings' : '/sellers/me/fees';
    const response = await call('GET', path, undefined, { ...none, headers: credentials.get(caller) ?? {} });
    return response.status === 200;
  }

  async function restoreCallers(): Promise<void> {
    const known = await call('GET', '/admin/settings', undefined, root);
    if (known.status !== 200) root = { token: await signIn(admin.email, admin.password) };
    await Promise.all([open(own.id), open(otherSeller.id)]);
    for (const caller of CALLERS) {
      if (caller !== 'anonymous' && (!credentials.has(caller) || !(await works(caller)))) await renew(caller);
    }
  }
  await restoreCallers();

  const me = await newUser(own.id, 'OWNER');
  const signedIn = must(
    await call('POST', '/login', { email: me.email, password: PASSWORD }, none),
    200,
  ).body;
  const listed = await call('GET', '/users/me/sessions', undefined, { token: String(signedIn.accessToken) });
  for (const { id } of must(listed, 200).body.data) sessions.push(String(id));

  return {
    credentialOf: (caller) => credentials.get(caller) ?? {},
    ids: {
      ...together(mine, theirs),
      user: idsOf(targets),
      operatorUser: { own: operatorUsers.map(({ id }) => id), foreign: targets.own.map(({ id }) => id) },
      apiKey: keys,
      session: { own: sessions, foreign: [] },
      passkey: { own: [], foreign: [] },
      seller: { own: [own.id], foreign: [otherSeller.id] },
      // No ADMIN is created: with a second one, most changes would require approval.
      approval: { own: [], foreign: [] },
      ...files,
    },
    canaries: [secretName],
    otherSellerEmail: otherSeller.email,
    secrets: () => [
      PASSWORD,
      admin.password,
      ...spent,
      ...[...credentials.values()].flatMap((one) => secretsOf(one)),
    ],
    password: PASSWORD,
    emails: [own.email, otherSeller.email, ...targets.own.map(({ email }) => email)],
    refreshToken: String(signedIn.refreshToken),
    keepCookies(caller, headers) {
      const refresh = headers.getSetCookie().find((line) => line.startsWith('refresh='));
      const kept = credentials.get(caller);
      if (refresh === undefined || kept?.['cookie'] === undefined) return;
      const others = kept['cookie'].split('; ').filter((one) => !one.startsWith('refresh='));
      credentials.set(caller, { ...kept, cookie: [...others, refresh.split(';')[0] ?? ''].join('; ') });
    },
    restoreCallers,
  };
}

const secretsOf = ({ authorization, cookie, ...rest }: Credential): readonly string[] =>
  [authorization?.replace('Bearer ', ''), rest['x-api-key'], cookie].filter((one) => one !== undefined);

const isKeyCaller = (caller: CallerName): caller is keyof typeof KEY_ROLE_OF =>
  Object.hasOwn(KEY_ROLE_OF, caller);

const idsOf = (users: Readonly<Record<'own' | 'foreign', readonly { readonly id: string }[]>>) => ({
  own: users.own.map(({ id }) => id),
  foreign: users.foreign.map(({ id }) => id),
});

type Furniture = Readonly<
  Record<
    'transaction' | 'boletoPage' | 'withdrawal' | 'dispute' | 'webhook' | 'delivery' | 'return',
    readonly string[]
  >
>;

const together = (own: Furniture, foreign: Furniture) => ({
  transaction: { own: own.transaction, foreign: foreign.transaction },
  boletoPage: { own: own.boletoPage, foreign: foreign.boletoPage },
  withdrawal: { own: own.withdrawal, foreign: foreign.withdrawal },
  dispute: { own: own.dispute, foreign: foreign.dispute },
  webhook: { own: own.webhook, foreign: foreign.webhook },
  delivery: { own: own.delivery, foreign: foreign.delivery },
  return: { own: own.return, foreign: foreign.return },
});

/**
 * Charges, withdrawals, disputes and webhooks of one seller, in as many statuses as are easily
 * reached.
 */
async function createRecords(
  call: Client['call'],
  { key: apiKey }: Seller,
  name: string,
  root: CallOptions,
): Promise<Furniture> {
  const as = (idempotent = false): CallOptions => ({
    apiKey,
    ...(idempotent ? { idempotencyKey: randomUUID() } : {}),
  });
  const listOf = async (path: string, options: CallOptions = as()): Promise<string[]> =>
    idsListed(await call('GET', path, undefined, options));
  for (let made = 0; made < 2; made += 1) {
    must(
      await call(
        'POST',
        '/webhooks',
        { url: `https://shop.example/${made}`, eventType: 'ALL', description: name },
        as(),
      ),
      201,
    );
  }
  const customer = { ...goodCharge().customer, name };
  const charge = async (changes: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    String(
      must(
        await call(
          'POST',
          '/transactions',
          goodCharge({ customer, metadata: { order: name }, ...changes }),
          as(true),
        ),
        201,
      ).body.data.id,
    );
  const simulate = async (id: string, what: string): Promise<unknown> =>
    call('POST', `/sandbox/transactions/${id}/${what}`, undefined, as());
  const big = { amount: 900_000, items: [{ title: name, amount: 900_000, quantity: 1, tangible: true }] };
  const card = {
    number: '4111111111111111',
    holderName: 'ANA SOUZA',
    expirationMonth: 12,
    expirationYear: 2049,
    cvv: '123',
  };
  const inCard = { method: 'CREDIT_CARD', card, installments: 1 };

  const paid = [await charge(big), await charge(), await charge()];
  for (const id of paid) await simulate(id, 'pay');
  const disputed = [await charge(), await charge()];
  for (const id of disputed) {
    await simulate(id, 'pay');
    await simulate(id, 'dispute');
  }
  const waiting = [await charge(), await charge({ method: 'BOLETO', expiration: 432_000 })];
  const ended = await charge();
  // If a provider rejects it, it has already ended.
  must(await call('POST', `/transactions/${ended}/cancel`, undefined, as()), 200, 422);
  // A payment of an ended charge is reversed.
  await simulate(ended, 'pay');
  const cards = [await charge(inCard), await charge({ ...inCard, capture: false })];
  await call('POST', `/transactions/${paid[1]}/refund`, { amount: 100 }, as(true));

  const withdrawal = {
    amount: 1_000,
    method: 'PIX',
    pixKey: '52998224725',
    pixKeyType: 'CPF',
    withdrawFrom: 'PIX',
    beneficiaryName: name,
    beneficiaryDocumentType: 'CPF',
    beneficiaryDocumentNumber: '52998224725',
  };
  for (let made = 0; made < 4; made += 1)
    must(await call('POST', '/withdrawals', withdrawal, as(true)), 201, 422);
  const withdrawals = await listOf('/withdrawals?take=10');
  for (const [at, what] of ['approve', 'reject'].entries()) {
    await call(
      'POST',
      `/admin/withdrawals/${withdrawals[at]}/${what}`,
      what === 'reject' ? { reason: 'no' } : undefined,
      root,
    );
  }
  const boletos = [waiting[1], await charge({ method: 'BOLETO' })];
  return {
    boletoPage: await Promise.all(boletos.map(async (id) => pageTokenOf(call, String(id), as()))),
    transaction: [...paid, ...disputed, ...waiting, ended, ...cards],
    withdrawal: withdrawals,
    dispute: await listOf('/disputes?take=10'),
    webhook: await listOf('/webhooks'),
    delivery: await listOf('/webhooks/deliveries?take=5'),
    return: await listOf(`/admin/reversals?transactionId=${ended}`, root),
  };
}

/** The token in the URL of a boleto page. */
async function pageTokenOf(call: Client['call'], id: string, as: CallOptions): Promise<string> {
  const { body } = must(await call('GET', `/transactions/${id}`, undefined, as), 200);
  return new URL(body.data.boleto.url).pathname.split('/').at(-1) ?? '';
}

/** Bank files, if a file exchange is configured. */
async function readFiles(call: Client['call'], root: CallOptions) {
  for (const service of ['BOLETOS', 'PIX']) await call('POST', '/admin/cnab/shipments', { service }, root);
  const listOf = async (path: string): Promise<string[]> =>
    idsListed(await call('GET', path, undefined, root));
  return {
    shipment: { own: await listOf('/admin/cnab/shipments'), foreign: [] },
    returnFile: { own: await listOf('/admin/cnab/returns'), foreign: [] },
    returnLine: { own: ['1', '2', '3'], foreign: [] },
  };
}
