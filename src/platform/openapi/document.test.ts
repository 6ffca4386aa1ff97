import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isRecord, lookUp, readReference, type Reference } from '#test/support/openapi-conformance.ts';
import { HttpError } from '#platform/http/errors.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { VALIDATION_ERRORS, CREATE_BODIES } from '#payments/transactions/examples.ts';
import { createBodySchema } from '#payments/transactions/schema.ts';
import { generateOpenApiOffline } from '#app/openapi.ts';

type Json = Record<string, unknown>;

let dataDir: string;
let reference: Reference;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-reference-'));
  const environment = { MODE: 'sandbox', DATA_DIR: dataDir, PUBLIC_URL: 'https://pay.example' };
  reference = readReference(JSON.parse(JSON.stringify(await generateOpenApiOffline(environment))));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

interface Place {
  readonly name: string;
  readonly operation: Json;
  readonly path: readonly string[];
}

function* operations(section = 'paths'): Generator<Place> {
  for (const [path, methods] of Object.entries(record(reference.document[section]))) {
    for (const [method, operation] of Object.entries(record(methods))) {
      yield { name: `${method} ${path}`, operation: record(operation), path: [section, path, method] };
    }
  }
}

const record = (value: unknown): Json => (isRecord(value) ? value : {});

describe('a list in a body', () => {
  it('says how long it may be: what is sent must not be judged entry by entry without end', () => {
    const unbounded: string[] = [];
    const seen = new Set<unknown>();
    const look = (node: unknown, at: string): void => {
      if (typeof node !== 'object' || node === null || seen.has(node)) return;
      seen.add(node);
      const { $ref, type, maxItems }: Json = record(node);
      if (typeof $ref === 'string') look(lookUp(reference.document, $ref.slice(2).split('/'))?.node, $ref);
      if (type === 'array' && maxItems === undefined) unbounded.push(at);
      for (const [name, child] of Object.entries(node)) if (name !== 'examples') look(child, `${at}/${name}`);
    };
    for (const { name, operation } of operations()) look(operation['requestBody'], name);
    expect(unbounded).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
  });
});

interface Media {
  readonly name: string;
  readonly node: Json;
  readonly pointer: string;
  readonly status: number | undefined;
  readonly type: string;
}

/** Every body of every operation, as it is asked and answered. */
function* media(section = 'paths'): Generator<Media> {
  for (const { name, operation, path } of operations(section)) {
    const places: (readonly [number | undefined, readonly string[]])[] = [[undefined, ['requestBody']]];
    for (const status of Object.keys(record(operation['responses']))) {
      places.push([Number(status), ['responses', status]]);
    }
    for (const [status, at] of places) {
      const found = lookUp(reference.document, [...path, ...at]);
      for (const type of Object.keys(record(found?.node['content']))) {
        const body = lookUp(reference.document, [...path, ...at, 'content', type]);
        if (body !== undefined) yield { name: `${name} ${status ?? 'body'}`, status, type, ...body };
      }
    }
  }
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);

/** What sets a cookie or acts on one refuses a page of another origin, though it asks for no credential. */
const COOKIES = new Set(['post /v1/login', 'post /v1/login/two-factor', 'post /v1/auth/refresh']);

