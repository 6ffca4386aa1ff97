import { openConnections, parseJson, type ProviderRequest } from '#providers/connections.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { describeProblem, parseAs, Token } from './messages.ts';
import type { BacenSettings } from './settings.ts';

/** Shorter than any deadline of a call, so that where nobody answers another provider may still be asked in time. */
const CONNECT_TIMEOUT_MS = 2_500;
const TOKEN_TIMEOUT_MS = 4_000;
/** A token is not used for so long before its end: a call that is under way must not outlive it. */
const TOKEN_MARGIN_MS = 30_000;
/** Of a token whose life is not told. */
const DEFAULT_TOKEN_LIFETIME_SECONDS = 300;
const CONNECTIONS = 32;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

const SCOPES = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';

export interface BacenResponse {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

export interface BacenRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface BacenClient {
  /**
   * Asks the PSP. Answers what was said with 2xx and 4xx.
   *
   * @throws NotTaken where the request was certainly not carried out: no connection, no token, 401, 403, 429, or a 503 by
   * which the API itself says that it is out of service.
   * @throws Error for anything else that is not an answer: what came of the request is then not known.
   */
  request(request: BacenRequest, deadline: AbortSignal): Promise<BacenResponse>;
  close(): Promise<void>;
}

/** A client of one PSP: mutual TLS, and one token that all calls share until shortly before its end. */
export function createBacenClient(settings: BacenSettings): BacenClient {
  const connections = openConnections({
    tls: settings.tls,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    maxConnections: CONNECTIONS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const send = async (
    address: string,
    request: ProviderRequest,
    deadline: AbortSignal,
  ): Promise<BacenResponse> => {
    const { status, text } = await connections.send(address, request, deadline);
    return { status, body: parseJson(text) };
  };
  let token: { readonly value: string; readonly usableUntil: number } | undefined;
  let fetching: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const { clientId, clientSecret, tokenUrl } = settings;
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES }).toString();
    const headers = {
      authorization: `Basic ${credentials.toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    };
    const request = { method: 'POST', headers, body } as const;
    const response = await send(tokenUrl, request, AbortSignal.timeout(TOKEN_TIMEOUT_MS));
    const issued = response.status < 300 ? parseAs(Token, response.body) : undefined;
    if (issued === undefined) throw new Error(`no token was given out (HTTP ${response.status})`);
    const lifetimeMs = (issued.expires_in ?? DEFAULT_TOKEN_LIFETIME_SECONDS) * 1_000;
    // Of a token with a short life at least half is used.
    const usableMs = Math.max(lifetimeMs - TOKEN_MARGIN_MS, lifetimeMs / 2);
    token = { value: issued.access_token, usableUntil: performance.now() + usableMs };
    return issued.access_token;
  }

  /** The token; whoever needs one while it is being fetched waits for the same. */
  async function currentToken(): Promise<string> {
    if (token !== undefined && performance.now() < token.usableUntil) return token.value;
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    try {
      return await fetching;
    } catch (error) {
      // Without a token nothing was asked.
      throw new NotExecutedError('the provider gave out no token', { cause: error });
    }
  }

  async function attempt(
    request: BacenRequest,
    bearer: string,
    deadline: AbortSignal,
  ): Promise<BacenResponse> {
    const { method, path, query, body } = request;
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    return send(
      settings.url + path + search,
      {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      deadline,
    );
  }

  return {
    async request(request, deadline) {
      const bearer = await currentToken();
      let response = await attempt(request, bearer, deadline);
      if (response.status === 401) {
        // A token may end early at the provider. Only the one that was refused is thrown away: another may be here by now.
        if (token?.value === bearer) token = undefined;
        response = await attempt(request, await currentToken(), deadline);
      }
      const { status } = response;
      const outOfService =
        status === 503 && describeProblem(response.body)?.startsWith('ServicoIndisponivel') === true;
      if (status === 401 || status === 403 || status === 429 || outOfService) {
        throw new NotExecutedError(`the provider answered HTTP ${status}`);
      }
      if (status >= 500 || status < 200 || (status >= 300 && status < 400)) {
        throw new Error(`the provider answered HTTP ${status}`);
      }
      return response;
    },
    close: () => connections.close(),
  };
}

/** RFC 6749 2.3.1: the credentials are form-encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
