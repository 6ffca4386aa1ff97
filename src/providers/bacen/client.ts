import { openConnections, parseJson, type ProviderConnections } from '#providers/connections.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { AccessTokens } from './access-tokens.ts';
import { describeProblem } from './messages.ts';
import type { BacenSettings } from './settings.ts';

/** Shorter than the deadline of any call, so that another provider can still be tried. */
const CONNECT_TIMEOUT_MS = 2_500;
const CONNECTIONS = 32;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export interface BacenResponse {
  readonly status: number;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

interface BacenRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  /** Path below the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface BacenClient {
  /**
   * Calls the PSP and returns responses with 2xx and 4xx.
   *
   * @throws NotExecutedError if the request was certainly not executed: no connection, no token,
   *    401, 403, 429, or a 503 by which the API itself states that it is out of service.
   * @throws Error if the outcome is unknown.
   */
  request(request: BacenRequest, deadline: AbortSignal): Promise<BacenResponse>;
  close(): Promise<void>;
}

interface ClientDeps {
  readonly baseUrl: string;
  readonly connections: ProviderConnections;
  readonly tokens: AccessTokens;
}

/** Creates a client of one PSP, which authenticates by mutual TLS and an access token. */
export function createBacenClient(settings: BacenSettings): BacenClient {
  const connections = openConnections({
    tls: settings.tls,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maxConnections: CONNECTIONS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const deps = { baseUrl: settings.url, connections, tokens: new AccessTokens(settings, connections) };
  return { ...bindDeps(deps, { request: requestAuthorized }), close: () => connections.close() };
}

async function requestAuthorized(
  deps: ClientDeps,
  request: BacenRequest,
  deadline: AbortSignal,
): Promise<BacenResponse> {
  const { tokens } = deps;
  const token = await tokens.get(deadline);
  let response = await send(deps, request, token, deadline);
  if (response.status === 401) {
    // The provider may revoke a token before it expires.
    tokens.discard(token);
    response = await send(deps, request, await tokens.get(deadline), deadline);
  }
  const { status, body } = response;
  const isOutOfService = status === 503 && describeProblem(body)?.startsWith('ServicoIndisponivel') === true;
  if (status === 401 || status === 403 || status === 429 || isOutOfService) {
    throw new NotExecutedError(`the provider responded with HTTP ${status}`);
  }
  if (status >= 500 || status < 200 || (status >= 300 && status < 400)) {
    throw new Error(`the provider responded with HTTP ${status}`);
  }
  return response;
}

async function send(
  { baseUrl, connections }: ClientDeps,
  { method, path, query, body }: BacenRequest,
  token: string,
  deadline: AbortSignal,
): Promise<BacenResponse> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const request =
    body === undefined
      ? { method, headers }
      : {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  const { status, text } = await connections.send(baseUrl + path + search, request, deadline);
  return { status, body: parseJson(text) };
}
