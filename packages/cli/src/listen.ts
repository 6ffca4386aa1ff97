import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Webhook } from 'standardwebhooks';

import { Vereda, VeredaApiError, VeredaConnectionError } from '../../sdk/src/index.ts';
import { findConnection, parseUrl, readJson, stateFile, writeJson } from './connection.ts';
import { printLine, type CommonOptions } from './output.ts';

/** Long-poll timeout, and the deadline of the whole request. */
const WAIT_SECONDS = 25;
const REQUEST_DEADLINE_MS = 35_000;

/** Leaves half of the seller's rate limit to other clients. */
const MIN_POLL_INTERVAL_MS = 1_000;

const FORWARD_DEADLINE_MS = 15_000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

export interface ListenOptions extends CommonOptions {
  readonly forwardTo: string;
  readonly events?: string;
  readonly latest?: boolean;
}

type Page = Awaited<ReturnType<Vereda['events']['list']>>;
type Event = Page['data'][number];

/** What a later run continues from. */
interface State {
  /** Signs the forwarded events, so that the receiver keeps its configuration. */
  readonly secret: string;
  readonly cursor: string;
  /** Events after the cursor that were forwarded already. */
  readonly forwarded: readonly string[];
}

/**
 * Forwards events to a local address, signed like webhooks, one at a time and in order. The
 * position is saved after each event; a later run with the same arguments continues there. Waits
 * while the gateway or the receiver is unavailable. Ends only if the gateway rejects a request.
 */
export async function listen(options: ListenOptions): Promise<never> {
  const forwardTo = parseUrl('--forward-to', options.forwardTo);
  const { baseUrl, apiKey } = await findConnection(options);
  const report = createReporter(options);
  const vereda = new Vereda({ baseUrl, apiKey });
  const poll = createPoller(vereda, baseUrl, options.events, report);
  const identity = JSON.stringify([baseUrl, apiKey, forwardTo, options.events ?? null]);
  const file = stateFile(`listen-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}.json`);
  const saved = await readJson<State>(file);
  const secret = saved?.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  report.notice(`Forwarding events from ${baseUrl} to ${forwardTo}. Press Ctrl-C to stop.`);
  report.notice(`Signing secret: ${secret}`, { secret });
  const resumed = options.latest === true ? undefined : await resume(poll, saved, report);
  const start = resumed ?? { page: await poll('now', 0), state: undefined };
  let state: State = start.state ?? { secret, cursor: start.page.nextCursor, forwarded: [] };
  await writeJson(file, state);
  report.notice(start.state === undefined ? 'Ready.' : 'Ready. Continuing after the last forwarded event.');
  let { page } = start;
  for (;;) {
    const begun = performance.now();
    const done = new Set(state.forwarded);
    for (const event of page.data) {
      if (done.has(event.id)) continue;
      await forward(event, forwardTo, secret, report);
      state = { ...state, forwarded: [...state.forwarded, event.id] };
      await writeJson(file, state);
    }
    state = { secret, cursor: page.nextCursor, forwarded: [] };
    await writeJson(file, state);
    if (page.data.length > 0) await sleep(Math.max(0, MIN_POLL_INTERVAL_MS - (performance.now() - begun)));
    page = await poll(state.cursor, WAIT_SECONDS);
  }
}

type Poll = (after: string, wait: number) => Promise<Page>;

/** Reads from the saved position. A sandbox that was set up again does not know it. */
async function resume(
  poll: Poll,
  state: State | undefined,
  report: Reporter,
): Promise<{ readonly page: Page; readonly state: State } | undefined> {
  if (state === undefined) return undefined;
  try {
    return { page: await poll(state.cursor, 0), state };
  } catch (error) {
    if (!VeredaApiError.isCode(error, 'validation_failed')) throw error;
    report.notice('The gateway no longer knows the saved position. Starting with new events.');
    return undefined;
  }
}

/** Reads events until the gateway responds. Reports when it becomes unavailable and available. */
function createPoller(vereda: Vereda, baseUrl: string, types: string | undefined, report: Reporter): Poll {
  return async (after, wait) => {
    for (let failures = 0; ; failures += 1) {
      try {
        const query = { after, wait, take: 100, ...(types === undefined ? {} : { types }) };
        const options = { timeoutMs: REQUEST_DEADLINE_MS, maxRetries: 0 };
        const page = await vereda.events.list(query, options);
        if (failures > 0) report.notice('Reconnected. No events were missed.');
        return page;
      } catch (error) {
        const failure = describeOutage(error, baseUrl);
        if (failures === 0) report.notice(`${failure}. Retrying…`);
        await sleep(retryDelayMs(failures));
      }
    }
  };
}

/** Throws errors that a retry would not change. */
function describeOutage(error: unknown, baseUrl: string): string {
  if (error instanceof VeredaConnectionError) return `The gateway at ${baseUrl} does not respond`;
  if (error instanceof VeredaApiError) {
    if (error.status === 401 || error.status === 403)
      throw new Error(`the gateway does not accept this API key (${error.status})`, { cause: error });
    if (error.status === 429 || error.status >= 500)
      return `The gateway responded with status ${error.status}`;
  }
  throw error;
}

const retryDelayMs = (failures: number): number =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 8));

/** Posts an event until the receiver accepts a connection. Any response counts. */
async function forward(event: Event, to: string, secret: string, report: Reporter): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    const posted = await post(event, to, secret);
    if (posted.connected) {
      report.forwarded(event, posted);
      return;
    }
    if (failures === 0) report.forwarded(event, { ...posted, summary: `${posted.summary}; retrying` });
    await sleep(retryDelayMs(failures + 1));
  }
}

interface Posted {
  readonly summary: string;
  readonly status: number | null;
  /** Whether a connection was established, even if the response timed out. */
  readonly connected: boolean;
}

async function post({ id, payload }: Event, to: string, secret: string): Promise<Posted> {
  const started = performance.now();
  const now = new Date();
  try {
    const response = await fetch(to, {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Vereda-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, payload),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_DEADLINE_MS),
    });
    await response.body?.cancel();
    const summary = `${response.status} in ${Math.round(performance.now() - started)} ms`;
    return { summary, status: response.status, connected: true };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { summary: `no response (${reasonOf(error)})`, status: null, connected: late };
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

interface Reporter {
  notice(message: string, members?: object): void;
  forwarded(event: Event, posted: Posted): void;
}

const at = (): string => new Date().toISOString();

function createReporter({ json }: CommonOptions): Reporter {
  if (json === true) {
    return {
      notice: (message, members = {}) =>
        printLine(JSON.stringify({ type: 'notice', at: at(), message, ...members })),
      forwarded({ id, event, recordId }, { summary, status }) {
        printLine(JSON.stringify({ type: 'event', at: at(), id, event, recordId, status, summary }));
      },
    };
  }
  return {
    notice: printLine,
    forwarded: ({ event, recordId }, { summary }) =>
      printLine(`${at()}  ${event}  ${recordId}  → ${summary}`),
  };
}
