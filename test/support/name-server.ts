import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The type of a question: an IPv4 or an IPv6 address. */
export type QuestionType = 'A' | 'AAAA';

/** Addresses, a failure by the code of the response (RFC 1035), or no response at all. */
export type NameAnswer = readonly string[] | 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'SILENCE';

export interface NameServer {
  /** In the form of `Resolver.setServers`. */
  readonly address: string;
  /** The questions so far, such as `A shop.test`. */
  readonly questions: readonly string[];
  close(): void;
}

const RESPONSE_CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const AAAA = 28;
const HEADER_LENGTH = 12;

/** Starts a name server on loopback that speaks DNS over UDP. */
export async function startNameServer(
  respond: (name: string, type: QuestionType) => NameAnswer,
): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end) === AAAA ? 'AAAA' : 'A';
    questions.push(`${type} ${name}`);
    const answered = respond(name, type);
    if (answered !== 'SILENCE') socket.send(encode(query.subarray(0, end + 4), answered), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => socket.close(),
  };
}

function readName(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** The response to a query, which is given without its additional records. */
function encode(query: Buffer, response: Exclude<NameAnswer, 'SILENCE'>): Buffer {
  const addresses = typeof response === 'string' ? [] : response;
  const header = Buffer.from(query.subarray(0, HEADER_LENGTH));
  // A response that is authoritative, and allows recursion.
  header.writeUInt16BE(0x8580 | (typeof response === 'string' ? RESPONSE_CODES[response] : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, query.subarray(HEADER_LENGTH), ...addresses.map(encodeRecord)]);
}

function encodeRecord(address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : encodeIPv6(address);
  const type = isIPv4(address) ? 1 : AAAA;
  // The name of the question, class IN, no time to live.
  const head = Buffer.from([0xc0, HEADER_LENGTH, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

function encodeIPv6(address: string): Buffer {
  const [start = '', end = ''] = address.split('::');
  const [first, last] = [start, end].map((part) => (part === '' ? [] : part.split(':')));
  const hextets = [...(first ?? []), ...(last ?? [])];
  const zeros = Array<string>(8 - hextets.length).fill('0');
  const all = [...(first ?? []), ...zeros, ...(last ?? [])];
  return Buffer.from(all.map((hextet) => hextet.padStart(4, '0')).join(''), 'hex');
}
