import { createHash } from 'node:crypto';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { EVENTS } from '#app/routes.ts';
import { isRecord } from '#platform/kit/records.ts';

import { fetchOpenApi } from './openapi-documents.ts';

/** Compares the responses of a gateway with its own OpenAPI documents. */

type Json = Record<string, unknown>;

export interface Described {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
};

export interface Reference {
  readonly document: Json;
  /**
   * The violations of the schema at a JSON pointer of the document by a value; none if it is valid.
   */
  violations(pointer: string, value: unknown): readonly string[];
}

/**
 * Reads a document. Schemas are compiled on first use, and closed: undocumented fields are
 * violations.
 */
export function readReference(document: Json): Reference {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
  for (const [name, pattern] of Object.entries(FORMATS)) ajv.addFormat(name, pattern);
  const schemas = closed(document);
  ajv.addSchema({ $id: 'reference:', ...(isRecord(schemas) ? schemas : {}) });
  const compiled = new Map<string, ValidateFunction>();
  return {
    document,
    violations(pointer, value) {
      let validate = compiled.get(pointer);
      if (validate === undefined) {
        validate = ajv.compile({ $ref: `reference:#${pointer}` });
        compiled.set(pointer, validate);
      }
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        (error) => `${error.instancePath} ${error.message ?? error.keyword}`,
      );
    },
  };
}

const events = readReference({
  schemas: Object.fromEntries(EVENTS.map(({ name, schema }) => [name, JSON.parse(JSON.stringify(schema))])),
});

/** The violations of the schema of its event by a webhook's body. */
export function eventViolations(body: unknown): readonly string[] {
  const name = isRecord(body) ? String(body['event']) : 'nothing';
  if (!EVENTS.some((event) => event.name === name)) return [`${name} is not among EVENTS of src/api.ts`];
  return events.violations(`/schemas/${name}`, body).map((violation) => `${name} ${violation}`);
}

/** A copy in which every object schema rejects unknown fields. Examples are not schemas. */
function closed(node: unknown, inSchema = false): unknown {
  if (Array.isArray(node)) return node.map((one: unknown) => closed(one, inSchema));
  if (!isRecord(node)) return node;
  const copy: Json = {};
  for (const [name, value] of Object.entries(node)) {
    if (!inSchema && (name === 'examples' || name === 'example')) continue;
    if (inSchema && name === 'properties' && isRecord(value)) {
      copy[name] = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one, true)]));
    } else copy[name] = closed(value, inSchema || name === 'schema' || name === 'schemas');
  }
  if (inSchema && isRecord(node['properties']) && node['additionalProperties'] === undefined) {
    copy['additionalProperties'] = false;
  }
  return copy;
}

/**
 * The node at a JSON pointer of the document with references resolved, and its actual JSON pointer.
 */
