import { Ajv, type ErrorObject } from 'ajv';
import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

import { isEmail } from '#platform/kit/email.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { HttpError } from './errors.ts';
import { textViolation } from './json-parser.ts';

/**
 * Validation by JSON Schema, told in the words of class-validator: one sentence for each violated rule, the member's
 * path in front, in the order in which the schema names its members.
 */

/** A violated rule: where (`['items', '0', 'quantity']`) and what is right there (`must not be less than 1`). */
export interface Violation {
  readonly path: readonly string[];
  readonly rule: string;
}

/** A rule over several members, which JSON Schema cannot say. It sees unvalidated data and must not trust its types. */
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

/** Strings that hold something besides white space. */
export const nonEmptyString = (maxLength: number) => Type.String({ format: 'filled', maxLength });

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
  /** What a pattern means, in words that follow the member's path. */
  readonly 'x-rule'?: string;
}

/** Formats of ours: the test, and the words for it. Every test is linear in the length of the text. */
const FORMATS: Record<string, readonly [(text: string) => boolean, string]> = {
  filled: [(text) => text.trim() !== '', 'should not be empty'],
  email: [isEmail, 'must be an email'],
  'https-url': [isHttpsUrl, 'must be an HTTPS URL'],
  uuid: [isUuid, 'must be a UUID'],
  date: [isDate, 'must be a valid ISO 8601 date string'],
};

/** Adds a format of a business folder's. The test must be linear in the length of the text. */
export function addFormat(name: string, test: (text: string) => boolean, rule: string): void {
  FORMATS[name] = [test, rule];
  for (const ajv of [strict, coercing]) ajv.addFormat(name, test);
}

const TYPE_RULES: Readonly<Record<string, string>> = {
  integer: 'must be an integer number',
  number: 'must be a number conforming to the specified constraints',
  string: 'must be a string',
  boolean: 'must be a boolean value',
  object: 'must be an object',
  array: 'must be an array',
};

/** Bodies say what they mean; a query string is all text, so it is read as the type its schema names. */
const strict = createAjv(false);
const coercing = createAjv(true);

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    coerceTypes,
    useDefaults: coerceTypes,
    verbose: true,
  });
  for (const [name, [test]] of Object.entries(FORMATS)) ajv.addFormat(name, test);
  // What documents a schema and constrains nothing.
  ajv.addVocabulary(['x-rule', 'example']);
  return ajv;
}

/** Compiles a schema for Fastify. The checker answers the (perhaps coerced) value or the whole list of violations. */
export function validatorCompiler({ schema, httpPart }: { schema: TSchema; httpPart?: string | undefined }) {
  const rules = crossFieldRules.get(schema) ?? [];
  const query = httpPart === 'querystring';
  const validate = (query ? coercing : strict).compile(schema);
  const truncate = truncatorOf(schema);
  const check: Check = (value) =>
    validate(truncate === undefined ? value : truncate(value)) ? [] : (validate.errors ?? []);
  return (data: unknown): { value: unknown } | { error: Error } => {
    const value = data ?? {};
    const violations = violationsOf(check, schema, query ? [...rules, unstorableRule] : rules, value);
    return violations.length === 0 ? { value } : { error: new HttpError(400, violations) };
  };
}

type Truncator = (value: unknown) => unknown;

/**
 * What is judged of a value: of a list that is too long, no more than shows it. All of a body's hundred thousand entries would be
 * told to be wrong one by one, for seconds in which nobody else is served. Undefined where the schema has no such list.
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
  const [nullable] = (anyOf ?? []).flatMap((one) => truncatorOf(one) ?? []);
  if (nullable !== undefined) return nullable;
  const members = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const truncate = truncatorOf(member);
    return truncate === undefined ? [] : [[name, truncate] as const];
  });
  if (members.length === 0) return undefined;
  return (value) => {
    if (!isRecord(value)) return value;
    let result = value;
    for (const [name, cut] of members) {
      const truncated = Object.hasOwn(value, name) ? cut(value[name]) : value[name];
      if (truncated !== value[name]) result = { ...result, [name]: truncated };
    }
    return result;
  };
}

/** The rules of a schema that a value breaks. */
type Check = (value: unknown) => readonly ErrorObject[];

