import type { TSchema } from 'typebox';

import { toOpenApiSchema, type SchemaNode } from './schemas.ts';
import type { SharedComponents } from './operations.ts';
import type { NamedExamples } from './route-schema.ts';
import { camelCase } from './camel-case.ts';

/** What a folder tells of an event it writes. */
export interface DocumentedEvent {
  /** As `event` names it in the body. */
  readonly name: string;
  /** The type of the webhooks that are told, beside ALL; null for what is sent to one webhook alone. */
  readonly eventType: string | null;
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly examples: NamedExamples;
}

const parameter = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of Standard Webhooks, which every delivery carries. */
const HEADERS = [
  parameter(
    'webhook-id',
    'The same on every attempt: drop what you have seen.',
    '0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07',
  ),
  parameter('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1772366400'),
  parameter(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each live secret, parted by spaces. The key is what follows `whsec_` in the secret, read as base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** What the gateway sends, as the `webhooks` of the document. */
export function describeEvents(
  events: readonly DocumentedEvent[],
  { schemas }: SharedComponents,
): SchemaNode {
  const described = events.map(({ name, summary, description, schema, examples }) => {
    const named = Object.entries(examples).map(
      ([shown, value]) => [camelCase(shown), { summary: shown, value }] as const,
    );
    const operation = {
      operationId: camelCase(name),
      summary,
      description,
      tags: ['Events'],
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: toOpenApiSchema(schema, schemas),
            examples: Object.fromEntries(named),
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Any other answer, or none within 15 seconds, is tried again.' },
      },
    };
    return [name, { post: operation }] as const;
  });
  return Object.fromEntries(described);
}
