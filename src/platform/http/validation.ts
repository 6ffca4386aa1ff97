import { Ajv, type ErrorObject } from 'ajv';
import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

import type { Rule } from './rules.ts';
import { parseDateRange } from '#formats/calendar/date-range.ts';
import { isTransliterable, isVisible } from '#formats/text.ts';
import { isEmail } from '#platform/kit/email.ts';
import { parseHttpsUrl, type UrlProblem } from '#platform/kit/https-url.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { once } from '#platform/kit/once.ts';
import { isRecord } from '#platform/kit/records.ts';
import type { FieldErrorCode } from './error-codes.ts';
import { ValidationError, type Violation } from './errors.ts';
import { textViolation } from './json-parser.ts';

/**
 * Validation by JSON Schema with the messages of class-validator: one sentence for each violated
 * rule, prefixed with the path of the member, in the order of the members in the schema.
 */

/** A rule over several members. It runs on unvalidated data and must not rely on types. */
export type CrossFieldRule = (data: Readonly<Record<string, unknown>>) => readonly Violation[];

const crossFieldRules = new WeakMap<object, readonly CrossFieldRule[]>();

/** Attaches rules over several members to a schema. */
export function withCrossFieldRules<P extends TProperties>(
  schema: TObject<P>,
  rules: readonly CrossFieldRule[],
): TObject<P> {
  crossFieldRules.set(schema, rules);
  return schema;
}

/** A string with at least one visible character. */
export const nonEmptyString = (maxLength: number, description?: string) =>
  Type.String({ format: 'filled', maxLength, ...(description === undefined ? {} : { description }) });

/** A name that also goes to banks, whose files have Latin letters only. */
export const nameString = (maxLength: number, description: string) =>
  Type.String({ format: 'name', maxLength, description });

/** Returns the rule that a name violates, or undefined. */
export function nameViolation(name: string): Rule | undefined {
  if (!isVisible(name)) return 'should not be empty';
  return isTransliterable(name) ? undefined : 'must contain a letter or a digit';
}

interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  /** The message for a violated pattern, without the path. */
  readonly 'x-rule'?: Rule;
}

/** The message of a format, without the path, or a function of the value that returns it. */
type FormatRule = Rule | ((value: unknown) => Rule);

const nameRule: FormatRule = (name) =>
  (typeof name === 'string' ? nameViolation(name) : undefined) ?? 'should not be empty';

const httpsUrlRule: FormatRule = (url) =>
  (typeof url === 'string' ? httpsUrlViolation(url) : undefined) ?? 'must be an HTTPS URL';

/** Formats with their check and message. Every check takes linear time. */
const FORMATS: Record<string, readonly [(text: string) => boolean, FormatRule]> = {
  filled: [isVisible, 'should not be empty'],
  name: [(text) => nameViolation(text) === undefined, nameRule],
  email: [isEmail, 'must be an email'],
  'https-url': [(text) => httpsUrlViolation(text) === undefined, httpsUrlRule],
  uuid: [isUuid, 'must be a UUID'],
  date: [isDate, 'must be a valid ISO 8601 date string'],
  'date-or-timestamp': [isDate, 'must be a valid ISO 8601 date string'],
};

/** Registers a format of a module. The check must take linear time. */
export function addFormat(name: string, check: (text: string) => boolean, rule: Rule): void {
  FORMATS[name] = [check, rule];
  for (const ajv of [strict, coercing]) ajv.addFormat(name, check);
}

const TYPE_RULES: Readonly<Record<string, Rule>> = {
  integer: 'must be an integer number',
  number: 'must be a number conforming to the specified constraints',
  string: 'must be a string',
  boolean: 'must be a boolean value',
  object: 'must be an object',
  array: 'must be an array',
};

/** Query strings are text, so their values are converted to the types of the schema. */
const strict = createAjv({ coerceTypes: false });
const coercing = createAjv({ coerceTypes: true });

function createAjv({ coerceTypes }: { readonly coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    coerceTypes,
    useDefaults: coerceTypes,
    verbose: true,
  });
  for (const [name, [check]] of Object.entries(FORMATS)) ajv.addFormat(name, check);
  // Keywords that do not constrain values.
  ajv.addVocabulary(['x-rule', 'x-description', 'example']);
  return ajv;
}

/**
 * Returns a validator for Fastify, which compiles the schema when it is first used: compiling all
 * of them would take a fourth of the time to start. The validator returns the value, with query
 * parameters converted, or an error with all violations.
 */
