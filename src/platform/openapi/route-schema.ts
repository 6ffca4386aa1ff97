import type { ErrorCode } from '#platform/http/error-codes.ts';
import type { HttpError } from '#platform/http/errors.ts';

/** The documentation of a route, in addition to its validation schemas. The rest is derived. */

/** An error of an operation: a code with its usual message, or an error with one of its own. */
export type DocumentedError = ErrorCode | HttpError;
export type DocumentedErrors = readonly DocumentedError[];

/** Examples by summary. A string is an example of CSV, any other value of JSON. */
export type NamedExamples = Readonly<Record<string, unknown>>;

interface Examples {
  readonly body?: NamedExamples;
  readonly response?: NamedExamples;
  /** Of a response with status 202. */
  readonly accepted?: NamedExamples;
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
    errors?: DocumentedErrors;
    examples?: Examples;
    /** The media type of a body that is not JSON. Its parser validates it, so it has no schema. */
    file?: string;
  }
}
