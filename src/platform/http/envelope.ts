import { Type, type Static, type TSchema } from 'typebox';

const Success = Type.Literal(true, { description: 'True: the request succeeded.' });

/**
 * The success envelope: `{status: true, data}`. The schema of a titled `X` is called `XResponse`,
 * of an array of them `XList`.
 */
export const envelope = <T extends TSchema>(data: T) =>
  Type.Object({ status: Success, data }, titled(data, 'Response'));

/** The number of records of a paginated list. */
export const listCount = {
  count: Type.Integer({
    description: 'Number of records on all pages, after any filters, or 10000 with `countCapped`.',
  }),
  countCapped: Type.Optional(
    Type.Literal(true, {
      description: 'True: there are more than 10,000 records, and `count` is 10000. Otherwise absent.',
    }),
  ),
};

/** The success envelope of a paginated list, called `XPage`. */
export const pageEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object(
    {
      status: Success,
      data: Type.Array(entry, { description: 'The records of this page.' }),
      ...listCount,
      nextCursor: nullable(
        Type.String({ description: 'Pass it as `cursor` to read the next page; null on the last page.' }),
      ),
    },
    titled(entry, 'Page'),
  );

/** The envelope of a list that is returned whole, called `XList`. */
export const listEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object(
    {
      status: Success,
      data: Type.Array(entry, { description: 'The records.' }),
      count: Type.Integer({ description: 'Number of records.' }),
    },
    titled(entry, 'List'),
  );

/** The envelope of a list with page numbers, without a cursor. Called `XPage`. */
export const countedEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object(
    {
      status: Success,
      data: Type.Array(entry, { description: 'The records of this page.' }),
      count: Type.Integer({ description: 'Number of records that match the filters, on all pages.' }),
    },
    titled(entry, 'Page'),
  );

/** The response of a deletion: the id of what was deleted. */
export const deletedEnvelope = envelope(
  Type.Object(
    { id: recordId('The id of the deleted record.') },
    { title: 'Deletion', description: 'What was deleted.' },
  ),
);

/** The response of an operation that returns nothing. */
export const emptyEnvelope = envelope(Type.Object({}, { title: 'Empty', description: 'An empty object.' }));

function titled(schema: TSchema, suffix: string): { readonly title?: string } {
  if ('title' in schema && typeof schema.title === 'string') return { title: schema.title + suffix };
  if ('items' in schema && typeof schema.items === 'object' && schema.items !== null) {
    return titled(schema.items, 'List');
  }
  return {};
}

/**
 * A value or null. A list of types and not a union, because Fastify's serializer needs it for
 * objects.
 */
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({
    ...schema,
    type: ['type' in schema ? schema.type : 'string', 'null'],
    ...('enum' in schema && Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  });

/**
 * The schema with another description. For a component, it is a sibling of the `$ref`.
 */
export const described = <T extends TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T>>({ ...schema, ['title' in schema ? 'x-description' : 'description']: description });

/** The metadata of a request: up to ten keys, any JSON values. */
export const metadataBody = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    // Says to clients that values are not restricted. It changes neither validation nor values.
    additionalProperties: true,
    maxProperties: 10,
    description: `Up to 10 keys, with any JSON values. ${description}`,
  });

/** An id, as UUID. */
export function recordId(description: string) {
  return Type.String({ format: 'uuid', description });
}

/** ISO 8601 in UTC with milliseconds. */
export const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const Timestamp = Type.String({ format: 'date-time' });

export const ok = <T>(data: T): { status: true; data: T } => ({ status: true, data });
