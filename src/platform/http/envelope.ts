import { Type, type Static, type TSchema } from 'typebox';

/** The success envelope: `{status: true, data}`. */
export const envelope = <T extends TSchema>(data: T) => Type.Object({ status: Type.Literal(true), data });

/** The success envelope of a paginated list. */
export const pageEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object({
    status: Type.Literal(true),
    data: Type.Array(entry),
    count: Type.Integer({ description: 'Number of records that match the filters, on all pages.' }),
    nextCursor: nullable(
      Type.String({ description: 'Pass it as `cursor` to read the next page; null on the last page.' }),
    ),
  });

/**
 * A value or null. A list of types and not a union, because Fastify's serializer needs it for
 * objects.
 */
/** The envelope of a list that is returned whole. */
export const listEnvelope = <T extends TSchema>(entry: T) =>
  Type.Object({ status: Type.Literal(true), data: Type.Array(entry), count: Type.Integer() });

/** The response of a deletion: the id of what was deleted. */
export const deletedEnvelope = envelope(Type.Object({ id: Type.String({ format: 'uuid' }) }));

export const nullable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['type' in schema ? schema.type : 'string', 'null'] });

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time' });

export const ok = <T>(data: T): { status: true; data: T } => ({ status: true, data });