describe('the OpenAPI document', () => {
  it('names each operation once, with a summary and a tag that is explained (C1)', () => {
    const explained = new Set(list(reference.document['tags']).map((tag) => tag['name']));
    const all = [...operations(), ...operations('webhooks')];
    const wrong = all.filter(({ operation: { operationId, summary, tags } }) => {
      const named =
        /^[a-z][A-Za-z]+$/.test(String(operationId)) && typeof summary === 'string' && /\S/.test(summary);
      return !(named && Array.isArray(tags) && tags.length === 1 && explained.has(tags[0]));
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all.map(({ operation }) => operation['operationId'])).size).toBe(all.length);
  });

  it('shows an example of every body, asked and answered (C1)', () => {
    const bare = [...media(), ...media('webhooks')].filter(
      ({ node }) => Object.keys(record(node['examples'])).length === 0,
    );
    expect(bare.map(({ name, type }) => `${name} ${type}`)).toEqual([]);
  });

  it('shows no example that its own schema refuses (C1)', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const { name, node, pointer, type } of [...media(), ...media('webhooks')]) {
      for (const [example, shown] of Object.entries(record(node['examples']))) {
        const { value } = record(shown);
        checked += 1;
        const found =
          type === 'application/json'
            ? reference.violations(`${pointer}/schema`, value)
            : String(value).endsWith('\r\n')
              ? []
              : ['is no CSV'];
        wrong.push(...found.map((violation) => `${name} ${example}: ${violation}`));
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });

  it('shows errors with the status they stand under, rules as a list and all else as a sentence (C3)', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const { name, node, status } of media()) {
      // The check of health answers a body of its own.
      if (status === undefined || status < 400 || name === 'get /v1/health 503') continue;
      for (const shown of Object.values(record(node['examples']))) {
        const { statusCode, message, requestId } = record(record(shown)['value']);
        checked += 1;
        const worded = Array.isArray(message)
          ? status === 400 && message.length > 0
          : typeof message === 'string';
        if (statusCode !== status || !worded || (requestId !== undefined) !== (status === 500)) {
          wrong.push(`${name}: ${String(message)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });

  it('says for each operation what it can refuse, by what the operation is (C3, C4, C5, C6)', () => {
    const wrong: string[] = [];
    for (const { name, operation, path } of operations()) {
      const statuses = Object.keys(record(operation['responses'])).map(Number);
      const open = Array.isArray(operation['security']) && operation['security'].length === 0;
      const body = operation['requestBody'] !== undefined;
      const key = list(operation['parameters']).some((one) => one['name'] === 'idempotency-key');
      const must: Readonly<Record<number, boolean | undefined>> = {
        400: body || key ? true : undefined,
        401: open ? undefined : true,
        403: COOKIES.has(name) || !open,
        404: name.includes('{id}') ? true : undefined,
        409: key,
        413: body,
        415: body,
        429: !name.startsWith('get /v1/health'),
        500: true,
        503: name !== 'get /v1/health/live',
      };
      for (const [status, wanted] of Object.entries(must)) {
        if (wanted !== undefined && statuses.includes(Number(status)) !== wanted) {
          wrong.push(`${name} ${status} must ${wanted ? 'be described' : 'not be there'}`);
        }
      }
      for (const status of statuses) {
        const answer = lookUp(reference.document, [...path, 'responses', String(status)])?.node;
        const headers = Object.keys(record(answer?.['headers']));
        const wait = status === 429 || status === 503;
        if (!headers.includes('x-request-id') || (wait && !headers.includes('Retry-After'))) {
          wrong.push(`${name} ${status} lacks a header`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('words broken rules as the validator does (C3)', () => {
    const schema = createBodySchema({ verify: true, alphanumericCnpj: false, isValid: () => true });
    const said = (body: unknown): unknown => {
      const outcome = validatorCompiler({ schema, httpPart: 'body' })(body);
      return 'error' in outcome && outcome.error instanceof HttpError ? outcome.error.body : undefined;
    };
    const [pix, , , , abroad] = Object.values(CREATE_BODIES);
    if (pix === undefined || abroad === undefined) throw new Error('an example is gone');
    expect([
      said({ ...pix, amount: 99, customer: { ...pix.customer, email: 'ana' } }),
      said({ ...abroad, card: { ...abroad.card, currency: 'BRL' } }),
    ]).toEqual(VALIDATION_ERRORS);
    for (const body of Object.values(CREATE_BODIES)) expect(said(body)).toBeUndefined();
  });

  it('keeps what is said to machines only out of it (C1)', () => {
    const text = JSON.stringify(reference.document);
    for (const word of ['x-rule', '"filled"', '/metrics', '"hide"', 'postgresql']) {
      expect(text).not.toContain(word);
    }
  });
});