export function validatorCompiler({ schema, httpPart }: { schema: TSchema; httpPart?: string | undefined }) {
  const rules = crossFieldRules.get(schema) ?? [];
  const query = httpPart === 'querystring';
  const check = once(() => compileCheck(query ? coercing : strict, schema));
  return (data: unknown): { value: unknown } | { error: Error } => {
    const value = data ?? {};
    const violations = violationsOf(check(), schema, query ? [...rules, unstorableRule] : rules, value);
    return violations.length === 0 ? { value } : { error: new ValidationError(violations) };
  };
}

function compileCheck(ajv: Ajv, schema: TSchema): Check {
  const validate = ajv.compile(schema);
  const truncate = truncatorOf(schema);
  return (value) =>
    validate(truncate === undefined ? value : truncate(value)) ? [] : (validate.errors ?? []);
}

type Truncator = (value: unknown) => unknown;

/**
 * Returns a function that cuts arrays after `maxItems + 1` entries, which is enough to report that
 * they are too long. Validating every entry of an oversized array could block the event loop for
 * seconds. Undefined if the schema has no bounded array.
 */
function truncatorOf({ maxItems, items, properties, anyOf }: SchemaNode): Truncator | undefined {
  const inner = items === undefined ? undefined : truncatorOf(items);
  if (maxItems !== undefined) {
    return (value) => {
      if (!Array.isArray(value)) return value;
      const truncated: readonly unknown[] = value.length > maxItems ? value.slice(0, maxItems + 1) : value;
      return inner === undefined ? truncated : truncated.map(inner);
    };
  }
  const [alternative] = (anyOf ?? []).flatMap((one) => truncatorOf(one) ?? []);
  if (alternative !== undefined) return alternative;
  return memberTruncator(properties ?? {});
}

function memberTruncator(properties: Readonly<Record<string, SchemaNode>>): Truncator | undefined {
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const truncate = truncatorOf(member);
    return truncate === undefined ? [] : [[name, truncate] as const];
  });
  if (members.length === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    let result = value;
    for (const [name, truncate] of members) {
      const truncated = Object.hasOwn(value, name) ? truncate(value[name]) : value[name];
      if (truncated !== value[name]) result = { ...result, [name]: truncated };
    }
    return result;
  };
}

/** Returns the violations of a schema. */
type Check = (value: unknown) => readonly ErrorObject[];

function violationsOf(
  check: Check,
  schema: TSchema,
  rules: readonly CrossFieldRule[],
  value: unknown,
): readonly Violation[] {
  const errors = check(value);
  if (!isRecord(value)) return [{ path: ['body'], rule: 'must be an object', code: 'invalid_type' }];
  const crossFieldViolations = rules.flatMap((rule) => rule(value));
  if (errors.length === 0 && crossFieldViolations.length === 0) return [];
  const violations = [...errors.flatMap(toViolation), ...crossFieldViolations];
  return inMemberOrder(deduplicate(violations), schema).map((violation) =>
    isAbsent(value, violation.path) ? { ...violation, code: 'required' } : violation,
  );
}

/** Whether the value at the path is missing, null or empty. */
function isAbsent(data: unknown, path: readonly string[]): boolean {
  let value = data;
  for (const name of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  return value === undefined || value === null || (typeof value === 'string' && !isVisible(value));
}

/**
 * Rejects query parameters that cannot be stored: `1e999` is converted to Infinity, and text may
 * contain NUL. The JSON parser rejects such values in bodies.
 */
const unstorableRule: CrossFieldRule = (query) => Object.entries(query).flatMap(unstorableMember);

function unstorableMember([name, member]: [string, unknown]): readonly Violation[] {
  if (typeof member === 'number' && !Number.isFinite(member))
    return [{ path: [name], rule: 'must be an integer number', code: 'invalid_type' }];
  const rule = typeof member === 'string' ? textViolation(member) : undefined;
  return rule === undefined ? [] : [{ path: [name], rule }];
}

function toViolation(error: ErrorObject): readonly Violation[] {
  const path = error.instancePath.split('/').slice(1).map(decodePointer);
  const node = nodeOf(error.parentSchema);
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty']);
    return [{ path: [...path, name], rule: missingRule(node.properties?.[name] ?? {}) }];
  }
  const rule = violatedRule(error.keyword, node, error.data);
  return rule === undefined ? [] : [{ path, rule, code: KEYWORD_CODES[error.keyword] ?? 'invalid_value' }];
}

