import { connect, type Socket } from 'node:net';

/** HTTP/1.1 as bytes on a socket: sends what clients refuse to send, and reads raw responses. */

export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, without chunked encoding. */
  readonly body: Buffer;
}

export interface Exchange {
  readonly responses: readonly WireResponse[];
  /** Received bytes that are not a complete response. */
  readonly rest: Buffer;
  /** Whether the gateway closed the connection; otherwise the timeout did. */
  readonly closed: boolean;
  readonly ms: number;
}

/** Bytes, and the delay before they are sent. */
export interface Piece {
  readonly bytes: Buffer;
  readonly afterMs?: number;
}

export interface SendOptions {
  readonly port: number;
  /** The timeout for the end of the connection. */
  readonly timeoutMs: number;
  /**
   * Half-closes the connection after the last piece, so that the gateway does not wait for more.
   */
  readonly end?: boolean;
  /** The methods of the requests, if one is HEAD: its response has no body. */
  readonly methods?: readonly string[];
  /** The maximum that is kept of a response; the rest is read and discarded. */
  readonly keepBytes?: number;
}

/**
 * Sends the pieces on a new connection and reads until it ends. Never throws: errors are part of
 * the result.
 */
export function exchange(pieces: readonly Piece[], options: SendOptions): Promise<Exchange> {
  const { port, timeoutMs, end = false, methods = [], keepBytes = 64 * 1024 * 1024 } = options;
  const started = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let kept = 0;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let done = false;
    const finish = (closed: boolean): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      socket.destroy();
      resolve({ ...readResponses(Buffer.concat(chunks), methods), closed, ms: performance.now() - started });
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.on('data', (chunk: Buffer) => {
      if (kept < keepBytes) chunks.push(chunk);
      kept += chunk.length;
    });
    // A gateway that responds early closes the connection while the rest of a body is being sent.
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
    socket.on('connect', () => void sendPieces(socket, pieces, end, () => done));
  });
}

async function sendPieces(
  socket: Socket,
  pieces: readonly Piece[],
  end: boolean,
  isDone: () => boolean,
): Promise<void> {
  for (const { bytes, afterMs = 0 } of pieces) {
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (isDone()) return;
    socket.write(bytes);
  }
  if (end) socket.end();
}

/** Splits the received bytes into responses, without interim ones (100 Continue). */
function readResponses(
  bytes: Buffer,
  methods: readonly string[] = [],
): { readonly responses: readonly WireResponse[]; readonly rest: Buffer } {
  const responses: WireResponse[] = [];
  let at = 0;
  for (;;) {
    const head = bytes.indexOf('\r\n\r\n', at);
    if (head < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, head).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
    if (Number.isNaN(status)) break;
    const headers = headersOf(lines);
    if (headers === undefined) break;
    const from = head + 4;
    if (status < 200) {
      at = from;
      continue;
    }
    // Malformed HTTP is rejected before its method is known, with a body.
    const toHead =
      methods[responses.length] === 'HEAD' && !bytes.subarray(from).toString('latin1').startsWith('{');
    const bare = toHead || status === 204 || status === 304;
    const body = bare ? { bytes: Buffer.alloc(0), end: from } : readBody(bytes, from, headers);
    if (body === undefined) break;
    responses.push({ status, headers, body: body.bytes });
    at = body.end;
  }
  return { responses, rest: bytes.subarray(at) };
}

/** Undefined if one is malformed: request data has become part of the response head. */
function headersOf(lines: readonly string[]): Headers | undefined {
  const headers = new Headers();
  try {
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    return headers;
  } catch {
    return undefined;
  }
}

function readBody(
  bytes: Buffer,
  from: number,
  headers: Headers,
): { readonly bytes: Buffer; readonly end: number } | undefined {
  const length = headers.get('content-length');
  if (length !== null) {
    const end = from + Number(length);
    return end > bytes.length ? undefined : { bytes: bytes.subarray(from, end), end };
  }
  if (headers.get('transfer-encoding') !== 'chunked')
    return { bytes: bytes.subarray(from), end: bytes.length };
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (!(size >= 0) || end + 2 > bytes.length) return undefined;
    if (size === 0) return { bytes: Buffer.concat(parts), end: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
