import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isRecord } from '#platform/kit/records.ts';
import { lookUp, readReference, type Reference } from '#test/support/openapi-conformance.ts';
import { HttpError } from '#platform/http/errors.ts';
import { validatorCompiler } from '#platform/http/validation.ts';
import { VALIDATION_ERRORS, CREATE_BODIES } from '#payments/transactions/examples.ts';
import { createBodySchema } from '#payments/transactions/creation-schema.ts';
import type { Audience } from '#platform/openapi/audiences.ts';
import { mergeDocuments } from './merge-openapi.ts';
import { generateOpenApiOffline } from './openapi.ts';

type Json = Record<string, unknown>;

let dataDir: string;
let documents: Readonly<Record<Audience, Reference>>;
let reference: Reference;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-reference-'));
  const environment = { MODE: 'sandbox', DATA_DIR: dataDir, PUBLIC_URL: 'https://pay.example' };
  const { seller, operator } = await generateOpenApiOffline(environment);
  documents = { seller: parse(seller), operator: parse(operator) };
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const parse = (document: object): Reference => readReference(JSON.parse(JSON.stringify(document)));

interface OperationEntry {
  readonly name: string;
  readonly operation: Json;
  readonly path: readonly string[];
}

function* operations(section = 'paths'): Generator<OperationEntry> {
  for (const [path, methods] of Object.entries(record(reference.document[section]))) {
    for (const [method, operation] of Object.entries(record(methods))) {
      yield { name: `${method} ${path}`, operation: record(operation), path: [section, path, method] };
    }
  }
}

const record = (value: unknown): Json => (isRecord(value) ? value : {});

describe.each(['seller', 'operator'] as const)(
  'an array in a request body of the %s document',
  (audience) => {
    beforeAll(() => {
      reference = documents[audience];
    });

    it('has maxItems, so that its validation takes bounded time', () => {
      const unbounded: string[] = [];
      const seen = new Set<unknown>();
      const visit = (node: unknown, at: string): void => {
        if (typeof node !== 'object' || node === null || seen.has(node)) return;
        seen.add(node);
        const { $ref, type, maxItems }: Json = record(node);
        if (typeof $ref === 'string') visit(lookUp(reference.document, $ref.slice(2).split('/'))?.node, $ref);
        if (type === 'array' && maxItems === undefined) unbounded.push(at);
        for (const [name, child] of Object.entries(node))
          if (name !== 'examples') visit(child, `${at}/${name}`);
      };
      for (const { name, operation } of operations()) visit(operation['requestBody'], name);
      expect(unbounded).toEqual([]);
      expect(seen.size).toBeGreaterThan(100);
    });
  },
);

interface Media {
  readonly name: string;
  readonly node: Json;
  readonly pointer: string;
  readonly status: number | undefined;
  readonly type: string;
}

/** The request and response bodies of every operation. */
function* media(section = 'paths'): Generator<Media> {
  for (const { name, operation, path } of operations(section)) {
    const bodies: (readonly [number | undefined, readonly string[]])[] = [[undefined, ['requestBody']]];
    for (const status of Object.keys(record(operation['responses']))) {
      bodies.push([Number(status), ['responses', status]]);
    }
    for (const [status, at] of bodies) {
      const described = lookUp(reference.document, [...path, ...at]);
      for (const type of Object.keys(record(described?.node['content']))) {
        const body = lookUp(reference.document, [...path, ...at, 'content', type]);
        if (body !== undefined) yield { name: `${name} ${status ?? 'body'}`, status, type, ...body };
      }
    }
  }
}

const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(record) : []);

const componentOf = (pointer: string): Json =>
  record(lookUp(reference.document, pointer.slice(2).split('/'))?.node);

interface Member {
  readonly name: string;
  readonly node: Json;
}

/** The members of all schemas, at any depth, and the parameters of all operations. */
function* members(): Generator<Member> {
  for (const { name, operation } of operations()) {
    for (const parameter of list(operation['parameters'])) {
      yield { name: `${name} ${String(parameter['name'])}`, node: parameter };
    }
  }
  const components = record(record(reference.document['components'])['schemas']);
  for (const [name, schema] of Object.entries(components)) yield* membersOf(name, record(schema));
}

function* membersOf(name: string, schema: Json): Generator<Member> {
  for (const [member, node] of Object.entries(record(schema['properties']))) {
    yield { name: `${name}.${member}`, node: record(node) };
    yield* membersOf(`${name}.${member}`, record(node));
  }
  for (const nested of [schema['items'], schema['additionalProperties']]) {
    if (isRecord(nested)) yield* membersOf(name, nested);
  }
  for (const choice of list(schema['anyOf'])) yield* membersOf(name, choice);
}

