import { Client, EnvironmentEnum } from '@adyen/api-library';
import type * as httpClient from '@adyen/api-library/lib/src/httpClient/clientInterface.js';
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js';
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js';
import type { IRequest } from '@adyen/api-library/lib/src/typings/requestOptions.js';

import type { Reason } from '#payments/transactions/reasons.ts';
import { openConnections, parseJson, type ProviderConnections } from '#providers/connections.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { AdyenSettings } from './settings.ts';

/** Shorter than the deadline of any call, so that another provider can still be tried. */
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 64;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Adyen's error code: the idempotency key is in use, by the same or another request. */
const DUPLICATE_REQUEST_IN_PROGRESS = '704';

/** Adyen rejected the request as invalid. It was not executed and never will be. */
export class AdyenRejectedError extends Error {
  override readonly name = 'AdyenRejectedError';
  readonly reason: Reason;
  /** Adyen's error code, which contains no data of the request. */
  readonly errorCode: string | null;

  constructor(status: number, errorCode: string | null) {
    const response = `the provider responded with HTTP ${status}` as const;
    const reason = errorCode === null ? response : (`${response} (${errorCode})` as const);
    super(reason);
    this.reason = reason;
    this.errorCode = errorCode;
  }
}

export interface AdyenClient {
  readonly payments: PaymentsApi;
  readonly modifications: ModificationsApi;
  close(): Promise<void>;
}

/** Options of a call. Adyen executes requests with the same idempotency key once. */
export const requestOptions = (idempotencyKey: string, signal: AbortSignal): IRequest.Options => ({
  idempotencyKey,
  signal,
});

/**
 * Adyen's library on the gateway's own connections. Calls throw `NotExecutedError` if the request
 * was certainly not executed, `AdyenRejectedError` if Adyen refused it, and any other error if the
 * outcome is unknown.
 */
export function createAdyenClient(settings: AdyenSettings): AdyenClient {
  const connections = openConnections({
    tls: settings.tls,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maxConnections: CONNECTIONS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const http = new PooledHttpClient(connections, settings.url);
  const config = {
    apiKey: settings.apiKey,
    environment: settings.environment === 'live' ? EnvironmentEnum.LIVE : EnvironmentEnum.TEST,
    ...(settings.livePrefix === undefined ? {} : { liveEndpointUrlPrefix: settings.livePrefix }),
  };
  const library = new Client(config, http);
  return {
    payments: new PaymentsApi(library),
    modifications: new ModificationsApi(library),
    close: () => connections.close(),
  };
}

/** Transport of Adyen's library. */
class PooledHttpClient implements httpClient.default {
  readonly #connections: ProviderConnections;
  readonly #url: string | undefined;

  constructor(connections: ProviderConnections, url: string | undefined) {
    this.#connections = connections;
    this.#url = url;
  }

  async request(...args: Parameters<httpClient.default['request']>): Promise<string> {
    const [endpoint, json, config, , options = {}] = args;
    const { pathname, search, origin } = new URL(endpoint);
    if (options.signal === undefined) throw new Error('a call to Adyen needs a deadline');
    const response = await this.#connections.send(
      (this.#url ?? origin) + pathname + search,
      {
        method: 'POST',
        headers: {
          'x-api-key': config.apiKey ?? '',
          'content-type': 'application/json',
          accept: 'application/json',
          ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
        },
        body: json,
      },
      options.signal,
    );
    return checkResponse(response);
  }
}

/** Returns the body of a success. Bodies of errors may quote the request and are dropped. */
function checkResponse({ status, text }: { readonly status: number; readonly text: string }): string {
  if (status >= 200 && status < 300) {
    if (typeof parseJson(text) !== 'object') throw new Error('the provider responded without JSON');
    return text;
  }
  if (status === 401 || status === 403 || status === 404 || status === 429) {
    throw new NotExecutedError(`the provider responded with HTTP ${status}`);
  }
  const code = errorCodeOf(parseJson(text));
  // A failing server or proxy may have forwarded the request.
  const isServerFailure = status >= 500 || status < 400 || status === 408 || status === 409;
  if (isServerFailure || code === DUPLICATE_REQUEST_IN_PROGRESS) {
    throw new Error(`the provider responded with HTTP ${status}`);
  }
  throw new AdyenRejectedError(status, code);
}

function errorCodeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('errorCode' in body)) return null;
  const { errorCode } = body;
  return typeof errorCode === 'string' && /^\w{1,12}$/.test(errorCode) ? errorCode : null;
}
