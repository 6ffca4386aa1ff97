import { setTimeout } from 'node:timers/promises';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { freePort } from './free-port.ts';

/** A mail as an SMTP server received it. */
interface ReceivedMail {
  readonly to: readonly string[];
  readonly messageId: string;
  readonly raw: string;
  /** With its encoding undone, so that links are whole. */
  readonly text: string;
}

/**
 * How the server handles a mail: accept it, refuse it with a code, close the connection, or keep
 * the client waiting until it reacts in another way.
 */
type Reaction = 'ACCEPT' | 'CUT_OFF' | 'HANG' | number;

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Message-IDs of all attempts that reached the text of the mail, in order. */
  readonly attempted: readonly string[];
  /** How many clients the server keeps waiting. */
  waiting: number;
  /** Decides on each mail, by its first recipient. */
  react: (to: string) => Reaction;
  close(): Promise<void>;
}

export const USER = 'gateway';
export const PASSWORD = 'p@ss/word';

/**
 * Starts a real SMTP server on loopback. Without `options` it has neither TLS nor authentication.
 */
export async function startMailServer(
  options: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] },
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const attempted: string[] = [];
  const port = await freePort();
  const mailServer: MailServer = {
    port,
    received,
    attempted,
    waiting: 0,
    react: () => 'ACCEPT',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    closeTimeout: 100,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === USER && password === PASSWORD;
      callback(isKnown ? null : new Error('wrong credentials'), isKnown ? { user: USER } : undefined);
    },
    onRcptTo({ address }, _session, callback) {
      const reaction = mailServer.react(address);
      callback(
        typeof reaction === 'number'
          ? Object.assign(new Error(`${address} refused`), { responseCode: reaction })
          : null,
      );
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const [first = ''] = to;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const end = async () => {
        mailServer.waiting += 1;
        while (mailServer.react(first) === 'HANG') await setTimeout(20);
        mailServer.waiting -= 1;
        const raw = Buffer.concat(chunks).toString('utf8');
        const messageId = /^Message-ID: (.+)$/im.exec(raw)?.[1]?.trim() ?? '';
        attempted.push(messageId);
        if (mailServer.react(first) === 'CUT_OFF') {
          for (const connection of server.connections) connection.close();
          return;
        }
        received.push({ to, messageId, raw, text: decode(raw) });
        callback();
      };
      stream.on('end', () => void end());
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return mailServer;
}

/** Undoes quoted-printable. */
const decode = (raw: string): string =>
  Buffer.from(
    raw
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([\dA-F]{2})/g, (_match, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** The token of the link in a mail. */
export function tokenIn(text: string): string {
  const token = /[?&]token=([\w-]{20,})/.exec(text)?.[1];
  if (token === undefined) throw new Error(`the mail has no link: ${text}`);
  return token;
}
