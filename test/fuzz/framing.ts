import { bytesOf, type Draft } from './draft.ts';
import type { Piece } from './wire.ts';

/** How a request is encoded as bytes, correctly or not. */

/** Replaces the framing headers and the body. */
const raw =
  (headers: string, text: string | Buffer): Draft['framed'] =>
  (head) => [{ bytes: Buffer.concat([Buffer.from(`${head}${headers}\r\n`, 'latin1'), Buffer.from(text)]) }];

const LENGTHS = [
  '-1',
  '+2',
  '0x2',
  '1e2',
  ' ',
  '2,2',
  '2, 3',
  '99999999999999999999',
  '2 2',
  'x',
  '9007199254740993',
];
const ENCODINGS = [
  'gzip, chunked',
  'chunked, gzip',
  'identity',
  'xchunked',
  ' chunked',
  'chunked, chunked',
  'Chunked',
  'chunked\x0b',
  '"chunked"',
  'chunked;q=1',
];

/** Bodies with wrong lengths, malformed chunks, and requests with ambiguous framing. */
export function misframe(draft: Draft): undefined {
  const { random } = draft;
  const body = bytesOf(draft) ?? Buffer.from('{}');
  draft.body = body;
  draft.framing = 'none';
  draft.wellFramed = false;
  const inChunks = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`;
  const inside = 'GET /v1/health HTTP/1.1\r\nhost: x\r\n\r\n';
  draft.framed = random.pick([
    () => raw(`content-length: ${body.length + 10}\r\n`, body),
    () => raw(`content-length: ${Math.max(0, body.length - 1)}\r\n`, body),
    () => raw(`content-length: ${random.pick(LENGTHS)}\r\n`, body),
    () => raw(`content-length: ${body.length}\r\ncontent-length: ${body.length + 1}\r\n`, body),
    () => raw(`content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n`, inChunks + inside),
    () => raw(`transfer-encoding: chunked\r\ncontent-length: 3\r\n`, inChunks + inside),
    () => raw(`transfer-encoding: ${random.pick(ENCODINGS)}\r\n`, inChunks),
    () => raw('transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n', inChunks),
    () => raw('transfer-encoding : chunked\r\n', inChunks),
    () => raw('x: y\r\n transfer-encoding: chunked\r\n', inChunks),
    () =>
      raw(
        'transfer-encoding: chunked\r\n',
        random.pick([
          'zz\r\n{}\r\n0\r\n\r\n',
          '-1\r\n\r\n',
          'FFFFFFFFFFFFFFFFF\r\n',
          '2\r\n{}0\r\n\r\n',
          '2;ext=\x00\r\n{}\r\n0\r\n\r\n',
          `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
          '2\n{}\n0\n\n',
          '2\r\n{}\r\n0\r\nx: y\r\ncontent-length: 5\r\n\r\n',
          '0x2\r\n{}\r\n0\r\n\r\n',
          `2\r\n{}\r\n0\r\n${'t: v\r\n'.repeat(3_000)}\r\n`,
        ]),
      ),
    () => raw('\r\n', body),
    () => raw('x\0y: z\r\n', ''),
    () => raw('x y: z\r\n', ''),
    () => raw(': z\r\n', ''),
    () => raw(`x: a\rb\r\n`, ''),
    () => raw('x: a\nset-cookie: b\r\n', ''),
    () => () => [{ bytes: Buffer.from(Array.from({ length: 300 }, () => random.between(0, 255))) }],
    () => (head) => [
      {
        bytes: Buffer.from(
          head.replace('HTTP/1.1', () =>
            random.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.11', 'http/1.1', 'HTTP', '']),
          ) + '\r\n',
          'latin1',
        ),
      },
    ],
    () => (head) => [{ bytes: Buffer.from(head.replaceAll('\r\n', '\n') + '\n', 'latin1') }],
    () => (head) => [{ bytes: Buffer.from(`\r\n\r\n${head}\r\n`, 'latin1') }],
    () => () => [{ bytes: Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1') }],
    () => () => [{ bytes: Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') }],
    () => (head, text) => [
      { bytes: Buffer.from(`${head}content-length: ${text.length}\r\n\r\n`, 'latin1') },
      { bytes: text.subarray(0, 1), afterMs: 20 },
      { bytes: text.subarray(1), afterMs: 20 },
    ],
  ])();
}

export function piecesOf(draft: Draft, head: string, body: Buffer | undefined): readonly Piece[] {
  if (draft.framed !== undefined) return draft.framed(head, body ?? Buffer.alloc(0));
  const bytesOfHead = (more: string): Buffer => Buffer.from(`${head}${more}\r\n`, 'latin1');
  if (body === undefined) return [{ bytes: bytesOfHead('') }];
  if (draft.framing === 'length')
    return [{ bytes: Buffer.concat([bytesOfHead(`content-length: ${body.length}\r\n`), body]) }];
  const chunks: Buffer[] = [bytesOfHead('transfer-encoding: chunked\r\n')];
  const size = Math.max(1, Math.ceil(body.length / draft.random.between(1, 7)));
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from('0\r\n\r\n'));
  return [{ bytes: Buffer.concat(chunks) }];
}
