import { isUtf8 } from 'node:buffer';

import type { FastifyInstance } from 'fastify';

import { HttpError } from './errors.ts';

/** Deeper than any honest body, and shallow enough for every recursive reader after this one. */
const MAX_DEPTH = 32;

/**
 * Reads JSON bodies. An empty body passes as absent (an action without parameters). Text that PostgreSQL cannot store
 * (NUL, half a surrogate pair) is refused with the member that carries it, since in a set-based statement it would
 * fail the neighbours too; so is nesting that would exhaust the stack of whoever reads the value next. Bytes that are no
 * UTF-8 (a name in Latin-1) are no JSON: read anyway, they would be stored as replacement characters.
 */
export function registerJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (typeof body !== 'string' && !isUtf8(body)) {
      done(new HttpError(400, 'Body must be valid JSON'));
      return;
    }
    const text = String(body);
    if (text === '') {
      done(null, undefined);
      return;
    }
    const finish = (error: Error | null, value?: unknown): void => {
      if (error !== null) {
        done(new HttpError(400, 'Body must be valid JSON'));
        return;
      }
      const problem = describeUnstorable(value);
      if (problem === undefined) done(null, value);
      else done(new HttpError(400, [problem]));
    };
    void parse(request, text, finish);
  });
}

/** The first thing in the value that cannot be stored, in words. */
function describeUnstorable(root: unknown): string | undefined {
  const unstorable = findUnstorableValue(root, 0);
  if (unstorable === undefined) return undefined;
  const path = unstorable.isDeep === true ? unstorable.path.slice(0, 3) : unstorable.path;
  return `${path.join('.') || 'body'} ${unstorable.rule}`;
}

interface UnstorableValue {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly rule: string;
  readonly isDeep?: true;
}

/** The path is put together on the way back, since hardly ever there is one. */
function findUnstorableValue(value: unknown, depth: number): UnstorableValue | undefined {
  if (typeof value === 'string') {
    const rule = textViolation(value);
    return rule === undefined ? undefined : { path: [], rule };
  }
  if (typeof value === 'number') {
    // `1e400` is valid JSON and would come back as null.
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
export function textViolation(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must be well-formed text';
}
