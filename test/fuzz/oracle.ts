import { findViolations, type Reference } from '#test/support/openapi-conformance.ts';

import type { Planned } from './requests.ts';
import type { Exchange, WireResponse } from './wire.ts';
import type { World } from './fixtures.ts';

/** Texts that no response and no log line may contain, whoever sent the request. */
const LEAKS: readonly (readonly [string, RegExp])[] = [
  ['a stack trace', /\n\s+at |\bat (?:async )?[\w.<>]+ \(|node:internal|\.ts:\d+/],
  ['a path of this machine', /\/(?:home|tmp|work|root|usr|var)\/[\w-]+\/|node_modules|file:\/\/\//],
  ['SQL', /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b.{1,80}\b(?:FROM|VALUES|SET|WHERE)\b/],
  ['an error of SQL', /syntax error at|violates \w+ constraint|duplicate key value|relation "|column "\w+"/],
  ['the database', /\bpg_\w+|postgres(?:ql)?:\/\/|kysely|ECONNREFUSED/],
  ['another file', /root:[x*]:0:0|"devDependencies"|BEGIN [A-Z ]*PRIVATE KEY/],
  [
    'an inner error',
    /\b(?:TypeError|RangeError|SyntaxError|ReferenceError|AssertionError|FST_ERR_\w+|ERR_[A-Z_]{4,})\b/,
  ],
  [
    'the message of an inner error',
    /Cannot read propert|is not a function|Unexpected token|\[object Object\]/,
  ],
];

const MAX_READ = 512 * 1024;

/** The violations in the response to a request; none if it is correct. */
export function faultsOf(
  planned: Planned,
  { responses, rest, closed, ms }: Exchange,
  reference: Reference,
  world: World,
  origin: string,
): readonly string[] {
  const faults: string[] = [];
  if (!closed) faults.push(`not over after ${Math.round(ms)} ms`);
  if (rest.length > 0) faults.push(`half an answer: ${rest.toString('latin1', 0, 200)}`);
  if (planned.wellFramed && responses.length !== 1) faults.push(`${responses.length} answers`);
  for (const response of responses) {
    faults.push(...faultsOfOne(planned, response, world));
    if (planned.wellFramed && responses.length === 1) {
      faults.push(...notDescribed(planned, response, reference, origin));
    }
  }
  return faults;
}

function faultsOfOne(
  planned: Planned,
  { status, headers, body }: WireResponse,
  world: World,
): readonly string[] {
  const faults: string[] = [];
  // A callback gets a 503 while its provider is unreachable, so that it is repeated.
  const isAway = status === 503 && /^\/+(?:providers|%70%72%6f%76)/i.test(planned.target);
  // The response to a request with invalid framing.
  const isFraming = status === 501 && body.includes('unsupported_transfer_encoding');
  if (status >= 500 && !isAway && !isFraming) faults.push(`status ${status}`);
  const type = headers.get('content-type') ?? '';
  const kept = /javascript|css|image|pdf/.test(type) || planned.target.startsWith('/openapi');
  // Static files are the same for all clients and cannot leak.
  if (kept && status === 200) return faults;
  // The beginning of a large export is enough.
  const text = body.subarray(0, MAX_READ).toString();
  const sent = `${planned.target}\n${planned.headers.join('\n')}\n${planned.body?.toString() ?? ''}`;
  for (const [what, pattern] of LEAKS) {
    const found = pattern.exec(text)?.[0];
    // A response may contain data of the request: the customer of a charge may have any name.
    if (found !== undefined && !sent.includes(found) && status >= 400)
      faults.push(`contains ${what}: ${found}`);
  }
  for (const secret of world.secrets()) if (text.includes(secret)) faults.push('contains a credential');
  const mayKnow =
    ['admin', 'support', 'other seller key'].includes(planned.caller) ||
    sent.includes(world.otherSellerEmail);
  // A client with the URL of a boleto page is its payer, and sees the beneficiary.
  const ofPayer = planned.target.startsWith('/boletos/');
  if (!mayKnow && !ofPayer && world.canaries.some((one) => text.includes(one)))
    faults.push("contains the other seller's data");
  for (const [name, value] of headers) {
    // oxlint-disable-next-line no-control-regex -- these are searched
    if (/[\0-\x1f\x7f]/.test(value)) faults.push(`header ${name} contains a control character`);
  }
  if (body.length > 4 * 1024 * 1024 && status >= 400) faults.push(`an error of ${body.length} bytes`);
  return faults;
}

/** A request with an invalid Host header, or with two, is rejected before routing. */
function hasInvalidHost({ headers }: Planned): boolean {
  const hosts = headers.flatMap(([name, value]) => (name.toLowerCase() === 'host' ? [value] : []));
  return hosts.length !== 1 || !/^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d*)?$/i.test(hosts[0] ?? '');
}

function notDescribed(
  planned: Planned,
  { status, headers, body }: WireResponse,
  reference: Reference,
  origin: string,
): readonly string[] {
  const { method, target } = planned;
  if (status === 400 && body.includes('"malformed_request"') && hasInvalidHost(planned)) return [];
  if (!URL.canParse(target, origin) || !target.startsWith('/') || target.startsWith('//')) return [];
  const { pathname } = new URL(target, origin);
  // A URL that the URL parser normalizes differs from the one that was sent.
  if (pathname !== target.split(/[?#]/)[0]) return [];
  const text = body.toString();
  return findViolations(reference, pathname, { method, url: origin + target, status, headers, text });
}

/** The violations in a log line. */
export function faultsOfLine(line: string, forbidden: readonly string[]): readonly string[] {
  const faults: string[] = [];
  // oxlint-disable-next-line no-control-regex -- these are searched
  if (/[\0-\x08\x0b-\x1f\x7f\x9b\u2028\u2029]/.test(line)) faults.push('a control character');
  try {
    const { reqId, ...said } = JSON.parse(line);
    const { level, msg, time, provider, err } = said;
    if (reqId !== undefined && !/^[\w-]{1,64}$/.test(reqId)) faults.push('has an invalid request id');
    // A client may choose any plain text as its request id.
    const reported = JSON.stringify(said);
    for (const text of forbidden) if (reported.includes(text)) faults.push(`contains ${text.slice(0, 12)}…`);
    if (typeof level !== 'string' || typeof msg !== 'string' || typeof time !== 'string')
      faults.push('is not a valid log line');
    // A client with a provider's secret may report events that the operator must check. A provider
    // that is slow or disconnects is also possible without a request.
    const ofProvider = (provider !== undefined && err === undefined) || err?.type === 'NotExecutedError';
    if ((level === 'error' && !ofProvider) || level === 'fatal') faults.push(`requires attention: ${msg}`);
  } catch {
    faults.push('is not JSON');
  }
  return faults;
}
