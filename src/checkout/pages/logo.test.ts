import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort, listenLocally } from '#test/support/free-port.ts';
import { selfSigned } from '#test/support/receiver.ts';
import { createLogoLoader } from './logo.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const FILES: Readonly<Record<string, Buffer>> = {
  '/logo.png': PNG,
  '/large.png': Buffer.concat([PNG, Buffer.alloc(60_000)]),
  '/logo.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

let server: Server;
let root: string;
let ca: string;
let requests = 0;

beforeAll(async () => {
  const { key, cert } = await selfSigned();
  ca = cert;
  server = createServer({ key, cert }, ({ url = '' }, response) => {
    requests += 1;
    if (url === '/redirect.png') response.writeHead(302, { location: '/logo.png' });
    response.end(FILES[url]);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  root = `https://127.0.0.1:${port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('the logo of a seller on the payment page', () => {
  it('is loaded once and then cached', async () => {
    const load = createLogoLoader({ allowPrivate: true, ca });
    const before = requests;
    expect(await load(`${root}/logo.png`)).toEqual({ type: 'image/png', bytes: PNG });
    expect(await load(`${root}/logo.png`)).toBeDefined();
    expect(requests - before).toBe(1);
  });

  it.each(['/large.png', '/logo.svg', '/redirect.png'])('is not shown from %s', async (path) => {
    expect(await createLogoLoader({ allowPrivate: true, ca })(root + path)).toBeUndefined();
  });

  it('is abandoned after five seconds, even with many others on its server', async () => {
    const silent = createTcpServer();
    const port = await listenLocally(silent);
    const load = createLogoLoader({ allowPrivate: true, ca });
    const startedMs = performance.now();
    const paths = ['a', 'b', 'c', 'd'];
    const logos = await Promise.all(paths.map((path) => load(`https://127.0.0.1:${port}/${path}.png`)));
    expect(logos).toEqual(paths.map(() => undefined));
    expect(performance.now() - startedMs).toBeLessThan(9_000);
    silent.close();
  });

  it('is not loaded from private addresses, nor over plain HTTP', async () => {
    const before = requests;
    const load = createLogoLoader({ allowPrivate: false, ca });
    expect(await load(`${root}/logo.png`)).toBeUndefined();
    expect(await load(`${root.replace('https', 'http')}/logo.png`)).toBeUndefined();
    expect(requests).toBe(before);
  });
});
