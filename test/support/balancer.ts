import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '#test/support/free-port.ts';
import { sleep } from '#test/support/process.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const START_DEADLINE_MS = 10_000;
/** Debian's and most others' user that owns nothing. */
const NOBODY = 65_534;

const PROGRAMS = {
  nginx: { file: 'nginx.conf', args: (path: string) => ['-e', 'stderr', '-c', path] },
  haproxy: { file: 'haproxy.cfg', args: (path: string) => ['-W', '-db', '-f', path] },
} as const;

export type BalancerName = keyof typeof PROGRAMS;

/** A load balancer in front of two gateways. */
export interface Balancer {
  readonly origin: string;
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * Starts a load balancer with its configuration in `deploy/`, as an ordinary user. Only the
 * addresses and the directory of temporary files are replaced.
 */
export async function startBalancer(
  name: BalancerName,
  [first, second]: readonly [number, number],
): Promise<Balancer> {
  const { file, args } = PROGRAMS[name];
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'gateway-balancer-'));
  await chmod(directory, 0o755);
  const isRoot = process.getuid?.() === 0;
  const run = join(directory, 'run');
  await mkdir(run);
  if (isRoot) await chown(run, NOBODY, NOBODY);
  const text = (await readFile(join(DEPLOY, file), 'utf8'))
    .replaceAll('gateway-1:8080', `127.0.0.1:${first}`)
    .replaceAll('gateway-2:8080', `127.0.0.1:${second}`)
    .replace(/^(\s*listen )8080;/m, `$1127.0.0.1:${port};`)
    .replace(/^(\s*bind ):8080$/m, `$1127.0.0.1:${port}`)
    .replaceAll('/tmp/', `${run}/`);
  const path = join(directory, file);
  await writeFile(path, text);
  const child = spawn(name, args(path), {
    cwd: '/',
    // Debian's nginx and haproxy are where ordinary users have no path to.
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  child.on('error', (error) => (output += error.message));
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const balancer = {
    origin,
    baseUrl: `${origin}/v1`,
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline && child.pid !== undefined && child.exitCode === null) {
    const health = await fetch(`${balancer.baseUrl}/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return balancer;
    await sleep(20);
  }
  await balancer.close();
  throw new Error(`${name} does not serve (apt-get install nginx-light haproxy); it said:\n${output}`);
}
