import { Client, EnvironmentEnum, type Config } from '@adyen/api-library';
import type * as httpClient from '@adyen/api-library/lib/src/httpClient/clientInterface.js';
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js';
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js';
import type { IRequest } from '@adyen/api-library/lib/src/typings/requestOptions.js';

import { openConnections, parseJson, type ProviderConnections } from '#providers/connections.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { AdyenSettings } from './settings.ts';

/** Shorter than any deadline of a call, so that where nobody answers another provider may still be asked in time. */
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS = 64;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The request was sent before and is being worked on, or was for something else. */
const DUPLICATE_REQUEST_IN_PROGRESS = '704';

/** Adyen has said no to a request as it stands: nothing came of it, and nothing ever will. */
export class AdyenRejectedError extends Error {
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
export const requestOptions = (idempotencyKey: string, signal: AbortSignal): IRequest.Options => ({
  idempotencyKey,
  signal,
});

/**
 * Adyen's own library on connections of ours. Its calls throw `NotTaken` where the request was certainly not carried out,
 * `AdyenRefusal` for Adyen's no, and anything else where it is not known what came of it.
 */
export function createAdyenClient(settings: AdyenSettings): AdyenClient {
  const live = settings.environment === 'live';
  const connections = openConnections({
    tls: settings.tls,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maxConnections: CONNECTIONS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const http = new PooledHttpClient(connections, settings.url);
  const config = {
    apiKey: settings.apiKey,
    environment: live ? EnvironmentEnum.LIVE : EnvironmentEnum.TEST,
    ...(settings.livePrefix === undefined ? {} : { liveEndpointUrlPrefix: settings.livePrefix }),
  };
  const library = new Client(config, http);
  return {
    payments: new PaymentsApi(library),
    modifications: new ModificationsApi(library),
    close: () => connections.close(),
  };
}

/** The library's door to the network. */
class PooledHttpClient implements httpClient.default {
  readonly #connections: ProviderConnections;
  readonly #url: string | undefined;

  constructor(connections: ProviderConnections, url: string | undefined) {
    this.#connections = connections;
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
      options.signal ?? null,
    );
    return checkResponse(response);
  }
}

/** The answer's text where Adyen did it. No text of a failure is passed on: it may quote the request. */
function checkResponse({ status, text }: { readonly status: number; readonly text: string }): string {
  if (status >= 200 && status < 300) {
    if (typeof parseJson(text) !== 'object') throw new Error('the provider answered no JSON');
    return text;
  }
  if (status === 401 || status === 403 || status === 404 || status === 429) {
    throw new NotExecutedError(`the provider answered HTTP ${status}`);
  }
  const code = errorCodeOf(parseJson(text));
  // A server or what stands before it may have passed the request on before it broke.
  if (
    status >= 500 ||
    status < 400 ||
    status === 408 ||
    status === 409 ||
    code === DUPLICATE_REQUEST_IN_PROGRESS
  ) {
    throw new Error(`the provider answered HTTP ${status}`);
  }
  throw new AdyenRejectedError(status, code);
}

function errorCodeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('errorCode' in body)) return null;
  const { errorCode } = body;
  return typeof errorCode === 'string' && /^\w{1,12}$/.test(errorCode) ? errorCode : null;
}
