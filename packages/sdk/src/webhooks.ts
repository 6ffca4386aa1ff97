import { Webhook } from 'standardwebhooks';

import { VeredaSignatureError } from './errors.ts';
import type { webhooks } from './schema.gen.ts';

/** An event. Its `event` field discriminates the union. */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** Headers of Node, Express and Fastify, or of a `Request`. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * Verifies the signature and timestamp of a webhook and returns its event. `rawBody` is the body
 * as it arrived: parsed and serialized again, it has another signature. Throws a
 * `VeredaSignatureError`, or a `TypeError` if an argument is missing or
 * the secret is malformed.
 *
 * Source: Standard Webhooks 1.0.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the body as a string or bytes, before it is parsed');
  }
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('secret is required: the signing secret of the webhook, whsec_…');
  }
  const webhook = parseSecret(secret);
  const signed = SIGNED_HEADERS.map((name) => [name, readHeader(headers, name)] as const);
  try {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- signed by the gateway
    return webhook.verify(text, Object.fromEntries(signed)) as WebhookEvent;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'invalid';
    throw new VeredaSignatureError(`the webhook was not verified: ${reason}`, { cause });
  }
}

function parseSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch (cause) {
    throw new TypeError('secret is malformed: copy the whole signing secret, whsec_…', { cause });
  }
}

function readHeader(headers: WebhookHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? '';
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';
