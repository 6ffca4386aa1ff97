/** The documentation of a route, in addition to its validation schemas. The rest is derived. */

/** The message of an error. A list for validation errors. */
export type ErrorMessage = string | readonly string[];

/**
 * Messages by status code. Words in capitals and digits stand for any value: `from PAID to FAILED`.
 */
export type DocumentedErrors = Readonly<Record<number, readonly ErrorMessage[]>>;

/** Examples by summary. A string is an example of CSV, any other value of JSON. */
export type NamedExamples = Readonly<Record<string, unknown>>;

export interface Examples {
  readonly body?: NamedExamples;
  readonly answer?: NamedExamples;
  /** Of a response with status 400 or above that has a schema of its own. */
  readonly failure?: NamedExamples;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Excludes the route from the document, for example pages and images. */
    hide?: boolean;
    /** The stable name of the operation for generated clients. */
    operationId?: string;
    summary?: string;
    /** CommonMark. */
    description?: string;
    tags?: readonly string[];
    /**
     * The errors of this operation, without those that follow from its definition: credentials,
     * rate limits, idempotency keys and malformed bodies.
     */
    refusals?: DocumentedErrors;
    examples?: Examples;
    /** The media type of a body that is not JSON. Its parser validates it, so it has no schema. */
    file?: string;
  }
}

/** Groups the messages of a module's error table by status. */
export function toDocumentedErrors(
  table: Readonly<Record<string, readonly [number, string]>>,
): DocumentedErrors {
  const messages: Record<number, string[]> = {};
  for (const [status, message] of Object.values(table)) (messages[status] ??= []).push(message);
  return messages;
}