/**
 * Public operations that set or read a cookie, and so refuse requests from other origins with 403.
 */
/** Operations that respond with 409 without an idempotency key. */
const CONFLICTS = new Set([
  'post /v1/customers',
  'patch /v1/customers/{id}',
  'get /v1/admin/ledger/check',
  'post /v1/admin/risk-lists/{kind}',
]);
/** Bytes, of which no example can be read. */
const BINARY = /^(?:image\/|application\/pdf$|multipart\/form-data$)/;
/** Closed by a setting. */
const SIGNUP_OPERATIONS = new Set(['post /v1/signup', 'post /v1/signup/confirm']);
const COOKIE_OPERATIONS = new Set([
  'post /v1/login',
  'post /v1/login/two-factor',
  'post /v1/login/passkey',
  'post /v1/login/passkey/options',
  'post /v1/auth/refresh',
]);

describe.each(['seller', 'operator'] as const)('the OpenAPI document of the %s', (audience) => {
  beforeAll(() => {
    reference = documents[audience];
  });

  it('gives each operation a unique id, a summary and one documented tag', () => {
    const documentedTags = new Set(list(reference.document['tags']).map((tag) => tag['name']));
    const all = [...operations(), ...operations('webhooks')];
    const wrong = all.filter(({ operation: { operationId, summary, tags } }) => {
      const isNamed =
        /^[a-z][A-Za-z]+$/.test(String(operationId)) && typeof summary === 'string' && /\S/.test(summary);
      return !(isNamed && Array.isArray(tags) && tags.length === 1 && documentedTags.has(tags[0]));
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all.map(({ operation }) => operation['operationId'])).size).toBe(all.length);
  });

  it('gives each operation a summary of at most six words, and a description', () => {
    const wrong = [...operations(), ...operations('webhooks')].filter(
      ({ operation: { summary, description } }) =>
        String(summary).split(' ').length > 6 || !/^[A-Z].*\.$/s.test(String(description)),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('describes every member of a schema and every parameter', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const { name, node } of members()) {
      checked += 1;
      const target = typeof node['$ref'] === 'string' ? componentOf(node['$ref']) : node;
      const description = node['description'] ?? target['description'];
      if (typeof description !== 'string' || !/\S/.test(description)) wrong.push(name);
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(500);
  });

  it('names every JSON body and every record in it, so that clients get named types', () => {
    const wrong: string[] = [];
    const expectReference = (name: string, node: Json): void => {
      if (node['properties'] !== undefined) wrong.push(name);
    };
    for (const { name, operation } of operations()) {
      const success = Object.entries(record(operation['responses'])).filter(([status]) => status < '300');
      for (const body of [operation['requestBody'], ...success.map(([, response]) => response)]) {
        const media = record(record(record(body)['content'])['application/json']);
        const { $ref } = record(media['schema']);
        if (media['schema'] !== undefined && typeof $ref !== 'string') wrong.push(name);
      }
    }
    for (const { name, node } of members()) {
      if (name.endsWith('Response.data')) expectReference(name, node);
      expectReference(`${name}[]`, record(node['items']));
    }
    expect(wrong).toEqual([]);
  });

  it('has an example of every request and response body', () => {
    const withoutExample = [...media(), ...media('webhooks')].filter(
      ({ node, type }) => !BINARY.test(type) && Object.keys(record(node['examples'])).length === 0,
    );
    expect(withoutExample.map(({ name, type }) => `${name} ${type}`)).toEqual([]);
  });

  it('has only examples that match their schemas', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const { name, node, pointer, type } of [...media(), ...media('webhooks')]) {
      for (const [example, entry] of Object.entries(record(node['examples']))) {
        const { value } = record(entry);
        checked += 1;
        const violations =
          type === 'application/json'
            ? reference.violations(`${pointer}/schema`, value)
            : String(value).endsWith('\r\n')
              ? []
              : ['is not CSV'];
        wrong.push(...violations.map((violation) => `${name} ${example}: ${violation}`));
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });

  it('has error examples with their own status, and a message list for validation errors only', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const { name, node, status } of media()) {
      if (status === undefined || status < 400) continue;
      for (const example of Object.values(record(node['examples']))) {
        const { statusCode, message, errors } = record(record(example)['value']);
        checked += 1;
        const hasValidMessage = Array.isArray(message)
          ? status === 400 && message.length > 0
          : typeof message === 'string';
        if (statusCode !== status || !hasValidMessage || (errors !== undefined) !== Array.isArray(message)) {
          wrong.push(`${name}: ${String(message)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  });

  it('documents the errors of each operation that follow from its definition', () => {
    const wrong: string[] = [];
    for (const { name, operation, path } of operations()) {
      const statuses = Object.keys(record(operation['responses'])).map(Number);
      const isPublic = Array.isArray(operation['security']) && operation['security'].length === 0;
      const body = operation['requestBody'] !== undefined;
      const takesKey = list(operation['parameters']).some((one) => one['name'] === 'idempotency-key');
      const required: Readonly<Record<number, boolean | undefined>> = {
        400: body || takesKey ? true : undefined,
        401: isPublic ? undefined : true,
        403: COOKIE_OPERATIONS.has(name) || SIGNUP_OPERATIONS.has(name) || !isPublic,
        404: name.includes('{id}') ? true : undefined,
        409: takesKey || CONFLICTS.has(name),
        413: body,
        415: body,
        429: !name.startsWith('get /v1/health'),
        500: true,
        503: name !== 'get /v1/health/live',
      };
      for (const [status, wanted] of Object.entries(required)) {
        if (wanted !== undefined && statuses.includes(Number(status)) !== wanted) {
          wrong.push(`${name} ${status} must ${wanted ? '' : 'not '}be documented`);
        }
      }
      for (const status of statuses) {
        const response = lookUp(reference.document, [...path, 'responses', String(status)])?.node;
        const headers = Object.keys(record(response?.['headers']));
        const hasRetryAfter = status === 429 || status === 503;
        if (!headers.includes('x-request-id') || (hasRetryAfter && !headers.includes('Retry-After'))) {
          wrong.push(`${name} ${status} lacks a header`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('documents the validation errors of the validator', () => {
    const schema = createBodySchema({ verify: true, alphanumericCnpj: false, isValid: () => true });
    const errorsOf = (body: unknown): unknown => {
      const outcome = validatorCompiler({ schema, httpPart: 'body' })(body);
      return 'error' in outcome && outcome.error instanceof HttpError ? outcome.error.errors : undefined;
    };
    const [pix, , card] = Object.values(CREATE_BODIES);
    if (pix === undefined || card === undefined) throw new Error('an example is missing');
    expect([
      errorsOf({ ...pix, amount: 99, customer: { ...pix.customer, email: 'ana' } }),
      errorsOf({ ...card, global: true, card: { ...card.card, currency: 'BRL' } }),
    ]).toEqual(VALIDATION_ERRORS.map(({ errors }) => errors));
    for (const body of Object.values(CREATE_BODIES)) expect(errorsOf(body)).toBeUndefined();
  });

  it('omits internal keywords and hidden routes', () => {
    const text = JSON.stringify(reference.document);
    for (const word of ['x-rule', '"filled"', '/metrics', '"hide"', 'postgresql']) {
      expect(text).not.toContain(word);
    }
  });
});

const pathsOf = (audience: Audience): readonly string[] =>
  Object.keys(record(documents[audience].document['paths']));

const schemesOf = (audience: Audience): readonly string[] =>
  Object.keys(record(record(documents[audience].document['components'])['securitySchemes']));

describe('the two OpenAPI documents', () => {
  it('separate the operations by their callers', () => {
    const [seller, operator] = [pathsOf('seller'), pathsOf('operator')];
    expect(seller.filter((path) => path.startsWith('/v1/admin/'))).toEqual([]);
    expect(seller).toContain('/v1/transactions');
    expect(seller).toContain('/v1/sandbox/transactions/{id}/pay');
    expect(operator).toContain('/v1/admin/sellers');
    expect(operator).toContain('/v1/sandbox/clock');
    const shared = operator.filter((path) => seller.includes(path));
    expect(shared).toContain('/v1/login');
    expect(shared.filter((path) => !/^\/v1\/(login|auth|users\/me|health)\b/.test(path))).toEqual([]);
  });

  it('have equal shared schemas, so that one client can be generated from both', () => {
    const { seller, operator } = documents;
    const merged = mergeDocuments(seller.document, operator.document);
    const paths = new Set([...pathsOf('seller'), ...pathsOf('operator')]);
    expect(Object.keys(record(merged['paths']))).toHaveLength(paths.size);
  });

  it('declare the credentials of their callers', () => {
    expect(schemesOf('seller')).toEqual(['apiKey', 'accessToken']);
    expect(schemesOf('operator')).toEqual(['accessToken']);
  });
});
