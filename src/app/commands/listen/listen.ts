import { setTimeout as sleep } from 'node:timers/promises';

import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import { newWebhookSecret, signatureHeaders, signingKey } from '#webhooks/signature.ts';
import type { ListenOptions } from './options.ts';

/** Long-poll timeout, and the deadline of the whole request. */
const WAIT_SECONDS = 25;
const REQUEST_DEADLINE_MS = 35_000;

/** Leaves half of the seller's rate limit to other clients. */
const MIN_POLL_INTERVAL_MS = 1_000;

const FORWARD_DEADLINE_MS = 15_000;
/** Delays between attempts. A restarting program is back within a few seconds. */
const FORWARD_DELAYS_MS = [500, 1_000, 2_000] as const;
const MAX_RETRY_DELAY_MS = 5_000;

const EventsAnswer = Type.Object({
  data: Type.Array(
    Type.Object({ id: Type.String(), event: Type.String(), recordId: Type.String(), payload: Type.String() }),
  ),
  nextCursor: Type.String(),
});
type EventsAnswer = Static<typeof EventsAnswer>;
type Event = EventsAnswer['data'][number];

/** A retry would not help. The message is shown to the user. */
class RequestRejectedError extends Error {}

export type Say = (line: string) => void;

/**
 * Forwards new events of a seller to a local address, signed like webhooks, one at a time and in
 * order. Resumes at the same position after the gateway was unavailable. Ends only if the gateway
 * rejects a request.
 */
export async function listen({ forwardTo, baseUrl, apiKey }: ListenOptions, say: Say): Promise<never> {
  const secret = newWebhookSecret();
  say(`Forwarding events from ${baseUrl} to ${forwardTo}. Press Ctrl-C to stop.`);
  say(`Signing secret of this session: ${secret}`);
  const pollEvents = createEventPoller({ baseUrl, apiKey }, say);
  let { nextCursor } = await pollEvents('now', 0);
  say('Ready.');
  const forwardEvent = createForwarder(forwardTo, secret, say);
  for (;;) {
    const begun = performance.now();
    const answer = await pollEvents(nextCursor, WAIT_SECONDS);
    for (const event of answer.data) await forwardEvent(event);
    ({ nextCursor } = answer);
    if (answer.data.length > 0) await sleep(Math.max(0, MIN_POLL_INTERVAL_MS - (performance.now() - begun)));
  }
}

/**
 * Polls events with exponential backoff. Reports when the gateway becomes unavailable and
 * available.
 */
function createEventPoller({ baseUrl, apiKey }: Pick<ListenOptions, 'baseUrl' | 'apiKey'>, say: Say) {
  return async (after: string, wait: number): Promise<EventsAnswer> => {
    for (let failures = 0; ; failures += 1) {
      const polled = await requestEvents(baseUrl, apiKey, after, wait);
      if ('answer' in polled) {
        if (failures > 0) say('Reconnected. No events were missed.');
        return polled.answer;
      }
      if (failures === 0) say(`${polled.failure}. Retrying…`);
      await sleep(
        Math.max(polled.retryAfterMs, Math.min(MAX_RETRY_DELAY_MS, 250 * 2 ** Math.min(failures, 8))),
      );
    }
  };
}

type PollResult =
  | { readonly answer: EventsAnswer }
  | { readonly failure: string; readonly retryAfterMs: number };

async function requestEvents(
  baseUrl: string,
  apiKey: string,
  after: string,
  wait: number,
): Promise<PollResult> {
  const query = new URLSearchParams({ after, wait: String(wait), take: '100' });
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${baseUrl}/v1/events?${query.toString()}`, {
      headers: { 'x-api-key': apiKey },
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
    });
    body = await response.json();
  } catch {
    return { failure: `The gateway at ${baseUrl} does not respond`, retryAfterMs: 0 };
  }
  if (response.ok && Value.Check(EventsAnswer, body)) return { answer: body };
  const { status } = response;
  if (status === 401 || status === 403)
    throw new RequestRejectedError(`the gateway does not accept this API key (${status})`);
  if (status === 400) throw new RequestRejectedError('the event cursor has expired: run the command again');
  if (response.ok || (status < 500 && status !== 429)) {
    throw new RequestRejectedError(
      `${baseUrl} responded with status ${status}; check that it is the URL of a gateway`,
    );
  }
  const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
  return {
    failure: `The gateway responded with status ${status}`,
    retryAfterMs: Number.isFinite(retryAfterMs) ? Math.min(retryAfterMs, 60_000) : 0,
  };
}

/**
 * Forwards events one at a time and reports each. Failed connections are retried. After an event
 * has failed, later ones are tried once each until one succeeds, because the program may be down
 * for long.
 */
function createForwarder(to: string, secret: string, say: Say): (event: Event) => Promise<void> {
  let down = false;
  return async (event) => {
    const delays = down ? [] : FORWARD_DELAYS_MS;
    for (let failures = 0; ; failures += 1) {
      const eventLine = `${new Date().toISOString()}  ${event.event}  ${event.recordId}`;
      const posted = await post(event, to, secret);
      const delay = posted.connected ? undefined : delays[failures];
      if (delay === undefined) {
        const after = posted.connected || failures === 0 ? '' : `; ${failures + 1} attempts`;
        say(`${eventLine}  → ${posted.summary}${after}`);
        down = !posted.connected;
        return;
      }
      say(`${eventLine}  → ${posted.summary}; retrying in ${delay / 1000} s`);
      await sleep(delay);
    }
  };
}

interface PostResult {
  readonly summary: string;
  /** Whether a connection was established, even if the response timed out. */
  readonly connected: boolean;
}

async function post({ id, payload }: Event, to: string, secret: string): Promise<PostResult> {
  const started = performance.now();
  const timestampSeconds = Math.floor(Date.now() / 1000);
  try {
    const response = await fetch(to, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Vereda-Webhooks/1',
        ...signatureHeaders({ id, timestampSeconds, body: payload, keys: [signingKey(secret)] }),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_DEADLINE_MS),
    });
    await response.body?.cancel();
    const summary = `${response.status} in ${Math.round(performance.now() - started)} ms`;
    return { summary, connected: true };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { summary: `no response (${reasonOf(error)})`, connected: late };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `within ${FORWARD_DEADLINE_MS / 1000} seconds`;
  const { cause } = error;
  // A host name with several addresses fails with an AggregateError.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : 'failed';
}
