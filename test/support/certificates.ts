import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Files of a test certificate authority: a server certificate for localhost and a client
 * certificate.
 */
export interface Certificates {
  readonly ca: string;
  readonly serverCert: string;
  readonly serverKey: string;
  readonly clientCert: string;
  readonly clientKey: string;
  /** The content of one file. */
  read(path: string): Promise<string>;
  remove(): Promise<void>;
}

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export async function makeCertificates(): Promise<Certificates> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-certificates-'));
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: directory });
  const at = (name: string) => join(directory, name);
  await openssl(
    'req',
    '-x509',
    ...EC_KEY,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=authority',
    '-days',
    '2',
  );
  const issue = async (name: string, extensions: string) => {
    await openssl('req', ...EC_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    await writeFile(at(`${name}.ext`), extensions);
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2'];
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.pem`,
      '-extfile',
      `${name}.ext`,
      ...authority,
    );
  };
  await issue('server', 'subjectAltName = DNS:localhost, IP:127.0.0.1\n');
  await issue('client', 'extendedKeyUsage = clientAuth\n');
  return {
    ca: at('ca.pem'),
    serverCert: at('server.pem'),
    serverKey: at('server.key'),
    clientCert: at('client.pem'),
    clientKey: at('client.key'),
    read: (path) => readFile(path, 'utf8'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