const KEYWORD_CODES: Readonly<Record<string, FieldErrorCode>> = {
  type: 'invalid_type',
  enum: 'invalid_option',
  minimum: 'too_small',
  maximum: 'too_large',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'required',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  pattern: 'invalid_format',
  format: 'invalid_format',
};

function nodeOf(schema: unknown): SchemaNode {
  return isRecord(schema) ? schema : {};
}

function missingRule(node: SchemaNode): Rule {
  if (node.enum !== undefined) return oneOf(node.enum);
  if (node['x-rule'] !== undefined) return node['x-rule'];
  if (node.format !== undefined) return formatRule(node.format, undefined) ?? 'should not be empty';
  const type = typeof node.type === 'string' ? node.type : (node.type?.[0] ?? 'object');
  return TYPE_RULES[type] ?? 'should not be empty';
}

function formatRule(format: string, value: unknown): Rule | undefined {
  const rule = FORMATS[format]?.[1];
  return typeof rule === 'function' ? rule(value) : rule;
}

function violatedRule(keyword: string, node: SchemaNode, value: unknown): Rule | undefined {
  switch (keyword) {
    case 'type':
      return TYPE_RULES[typeof node.type === 'string' ? node.type : (node.type?.[0] ?? 'object')];
    case 'enum':
      return oneOf(node.enum ?? []);
    case 'minimum':
      return `must not be less than ${node.minimum}`;
    case 'maximum':
      return `must not be greater than ${node.maximum}`;
    case 'maxLength':
      return `must be shorter than or equal to ${node.maxLength} characters`;
    case 'minItems':
      return 'should not be empty';
    case 'minLength':
      return `must be longer than or equal to ${node.minLength} characters`;
    case 'maxItems':
      return `must contain no more than ${node.maxItems} elements`;
    case 'maxProperties':
      return `must have at most ${node.maxProperties} keys`;
    case 'pattern':
      return node['x-rule'] ?? 'is malformed';
    case 'format':
      return formatRule(node.format ?? '', value) ?? 'is malformed';
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): Rule {
  // A nullable member lists null among its values.
  const named = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  return `must be one of the following values: ${named.join(', ')}`;
}

/** Removes duplicates, and all but the type violation of a member with the wrong type. */
function deduplicate(violations: readonly Violation[]): readonly Violation[] {
  const typeRules = new Set<Rule>(Object.values(TYPE_RULES));
  const mistyped = new Set<string>();
  for (const { path, rule } of violations) if (typeRules.has(rule)) mistyped.add(path.join('.'));
  const seen = new Set<string>();
  return violations.filter(({ path, rule }) => {
    const at = path.join('.');
    const message = `${at} ${rule}`;
    if (seen.has(message) || (mistyped.has(at) && !typeRules.has(rule))) return false;
    seen.add(message);
    return true;
  });
}

function inMemberOrder(violations: readonly Violation[], schema: TSchema): readonly Violation[] {
  const ranked = violations.map((violation) => ({ violation, rank: rankOf(violation.path, schema) }));
  return ranked.toSorted((a, b) => compareRanks(a.rank, b.rank)).map(({ violation }) => violation);
}

function rankOf(path: readonly string[], schema: SchemaNode): readonly number[] {
  const rank: number[] = [];
  let node: SchemaNode | undefined = schema;
  for (const name of path) {
    const names: readonly string[] = Object.keys(node?.properties ?? {});
    rank.push(node?.items === undefined ? names.indexOf(name) : Number(name));
    node = node?.items ?? node?.properties?.[name];
  }
  return rank;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
    const difference = (a[i] ?? -1) - (b[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function decodePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Problems of what is no HTTPS URL at all. The message names all others. */
const FORM_PROBLEMS: ReadonlySet<UrlProblem> = new Set([
  'The URL must start with https://.',
  'The URL contains spaces, backslashes or invisible characters.',
  'The URL is not valid.',
  'The URL must not contain a user name or password.',
]);

/** Returns the rule that a URL violates, or undefined. */
function httpsUrlViolation(text: string): Rule | undefined {
  const parsed = parseHttpsUrl(text);
  if (parsed.ok) return undefined;
  return FORM_PROBLEMS.has(parsed.reason)
    ? 'must be an HTTPS URL'
    : `must be an HTTPS URL that can be called: ${parsed.reason}`;
}

function isDate(text: string): boolean {
  return text.length <= 40 && parseDateRange(text) !== undefined;
}
