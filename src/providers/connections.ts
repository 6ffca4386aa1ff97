import { Agent, buildConnector, type Dispatcher } from 'undici';

import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { untilAborted } from '#platform/kit/until-aborted.ts';

/** Shorter than servers' idle timeouts, so that requests do not race with a closing server. */
const IDLE_TIMEOUT_MS = 4_000;

/** TLS identities of the provider and of the gateway, in PEM. */
export interface TlsIdentity {
  /** Authorities of the provider's certificate; Node's own by default. */
  readonly ca: string | undefined;
  /** Client certificate and key, if the provider requires them. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface ConnectionOptions {
  readonly tls: TlsIdentity;
  readonly connectTimeoutMs: number;
  readonly maxConnections: number;
  /** Longer responses are errors. */
  readonly maxResponseBytes: number;
}

interface ProviderRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface ProviderResponse {
  readonly status: number;
  readonly text: string;
}

export interface ProviderConnections {
  /**
   * Sends a request and reads the whole response, whatever its status.
   *
   * @throws NotExecutedError if the request was certainly not executed: no connection was made or
   *    free before the deadline, or the server rejected the client certificate.
   * @throws Error if the outcome is unknown.
   */
  send(address: string, request: ProviderRequest, deadline: AbortSignal): Promise<ProviderResponse>;
  close(): Promise<void>;
}

/** Opens a pool of HTTPS connections to a provider. */
export function openConnections(options: ConnectionOptions): ProviderConnections {
  const { maxResponseBytes } = options;
  const agent = createAgent(options);
  return {
    async send(address, request, deadline) {
      const { origin, pathname, search } = new URL(address);
      let sent = false;
      const dispatcher = agent.compose(notifyWhenSent(() => (sent = true)));
      try {
        const sending = dispatcher.request({
          ...request,
          origin,
          path: pathname + search,
          signal: deadline,
        });
        // Undici aborts a request that waits for a connection only once it has one, and never sends it.
        const response = await untilAborted(deadline, sending);
        return { status: response.statusCode, text: await readText(response.body, maxResponseBytes) };
      } catch (error) {
        if (!sent || isClientCertificateRejected(error)) {
          throw new NotExecutedError('the provider could not be reached', { cause: error });
        }
        throw error;
      }
    },
    close: () => agent.destroy(),
  };
}

/** Parses a response body; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createAgent({ tls: { ca, cert, key }, connectTimeoutMs, maxConnections }: ConnectionOptions): Agent {
  return new Agent({
    connections: maxConnections,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
    allowH2: false,
    // The deadline of each call applies instead.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({
      allowH2: false,
      timeout: connectTimeoutMs,
      minVersion: 'TLSv1.2',
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot disable the check.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    }),
  });
}

/** Reports when a request gets its connection. Nothing of it is sent before. */
const notifyWhenSent =
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

/**
 * In TLS 1.3 a server verifies the client certificate after the client has sent the first bytes of
 * the request. It discards them on failure, so the request was not executed.
 */
function isClientCertificateRejected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [library = '', alert = ''] = 'code' in cause ? String(cause.code).split('ALERT_') : [];
    const isAboutCertificate = /^(?:BAD_CERTIFICATE|UNKNOWN_CA)$|CERTIFICATE_/.test(alert);
    if (library.startsWith('ERR_SSL_') && isAboutCertificate) return true;
  }
  return false;
}

async function readText(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new Error(`the provider's response exceeds ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}