export function lookUp(document: Json, path: readonly string[]): { node: Json; pointer: string } | undefined {
  let node: unknown = document;
  let pointer = '';
  for (const name of path) {
    if (!isRecord(node) || !(name in node)) return undefined;
    node = node[name];
    pointer += `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (isRecord(node) && typeof node['$ref'] === 'string') {
      pointer = node['$ref'].slice(1);
      node = lookUp(document, pointer.slice(1).split('/'))?.node;
    }
  }
  return isRecord(node) ? { node, pointer } : undefined;
}

/** One reference for each gateway. A gateway that stops before it is read has none. */
const references = new Map<string, Promise<Reference | undefined>>();

/** Gateways with the same document share its compiled schemas. */
const known = new Map<string, Reference>();

/** Gateways that were announced, with their mode, on which their documented responses depend. */
const modes = new Map<string, string>();
/** The document of the first gateway of a mode, which the others have too. */
const ofMode = new Map<string, Reference>();

/**
 * Forgets the document of an earlier gateway, before one of this mode uses its port. A gateway
 * takes half a second of processor time to generate its document, so that of a mode is read once.
 */
export function forgetReference(origin: string, mode = 'sandbox'): void {
  references.delete(origin);
  modes.set(origin, mode);
}

function referenceOf(origin: string): Promise<Reference | undefined> {
  let found = references.get(origin);
  if (found === undefined) {
    found = fetchReference(origin);
    references.set(origin, found);
  }
  return found;
}

async function fetchReference(origin: string): Promise<Reference | undefined> {
  const mode = modes.get(origin) ?? '';
  const same = ofMode.get(mode);
  if (same !== undefined) return same;
  try {
    const document = await fetchOpenApi(origin);
    const digest = createHash('sha256').update(JSON.stringify(document).replaceAll(origin, '')).digest('hex');
    const reference = known.get(digest) ?? readReference({ ...document });
    known.set(digest, reference);
    if (mode !== '') ofMode.set(mode, reference);
    return reference;
  } catch (error) {
    references.delete(origin);
    // The gateway has been stopped.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Throws if the response of a documented operation violates its description. */
export async function assertDocumented(response: Described): Promise<void> {
  const url = new URL(response.url);
  const reference = await referenceOf(url.origin);
  if (reference === undefined) return;
  const wrong = findViolations(reference, url.pathname, response);
  if (wrong.length === 0) return;
  throw new Error(
    `${response.method} ${url.pathname} answered ${response.status}, which is not as described:\n` +
      `${wrong.join('\n')}\n${response.text.slice(0, 1000)}`,
  );
}

/** The violations of a response; none if it is valid, or if no operation has its URL. */
export function findViolations(
  reference: Reference,
  pathname: string,
  { method, status, headers, text }: Described,
): readonly string[] {
  const { document } = reference;
  const path = operationPath(document, method.toLowerCase(), pathname);
  if (path === undefined || isBeforeOperation(status, text)) return [];
  const takesBody = lookUp(document, ['paths', path, method.toLowerCase(), 'requestBody']) !== undefined;
  if (!takesBody && isOfBody(status, text)) return [];
  const response = lookUp(document, ['paths', path, method.toLowerCase(), 'responses', String(status)]);
  if (response === undefined) return ['the status is not described'];
  const wrong: string[] = [];
  for (const name of Object.keys(isRecord(response.node['headers']) ? response.node['headers'] : {})) {
    const header = lookUp(document, [...partsOf(response.pointer), 'headers', name]);
    if (header?.node['required'] === true && !headers.has(name)) wrong.push(`header ${name} is missing`);
  }
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  const media = lookUp(document, [...partsOf(response.pointer), 'content', type]);
  if (media === undefined) return [...wrong, `content of type ${type} is not described`];
  if (type !== 'application/json') return wrong;
  const body: unknown = JSON.parse(text);
  wrong.push(...reference.violations(`${media.pointer}/schema`, body));
  if (status >= 400) wrong.push(...unknownMessage(media.node, body));
  return wrong;
}

const partsOf = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Unknown URLs and failed expectations are not documented for operations. */
function isBeforeOperation(status: number, text: string): boolean {
  return (status === 400 && text.includes('"malformed_url"')) || status === 417;
}

/** Whether a body was rejected as a body. An operation without a body does not document this. */
function isOfBody(status: number, text: string): boolean {
  if (status === 413 || status === 415) return true;
  const rule =
    /must (?:be well-formed text|not contain NUL characters|be a finite number|not be nested deeper)/;
  return status === 400 && (/"(malformed_json|incomplete_body)"/.test(text) || rule.test(text));
}

/** An error must be among the examples, apart from the statuses and numbers in its message. */
function unknownMessage(media: Json, body: unknown): readonly string[] {
  if (!isRecord(body) || !isRecord(media['examples'])) return [];
  const said = shape(body);
  const known = Object.values(media['examples']).map((example) =>
    isRecord(example) && isRecord(example['value']) ? shape(example['value']) : '',
  );
  return known.includes(said) ? [] : [`its code and message are not described: ${said}`];
}

/** The messages of invalid fields are not listed. */
function shape({ code, message }: Json): string {
  const text = typeof message === 'string' ? message.replaceAll(/\b[A-Z][A-Z_]+\b|\d+/g, '*') : 'list';
  return `${String(code)}: ${text}`;
}

const patterns = new Map<string, RegExp>();

function patternOf(template: string): RegExp {
  const made =
    patterns.get(template) ??
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  patterns.set(template, made);
  return made;
}

/** The path template of an operation; templates without parameters take precedence. */
function operationPath(document: Json, method: string, pathname: string): string | undefined {
  const paths = isRecord(document['paths']) ? document['paths'] : {};
  const plain = pathname.replace(/\/$/, '');
  const fits = (template: string): boolean => patternOf(template).test(plain);
  const fitting = Object.keys(paths).filter((template) => {
    const operations = paths[template];
    return isRecord(operations) && method in operations && fits(template);
  });
  return fitting.toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))[0];
}
