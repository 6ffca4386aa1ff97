import { isUtf8 } from 'node:buffer';

import type { Rule } from './rules.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { isRecord } from '#platform/kit/records.ts';
import { HttpError, ValidationError, type Violation } from './errors.ts';

/** Deeper than any valid body, and shallow enough for recursive functions. */
const MAX_DEPTH = 32;

/**
 * Parses JSON bodies. An empty body is an absent one (an action without parameters). Rejects values
 * that PostgreSQL cannot store (NUL, lone surrogates), since one of them would fail all rows of a
 * batched statement; nesting that could exhaust the stack; bytes that are not UTF-8, which would be
 * stored as replacement characters; and compressed bodies.
 */
export function registerJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity') {
      done(new HttpError('unsupported_content_encoding'));
      return;
    }
    if (typeof body !== 'string' && !isUtf8(body)) {
      done(new HttpError('malformed_json'));
      return;
    }
    const text = String(body);
    if (text === '') {
      done(null, undefined);
      return;
    }
    const onParsed = (error: Error | null, value?: unknown): void => {
      if (error !== null) {
        done(isJson(text) ? new ValidationError([FORBIDDEN_NAME]) : new HttpError('malformed_json'));
        return;
      }
      const violation = value === null ? describeNull(request) : describeUnstorable(value);
      if (violation === undefined) done(null, value);
      else done(new ValidationError([violation]));
    };
    void parse(request, text, onParsed);
  });
}

/** Validation cannot tell null from an absent body, whose members are reported as missing. */
function describeNull({ routeOptions }: FastifyRequest): Violation | undefined {
  const body = routeOptions.schema?.body;
  const isRequired = isRecord(body) && body['required'] !== undefined;
  return isRequired ? { path: ['body'], rule: 'must be an object', code: 'invalid_type' } : undefined;
}

/** What else the parser rejects: members that could change the prototype of an object. */
const FORBIDDEN_NAME: Violation = {
  path: ['a member name'],
  rule: 'must not be __proto__ or constructor.prototype',
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first value that cannot be stored. */
function describeUnstorable(root: unknown): Violation | undefined {
  const unstorable = findUnstorableValue(root, 0);
  if (unstorable === undefined) return undefined;
  const path = unstorable.isDeep === true ? unstorable.path.slice(0, 3) : unstorable.path;
  return { path: path.length === 0 ? ['body'] : path, rule: unstorable.rule };
}

interface UnstorableValue {
  /** The member names from the root to the value. */
  readonly path: readonly string[];
  readonly rule: Rule;
  readonly isDeep?: true;
}

/** Builds the path only on the way back, since almost all bodies are storable. */
function findUnstorableValue(value: unknown, depth: number): UnstorableValue | undefined {
  if (typeof value === 'string') {
    const rule = textViolation(value);
    return rule === undefined ? undefined : { path: [], rule };
  }
  if (typeof value === 'number') {
    // `1e400` is valid JSON, parses as Infinity and would be returned as null.
    return Number.isFinite(value) ? undefined : { path: [], rule: 'must be a finite number' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH)
    return { path: [], rule: `must not be nested deeper than ${MAX_DEPTH} levels`, isDeep: true };
  for (const name of Object.keys(value)) {
    if (textViolation(name) !== undefined)
      return { path: ['a member name'], rule: 'must be well-formed text' };
    const unstorable = findUnstorableValue(Reflect.get(value, name), depth + 1);
    if (unstorable !== undefined) return { ...unstorable, path: [name, ...unstorable.path] };
  }
  return undefined;
}

/** Why PostgreSQL cannot store the text, or undefined. */
export function textViolation(text: string): Rule | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must be well-formed text';
}
