import { Agent, buildConnector, type Dispatcher } from 'undici';

import { NotExecutedError } from '#platform/jobs/provider-calls.ts';

/** Idle connections are let go before servers do it, so that no request meets one that is just being closed. */
const IDLE_TIMEOUT_MS = 4_000;

/** What a provider's server is known by, and what it knows us by; PEM. */
export interface TlsIdentity {
  /** Authorities of its certificate; those that Node knows unless told. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export interface ConnectionOptions {
  readonly tls: TlsIdentity;
  readonly connectTimeoutMs: number;
  /** Connections at once. */
  readonly maxConnections: number;
  /** A longer answer is an error. */
  readonly maxResponseBytes: number;
}

export interface ProviderRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface ProviderResponse {
  readonly status: number;
  readonly text: string;
}

export interface ProviderConnections {
  /**
   * Sends a request and reads the whole answer, whatever its status.
   *
   * @throws NotTaken where certainly nothing of the request was carried out: there was no connection, or our certificate
   * was refused.
   * @throws Error for anything else that is not an answer: what came of the request is then not known.
   */
  send(address: string, request: ProviderRequest, deadline: AbortSignal | null): Promise<ProviderResponse>;
  close(): Promise<void>;
}

/** Connections to a provider over HTTPS, with our certificate where it asks for one. */
export function openConnections(options: ConnectionOptions): ProviderConnections {
  const { maxResponseBytes } = options;
  const agent = createAgent(options);
  return {
    async send(address, request, deadline) {
      const { origin, pathname, search } = new URL(address);
      let sent = false;
      const dispatcher = agent.compose(notifyWhenSent(() => (sent = true)));
      try {
        const response = await dispatcher.request({
          ...request,
          origin,
          path: pathname + search,
          signal: deadline,
        });
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

/** The JSON of an answer; undefined where it is none. */
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
    // The deadline of the call ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector({
      allowH2: false,
      timeout: connectTimeoutMs,
      minVersion: 'TLSv1.2',
      // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 cannot switch the checks off.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    }),
  });
}

/** Tells when a request has its connection: until then nothing of it was sent. */
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

/** In TLS 1.3 a server judges the client's certificate after the first bytes of the request are out; it reads none of them. */
function isClientCertificateRejected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [library = '', alert = ''] = 'code' in cause ? String(cause.code).split('ALERT_') : [];
    const ofCertificate = /^(?:BAD_CERTIFICATE|UNKNOWN_CA)$|CERTIFICATE_/.test(alert);
    if (library.startsWith('ERR_SSL_') && ofCertificate) return true;
  }
  return false;
}

async function readText(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw new Error('the provider answered more than anybody reads');
  }
  return Buffer.concat(chunks).toString('utf8');
}
