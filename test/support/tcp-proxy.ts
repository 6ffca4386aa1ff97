import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { sleep } from './process.ts';
import { listenLocally } from '#test/support/free-port.ts';

/** A TCP proxy in front of a database server that can inject network failures. */
export interface TcpProxy {
  /** The database's URL through the proxy. */
  readonly url: string;
  /** The number of open connections. */
  connections(): number;
  /** Breaks connections and refuses new ones until `open`. */
  close(): void;
  open(): void;
  /** Breaks connections; new ones are accepted. */
  cut(): void;
  /** Holds back all data in both directions, without an error, until `thaw`. */
  freeze(): void;
  /** Drops all data of one connection, identified by the port that the database sees. */
  freezeOne(port: number): void;
  /** Passes requests and holds back responses until `thaw`. */
  holdResponses(): void;
  thaw(): void;
  /** Delays all data by `ms` in each direction. */
  delay(ms: number): void;
  /** Discards the database's responses for `ms`, then breaks the connections. */
  loseResponses(ms: number): Promise<void>;
  /** Directs new connections to another server. */
  redirect(databaseUrl: string): void;
  remove(): Promise<void>;
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  /** The gateway's socket by database socket. */
  const pairs = new Map<Socket, Socket>();
  const held: (() => void)[] = [];
  let losing = false;
  let stopped = { there: false, back: false };
  let delayMs = 0;
  const frozen = new Set<Socket>();

  /** Forwards bytes in order. */
  function pass(from: Socket, to: Socket, direction: 'there' | 'back'): void {
    from.on('data', (bytes) => {
      if (losing && direction === 'back') return;
      const write = () => {
        if (!to.destroyed) to.write(bytes);
      };
      if (stopped[direction] || frozen.has(from)) held.push(write);
      else if (delayMs > 0) setTimeout(write, delayMs);
      else write();
    });
    sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      frozen.delete(from);
      to.destroy();
    });
  }

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    pass(near, far, 'there');
    pass(far, near, 'back');
    pairs.set(far, near);
    far.once('close', () => pairs.delete(far));
  });
  const port = await listenLocally(server);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = (): void => {
    server.close();
    cut();
  };
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href,
    connections: () => sockets.size / 2,
    close,
    open: () => server.listen(port, '127.0.0.1'),
    cut,
    freeze: () => (stopped = { there: true, back: true }),
    freezeOne(port) {
      for (const [far, near] of pairs) {
        if (far.localPort === port) frozen.add(far).add(near);
      }
    },
    holdResponses: () => (stopped = { there: false, back: true }),
    thaw() {
      stopped = { there: false, back: false };
      frozen.clear();
      for (const write of held.splice(0)) write();
    },
    delay: (ms) => (delayMs = ms),
    async loseResponses(ms) {
      losing = true;
      await sleep(ms);
      cut();
      losing = false;
    },
    redirect: (url) => (target = new URL(url)),
    async remove() {
      const closed = server.listening ? once(server, 'close') : Promise.resolve();
      close();
      await closed;
    },
  };
}