function violationsOf(
  check: Check,
  schema: TSchema,
  rules: readonly CrossFieldRule[],
  value: unknown,
): readonly string[] {
  const errors = check(value);
  if (!isRecord(value)) return ['body must be an object'];
  const crossed = rules.flatMap((rule) => rule(value));
  if (errors.length === 0 && crossed.length === 0) return [];
  const violations = [...errors.flatMap(toViolation), ...crossed];
  return inMemberOrder(deduplicate(violations), schema).map(({ path, rule }) => `${path.join('.')} ${rule}`);
}

/**
 * What coercion lets through and no statement can take: `1e999` becomes infinite, and a query string may hold NUL.
 * Bodies have been searched for such text when they were read.
 */
const unstorableRule: CrossFieldRule = (query) => Object.entries(query).flatMap(unstorableMember);

function unstorableMember([name, member]: [string, unknown]): readonly Violation[] {
  if (typeof member === 'number' && !Number.isFinite(member))
    return [{ path: [name], rule: 'must be an integer number' }];
  const rule = typeof member === 'string' ? textViolation(member) : undefined;
  return rule === undefined ? [] : [{ path: [name], rule }];
}

function toViolation(error: ErrorObject): readonly Violation[] {
  const at = error.instancePath.split('/').slice(1).map(decodePointer);
  const node = nodeOf(error.parentSchema);
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty']);
    return [{ path: [...at, name], rule: missingRule(node.properties?.[name] ?? {}) }];
  }
  const rule = brokenRule(error.keyword, node);
  if (rule === undefined) return [];
  // A rule over each entry of a list that a query string carries as one text.
  return [{ path: at, rule }];
}

/** Ajv tells the schema around a broken rule as an untyped object; these are the members read here. */
function nodeOf(schema: unknown): SchemaNode {
  return isRecord(schema) ? schema : {};
}

function missingRule(node: SchemaNode): string {
  if (node.enum !== undefined) return oneOf(node.enum);
  if (node['x-rule'] !== undefined) return node['x-rule'];
  if (node.format !== undefined) return FORMATS[node.format]?.[1] ?? 'should not be empty';
  const type = typeof node.type === 'string' ? node.type : (node.type?.[0] ?? 'object');
  return TYPE_RULES[type] ?? 'should not be empty';
}

function brokenRule(keyword: string, node: SchemaNode): string | undefined {
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
      return FORMATS[node.format ?? '']?.[1] ?? 'is malformed';
    default:
      return undefined;
  }
}

function oneOf(values: readonly unknown[]): string {
  // That a member may be null is no value to choose.
  const named = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  return `must be one of the following values: ${named.join(', ')}`;
}

/** A value of the wrong type breaks that one rule; what else is said of it would only repeat this. */
function deduplicate(violations: readonly Violation[]): readonly Violation[] {
  const typeRules = new Set(Object.values(TYPE_RULES));
  const mistyped = new Set<string>();
  for (const { path, rule } of violations) if (typeRules.has(rule)) mistyped.add(path.join('.'));
  const seen = new Set<string>();
  return violations.filter(({ path, rule }) => {
    const at = path.join('.');
    const line = `${at} ${rule}`;
    if (seen.has(line) || (mistyped.has(at) && !typeRules.has(rule))) return false;
    seen.add(line);
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The URL parser drops or rewrites these in silence: what is called would not be what was written. */
const DISALLOWED_URL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\s\\]/u;

function isHttpsUrl(text: string): boolean {
  if (text.length > 2048 || DISALLOWED_URL_CHARACTERS.test(text)) return false;
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  // The ports that webhooks may be sent to: HTTPS's own, and those that no system service listens on.
  const callable = url.port === '' || Number(url.port) > 1023;
  return url.hostname !== '' && url.username === '' && url.password === '' && callable;
}

function isDate(text: string): boolean {
  return text.length <= 40 && /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text));
}
