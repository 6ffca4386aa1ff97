import { isRecord } from '#platform/kit/records.ts';

import { bytesOf, wellFormed, type Draft } from './draft.ts';
import { piecesOf } from './framing.ts';
import { goodValue, partsOf, type Operation } from './operations.ts';
import { randomOf, type Random } from './random.ts';
import { MUTATIONS } from './mutations.ts';
import { CALLERS, type CallerName, type Kind, type World } from './fixtures.ts';
import type { Piece } from './wire.ts';

/**
 * Requests that follow from a seed, a number and the fixtures: mostly valid examples of the
 * documents with one or two mutations, which are named, so that a failure shows what was tried.
 */

export interface Planned {
  readonly number: number;
  readonly caller: CallerName;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  /** The applied mutations. */
  readonly wrong: readonly string[];
  /** Whether it is valid HTTP and must get a response; otherwise the connection may be closed. */
  readonly wellFramed: boolean;
  readonly pieces: readonly Piece[];
}

/** URLs other than operations: pages, files, and unknown ones. */
const ELSEWHERE = [
  '/',
  '/openapi.json',
  '/openapi-operator.json',
  '/docs',
  '/docs/',
  '/dashboard',
  '/dashboard/',
  '/dashboard/charges/1',
  '/dashboard/assets/index.js',
  '/assets/reference.js',
  '/assets/swagger-ui.css',
  '/metrics',
  '/v1',
  '/v1/',
  '/v2/health',
  '/favicon.ico',
  '/robots.txt',
  '/.env',
  '/pix/x',
  '/boletos/x',
  '/pix/{txid}.png',
  '/pix/{transaction}',
  '/boletos/{transaction}',
  '/boletos/{boletoPage}',
  '/boletos/{boletoPage}.pdf',
  '/boletos/{boletoPage}/barcode.png',
  '/boletos/{boletoPage}/qrcode.png',
  '/providers/sandbox',
  '/providers/bacen/x/pix',
  '/providers/adyen/notifications',
  '//v1/health',
  '/v1//health',
  '/V1/health',
  '*',
  'http://127.0.0.1/v1/health',
];

/** Operations that would disturb the rest of a run if they were as frequent as others. */
const SELDOM: Readonly<Record<string, number>> = {
  advanceClock: 0.03,
  changeSeller: 0.3,
  login: 0.5,
  checkLedger: 0.2,
};

export interface PlanOptions {
  readonly operations: readonly Operation[];
  readonly world: World;
  readonly seed: number;
  /** Provider callbacks with a valid body each. */
  readonly callbacks?: readonly {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly bodyOf: (transactionId: string) => unknown;
  }[];
}

export function plan(number: number, { operations, world, seed, callbacks = [] }: PlanOptions): Planned {
  const random = randomOf(seed, number);
  const draft = random.weighted<() => Draft>([
    [
      90,
      () =>
        good(random, world, random.weighted(operations.map((one) => [SELDOM[one.id] ?? 1, one] as const))),
    ],
    [5, () => elsewhere(random, world)],
    [callbacks.length === 0 ? 0 : 10, () => callback(random, world, random.pick(callbacks))],
  ])();
  const wrong: string[] = [];
  const times = random.weighted([
    [2, 0],
    [5, 1],
    [2, 2],
    [1, 3],
  ]);
  for (let time = 0; time < times; time += 1) {
    const [name, mutate] = random.weighted(MUTATIONS.map(([weight, ...rest]) => [weight, rest] as const));
    if (mutate(draft) !== false) wrong.push(name);
  }
  return finished(number, draft, wrong);
}

const blank = (random: Random, world: World): Draft => ({
  random,
  world,
  operation: undefined,
  caller: 'anonymous',
  method: 'GET',
  path: '/',
  query: [],
  rawQuery: undefined,
  headers: [],
  json: undefined,
  body: undefined,
  framing: 'length',
  framed: undefined,
  wellFramed: true,
});

function good(random: Random, world: World, operation: Operation): Draft {
  const draft: Draft = {
    ...blank(random, world),
    operation,
    method: operation.method,
    caller: callerFor(operation, random),
  };
  draft.path = partsOf(operation.path)
    .map((part) => (typeof part === 'string' ? part : encodeURIComponent(idFor(part.kind, draft))))
    .join('');
  for (const parameter of operation.query) {
    if (!random.chance(parameter.required ? 0.95 : 0.2)) continue;
    draft.query.push([parameter.name, goodValue(parameter, random, (name) => idFor(kindNamed(name), draft))]);
  }
  if (operation.needsKey)
    draft.headers.push([
      'idempotency-key',
      random.chance(0.9) ? random.uuid() : '6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34',
    ]);
  const [body] = operation.bodies;
  if (body !== undefined && random.chance(0.97)) {
    const example = body.examples.length === 0 ? {} : random.pick(body.examples);
    draft.headers.push(['content-type', body.type]);
    if (body.type === 'application/json') draft.json = filledIn(example, draft);
    else draft.body = Buffer.from(String(example));
  }
  return draft;
}

