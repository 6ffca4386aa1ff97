import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface BenchReceiver {
  readonly url: string;
  /** The path of the certificate to trust. */
  readonly authorityFile: string;
  /** Delays in milliseconds of the events posted to paths that begin with /NAME. */
  delays(name: string): Promise<readonly number[]>;
  /** The number of events: cheap enough to poll during the measurement. */
  count(name: string): Promise<number>;
  stop(): void;
}

/**
 * Starts the receiver in a separate process, so that its event loop does not affect the gateway's.
 */
export async function startReceiver(directory: string): Promise<BenchReceiver> {
  const [key, cert] = [join(directory, 'receiver-key.pem'), join(directory, 'receiver-cert.pem')];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  const child = fork(new URL('receiver-child.ts', import.meta.url), [key, cert]);
  const [{ port }] = await once(child, 'message');
  return {
    url: `https://localhost:${port}`,
    authorityFile: cert,
    async delays(name) {
      child.send({ name, whole: true });
      const [{ delays }] = await once(child, 'message');
      return delays;
    },
    async count(name) {
      child.send({ name, whole: false });
      const [{ count }] = await once(child, 'message');
      return count;
    },
    stop: () => child.kill(),
  };
}
