import type { TSchema } from 'typebox';

import { mediaType, type SharedComponents } from './operations.ts';
import type { NamedExamples } from './route-schema.ts';
import type { SchemaNode } from './schemas.ts';
import { camelCase } from './camel-case.ts';

/** The documentation of an event type. */
export interface DocumentedEvent {
  /** The value of `event` in the body. */
  readonly name: string;
  /**
   * The subscription that receives it, in addition to ALL; null for an event sent to a single
   * endpoint.
   */
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

/** The headers of Standard Webhooks, which every delivery has. */
const HEADERS = [
  parameter(
    'webhook-id',
    'The same on every attempt. Ignore ids that you have already processed.',
    '0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07',
  ),
  parameter('webhook-timestamp', 'The time of this attempt, as a Unix timestamp in seconds.', '1772366400'),
  parameter(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each active secret, ' +
      'space-separated. The key is the part of the secret after `whsec_`, decoded from base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** The `webhooks` of the document. */
export function describeEvents(events: readonly DocumentedEvent[], shared: SharedComponents): SchemaNode {
  const described = events.map(({ name, summary, description, schema, examples }) => {
    const operation = {
      operationId: camelCase(name),
      summary,
      description,
      tags: ['Events'],
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: { 'application/json': mediaType(schema, examples, shared) },
      },
      responses: {
        '2XX': {
          description:
            'Received. The delivery is retried after any other response, or if none arrives within 15 ' +
            'seconds.',
        },
      },
    };
    return [name, { post: operation }] as const;
  });
  return Object.fromEntries(described);
}