function elsewhere(random: Random, world: World): Draft {
  const draft = { ...blank(random, world), caller: random.pick(CALLERS) };
  const id = idFor('transaction', draft);
  draft.path = random
    .pick(ELSEWHERE)
    .replace('{transaction}', id)
    .replace('{boletoPage}', idFor('boletoPage', draft))
    .replace('{txid}', id.replaceAll('-', ''));
  return draft;
}

function callback(
  random: Random,
  world: World,
  { path, headers, bodyOf }: NonNullable<PlanOptions['callbacks']>[number],
): Draft {
  const all: [string, string][] = [['content-type', 'application/json'], ...Object.entries(headers)];
  return {
    ...blank(random, world),
    method: 'POST',
    path,
    headers: all,
    json: structuredClone(bodyOf(idFor('transaction', { random, world }))),
  };
}

function callerFor({ path, id }: Operation, random: Random): CallerName {
  if (random.chance(0.12)) return random.pick(CALLERS);
  if (path.includes('/admin/') || id === 'advanceClock' || id === 'readSettlementFile')
    return random.chance(0.85) ? 'admin' : 'support';
  if (path.includes('/auth/') || path.includes('/login'))
    return random.pick(['cookie', 'anonymous', 'owner']);
  if (path.includes('/users/me')) return random.pick(['owner', 'viewer', 'admin', 'cookie']);
  return random.weighted([
    [4, 'owner key'],
    [3, 'owner'],
    [1, 'cookie'],
    [1, 'finance'],
    [1, 'developer'],
    [1, 'viewer'],
    [1, 'other seller key'],
    [1, 'developer key'],
    [1, 'viewer key'],
  ]);
}

/** Mostly an id of the caller's own, sometimes of the other seller, sometimes of another kind. */
function idFor(kind: Kind, { random, world }: Pick<Draft, 'random' | 'world'>): string {
  const { own, foreign } = world.ids[kind];
  const from = random.weighted([
    [8, own],
    [1, foreign],
    [1, Object.values(world.ids).flatMap((ids) => ids.own)],
  ]);
  return from.length === 0 ? random.uuid() : random.pick(from);
}

function kindNamed(name: string): Kind {
  if (/withdrawal/i.test(name)) return 'withdrawal';
  if (/seller/i.test(name)) return 'seller';
  if (/webhook/i.test(name)) return 'webhook';
  if (/dispute/i.test(name)) return 'dispute';
  if (/actor|user/i.test(name)) return 'user';
  return 'transaction';
}

/** A copy of an example with the ids, emails and passwords of these fixtures. */
function filledIn(example: unknown, draft: Draft, name = ''): unknown {
  if (Array.isArray(example)) return example.map((one: unknown) => filledIn(one, draft, name));
  if (isRecord(example))
    return Object.fromEntries(
      Object.entries(example).map(([key, value]) => [key, filledIn(value, draft, key)]),
    );
  const { random, world } = draft;
  if (/Ids?$/.test(name) && name !== 'reportId') return idFor(kindNamed(name), draft);
  if (name === 'reportId') return random.uuid();
  if (name === 'refreshToken') return world.refreshToken;
  if (/password$/i.test(name)) return world.password;
  if (/email$/i.test(name))
    return random.chance(0.7) ? `${random.hex(12)}@example.com` : random.pick(world.emails);
  return example;
}

function finished(number: number, draft: Draft, wrong: readonly string[]): Planned {
  const { world, caller, method } = draft;
  const query =
    draft.rawQuery ??
    draft.query
      .map(
        ([name, value]) => `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(value))}`,
      )
      .join('&');
  const target = query === '' ? draft.path : `${draft.path}?${query}`;
  const body = bytesOf(draft);
  const given = new Set(draft.headers.map(([name]) => name));
  const headers: [string, string][] = [
    ...(given.has('host') ? [] : [['host', '127.0.0.1'] as [string, string]]),
    ['connection', 'close'],
    ...(given.has('x-forwarded-for')
      ? []
      : [
          [
            'x-forwarded-for',
            `10.${Array.from({ length: 3 }, () => draft.random.between(0, 255)).join('.')}`,
          ] as [string, string],
        ]),
    ...Object.entries(world.credentialOf(caller)).filter(([name]) => !given.has(name)),
    ...draft.headers,
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}`;
  const oversized = head.length > 16_000 || headers.length > 1_000;
  // A header that is too long, or an upgrade, may be rejected before all of it is read.
  const wellFramed = draft.wellFramed && !oversized;
  return {
    number,
    caller,
    method,
    target,
    headers,
    body,
    wrong,
    wellFramed,
    pieces: piecesOf(draft, head, body),
  };
}
