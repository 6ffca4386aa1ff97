/** What a route tells of itself for the reference, beside the schemas that validate. What follows from these is derived. */

/** The message of a refusal; a list for validation errors, as it is answered. */
export type ErrorMessage = string | readonly string[];

/** Messages by status. Words in capitals and digits stand for whatever the case is: `from PAID to FAILED`. */
export type DocumentedErrors = Readonly<Record<number, readonly ErrorMessage[]>>;

/** Examples by what they show. A text is an example of CSV, everything else of JSON. */
export type NamedExamples = Readonly<Record<string, unknown>>;

export interface Examples {
  readonly body?: NamedExamples;
  readonly answer?: NamedExamples;
  /** Of an answer of 400 and above that has a schema of its own. */
  readonly failure?: NamedExamples;
}

declare module 'fastify' {
  interface FastifySchema {
    /** Not part of the reference: pages, pictures, what belongs to the operator's machines. */
    hide?: boolean;
    /** What programs call the operation by. Never changes. */
    operationId?: string;
    summary?: string;
    /** What the summary does not say. CommonMark. */
    description?: string;
    tags?: readonly string[];
    /** What this operation refuses by itself. Credentials, rates, idempotency keys and unreadable bodies go without saying. */
    refusals?: DocumentedErrors;
    examples?: Examples;
    /** The media type of a body that is a file and no JSON. Its reader validates it, so it has no schema. */
    file?: string;
  }
}

/** A folder's table of refusals, by status. */
export function toDocumentedErrors(
  table: Readonly<Record<string, readonly [number, string]>>,
): DocumentedErrors {
  const refusals: Record<number, string[]> = {};
  for (const [status, message] of Object.values(table)) (refusals[status] ??= []).push(message);
  return refusals;
}
