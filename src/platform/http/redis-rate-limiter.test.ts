import { createServer, type Socket } from 'node:net';

import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';

import { listenLocally } from '#test/support/free-port.ts';
import { createRedisRateLimiter, findRedisProblem } from './redis-rate-limiter.ts';

const log = pino({ level: 'silent' });

/** Serves every connection with `respond`, which gets each chunk of commands. */
async function serve(respond: (socket: Socket, commands: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => respond(socket, chunk.toString('latin1')));
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://127.0.0.1:${port}`;
}

/** Begins a response of a megabyte, and sends a byte of it every 100 ms. */
function trickle(socket: Socket): void {
  socket.write('$1000000\r\n');
  const timer = setInterval(() => socket.write('x'), 100);
  socket.once('close', () => clearInterval(timer));
}

/** Responds to what a client sends when it connects, and trickles its response to all else. */
function respondToHandshake(socket: Socket, commands: string): void {
  for (const [, name = ''] of commands.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
    if (/^hello$/i.test(name)) socket.write("-ERR unknown command 'HELLO'\r\n");
    else if (/^client$/i.test(name)) socket.write('+OK\r\n');
    else if (/^info$/i.test(name)) socket.write('$0\r\n\r\n');
    else trickle(socket);
  }
}

async function elapsedMs(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
}

it('does not wait for a server whose first response never ends', async () => {
  const url = await serve(trickle);
  expect(await findRedisProblem(url)).toBe('no response within 500 ms');
  let limiter: Awaited<ReturnType<typeof createRedisRateLimiter>> | undefined;
  const opening = createRedisRateLimiter(url, log).then((opened) => (limiter = opened));
  expect(await elapsedMs(opening)).toBeLessThan(2_000);
  await limiter?.close();
});

it('counts in memory if the response to a command never ends', async () => {
  const url = await serve(respondToHandshake);
  const limiter = await createRedisRateLimiter(url, log);
  for (const remaining of [9, 8, 7]) {
    const counting = limiter.consume('seller:1', 10);
    expect(await elapsedMs(counting)).toBeLessThan(2_000);
    expect(await counting).toMatchObject({ remaining, exceeded: false });
  }
  await limiter.close();
});
