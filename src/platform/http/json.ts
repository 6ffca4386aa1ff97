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
export function readJson(app: FastifyInstance): void {
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
      const wrong = findUnstorable(value);
      if (wrong === undefined) done(null, value);
      else done(new HttpError(400, [wrong]));
    };
    void parse(request, text, finish);
  });
}

/** The first thing in the value that cannot be stored, in words. */
function findUnstorable(root: unknown): string | undefined {
  const found = look(root, 0);
  if (found === undefined) return undefined;
  const path = found.isDeep === true ? found.path.slice(0, 3) : found.path;
  return `${path.join('.') || 'body'} ${found.rule}`;
}

interface Unstorable {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly rule: string;
  readonly isDeep?: true;
}

/** The path is put together on the way back, since hardly ever there is one. */
function look(value: unknown, depth: number): Unstorable | undefined {
  if (typeof value === 'string') {
    const rule = textRule(value);
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
    if (textRule(name) !== undefined) return { path: ['a member name'], rule: 'must be well-formed text' };
    const found = look(Reflect.get(value, name), depth + 1);
    if (found !== undefined) return { ...found, path: [name, ...found.path] };
  }
  return undefined;
}

/** Why PostgreSQL cannot store the text, or undefined. */
export function textRule(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must be well-formed text';
}
