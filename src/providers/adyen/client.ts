import { Client, EnvironmentEnum, type Config } from '@adyen/api-library';
import type * as door from '@adyen/api-library/lib/src/httpClient/clientInterface.js';
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js';
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js';
import type { IRequest } from '@adyen/api-library/lib/src/typings/requestOptions.js';
import { Agent, buildConnector, type Dispatcher } from 'undici';

import { NotTaken } from '#transactions/rails.ts';
import type { AdyenSettings } from './settings.ts';

/** Shorter than any deadline of a call, so that where nobody answers another provider may still be asked in time. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that the other side closes as a request goes out leaves its outcome unknown, so idle ones go early. */
const IDLE_CONNECTION_MS = 4_000;
const CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The request was sent before and is being worked on, or was for something else. */
const SAME_KEY_UNDER_WAY = '704';

/** Adyen has said no to a request as it stands: nothing came of it, and nothing ever will. */
export class AdyenRefusal extends Error {
  override readonly name = 'AdyenRefusal';
  /** Adyen's own number of the reason: no datum of the request. */
  readonly errorCode: string | null;

  constructor(status: number, errorCode: string | null) {
    super(`the provider answered HTTP ${status}${errorCode === null ? '' : ` (${errorCode})`}`);
    this.errorCode = errorCode;
  }
}

export interface AdyenClient {
  readonly payments: PaymentsApi;
  readonly modifications: ModificationsApi;
  close(): Promise<void>;
}

/** What each call is made with: under the key Adyen does it once, however often it is called. */
export const calledAs = (idempotencyKey: string, signal: AbortSignal): IRequest.Options => ({
  idempotencyKey,
  signal,
});

/**
 * Adyen's own library on connections of ours. Its calls throw `NotTaken` where the request was certainly not carried out,
 * `AdyenRefusal` for Adyen's no, and anything else where it is not known what came of it.
 */
export function createAdyenClient(settings: AdyenSettings): AdyenClient {
  const live = settings.environment === 'live';
  const agent = createAgent(settings);
  const http = new Connections(agent, settings.url);
  const config = {
    apiKey: settings.apiKey,
    environment: live ? EnvironmentEnum.LIVE : EnvironmentEnum.TEST,
    ...(settings.livePrefix === undefined ? {} : { liveEndpointUrlPrefix: settings.livePrefix }),
  };
  const library = new Client(config, http);
  return {
    payments: new PaymentsApi(library),
    modifications: new ModificationsApi(library),
    close: () => agent.destroy(),
  };
}

function createAgent({ tls }: AdyenSettings): Agent {
  const { ca, cert, key } = tls;
  return new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    allowH2: false,
    // The deadline of the call ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({
      allowH2: false,
      timeout: CONNECT_TIMEOUT_MS,
      minVersion: 'TLSv1.2',
      // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the checks off.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    }),
  });
}

/** The library's door to the network. */
class Connections implements door.default {
  readonly #agent: Agent;
  readonly #url: string | undefined;

  constructor(agent: Agent, url: string | undefined) {
    this.#agent = agent;
    this.#url = url;
  }

  async request(
    endpoint: string,
    json: string | Buffer,
    config: Config,
    _isApiKeyRequired: boolean,
    options: IRequest.Options = {},
  ): Promise<string> {
    const { pathname, search, origin } = new URL(endpoint);
    const target = new URL((this.#url ?? origin) + pathname + search);
    let sent = false;
    const watched = this.#agent.compose(tellingWhenSent(() => (sent = true)));
    let answer: { readonly status: number; readonly text: string };
    try {
      const response = await watched.request({
        method: 'POST',
        origin: target.origin,
        path: target.pathname + target.search,
        headers: {
          'x-api-key': config.apiKey ?? '',
          'content-type': 'application/json',
          accept: 'application/json',
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        body: json,
        signal: options.signal ?? null,
      });
      answer = { status: response.statusCode, text: await textOf(response.body) };
    } catch (error) {
      if (!sent || refusedOurCertificate(error)) {
        throw new NotTaken('the provider could not be reached', { cause: error });
      }
      throw error;
    }
    return judged(answer);
  }
}

/** The answer's text where Adyen did it. No text of a failure is passed on: it may quote the request. */
function judged({ status, text }: { readonly status: number; readonly text: string }): string {
  if (status >= 200 && status < 300) {
    if (typeof parsed(text) !== 'object') throw new Error('the provider answered no JSON');
    return text;
  }
  if (status === 401 || status === 403 || status === 404 || status === 429) {
    throw new NotTaken(`the provider answered HTTP ${status}`);
  }
  const code = errorCodeOf(parsed(text));
  // A server or what stands before it may have passed the request on before it broke.
  if (status >= 500 || status < 400 || status === 408 || status === 409 || code === SAME_KEY_UNDER_WAY) {
    throw new Error(`the provider answered HTTP ${status}`);
  }
  throw new AdyenRefusal(status, code);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorCodeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('errorCode' in body)) return null;
  const { errorCode } = body;
  return typeof errorCode === 'string' && /^\w{1,12}$/.test(errorCode) ? errorCode : null;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('the provider answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Tells when a request has its connection: until then nothing of it was sent. */
const tellingWhenSent =
  (onSent: () => void): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) =>
    dispatch(options, {
      onRequestStart: (...args) => {
        onSent();
        handler.onRequestStart?.(...args);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });

/** In TLS 1.3 a server refuses a certificate after the client has begun to send. */
function refusedOurCertificate(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('ERR_SSL_') && code.includes('ALERT');
}
