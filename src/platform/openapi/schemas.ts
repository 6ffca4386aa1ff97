import { isRecord } from '#platform/kit/records.ts';

/** A node of the document. */
export interface SchemaNode {
  readonly [member: string]: unknown;
}

/** Keywords that the document does not have. */
const OWN_KEYWORDS = ['title', 'x-rule', 'x-description'];

/** Our formats in terms of standard keywords. */
const FORMATS: Readonly<Record<string, SchemaNode>> = {
  filled: { pattern: '\\S' },
  name: { pattern: '\\S' },
  'https-url': { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://' },
  'date-or-timestamp': {},
  'credit-card': { pattern: '^\\d{13,19}$' },
};

/**
 * Converts a schema for the document. A schema with a title becomes a component of that name.
 *
 * @throws Error if two different schemas have the same title.
 */
export function toOpenApiSchema(schema: unknown, components: Map<string, SchemaNode>): SchemaNode {
  const node = isRecord(schema) ? schema : {};
  const { title, 'x-description': description } = node;
  const copy = copyNode(node, components);
  if (typeof title !== 'string') return copy;
  const known = components.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  components.set(title, copy);
  const $ref = `#/components/schemas/${title}`;
  return description === undefined ? { $ref } : { $ref, description };
}

function copyNode(node: SchemaNode, components: Map<string, SchemaNode>): SchemaNode {
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (OWN_KEYWORDS.includes(keyword)) continue;
    if (keyword === 'format' && typeof value === 'string') {
      Object.assign(copy, FORMATS[value] ?? { format: value });
    } else if (keyword === 'properties' && isRecord(value)) {
      copy[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, toOpenApiSchema(member, components)]),
      );
    } else if (keyword === 'items' || (keyword === 'additionalProperties' && isRecord(value))) {
      copy[keyword] = toOpenApiSchema(value, components);
    } else if ((keyword === 'anyOf' || keyword === 'oneOf') && Array.isArray(value)) {
      copy[keyword] = value.map((member: unknown) => toOpenApiSchema(member, components));
    } else copy[keyword] = value;
  }
  if (copy['enum'] !== undefined && copy['type'] === undefined) copy['type'] = enumType(copy['enum']);
  return copy;
}

/** Code generators need the type of an enum, which TypeBox omits. */
function enumType(choices: unknown): unknown {
  const values: readonly unknown[] = Array.isArray(choices) ? choices : [];
  return values.includes(null) ? ['string', 'null'] : 'string';
}
