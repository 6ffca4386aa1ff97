import { createServer } from 'node:net';

import { describe, expect, it } from 'vitest';

import { listenLocally } from '#test/support/free-port.ts';
import { findUrlProblem, findWritableUrl, serverUrls } from './server-urls.ts';

/** AuthenticationOk and ReadyForQuery. */
const SIGNED_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

describe('a database URL', () => {
  it('may name several servers', () => {
    const rest = 'gateway?sslmode=verify-full&target_session_attrs=read-write';
    expect(serverUrls(`postgresql://user:p%40ss@one:5432,two,[::1]:5433/${rest}`)).toEqual([
      `postgresql://user:p%40ss@one:5432/${rest}`,
      `postgresql://user:p%40ss@two/${rest}`,
      `postgresql://user:p%40ss@[::1]:5433/${rest}`,
    ]);
    expect(serverUrls('postgresql://one/gateway')).toEqual(['postgresql://one/gateway']);
  });

  it.each([
    'postgresql://user:secret@one:5432,two:5432/gateway?target_session_attrs=read-write',
    'postgres://one,two/gateway',
  ])('%s is accepted', (address) => {
    expect(findUrlProblem(address)).toBeUndefined();
  });

  it.each([
    ['postgresql://user:secret@one:5432,two:port/gateway', 'must be a URL such as'],
    ['postgresql://user:secret@one,/gateway', 'must be a URL such as'],
    ['mysql://user:secret@one,two/gateway', 'must be a URL such as'],
    ['postgresql://user:secret@one,two/gateway?target_session_attrs=standby', 'read-write only'],
    [
      'postgresql://user:secret@one/gateway?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      '(sslrootcert) names /nowhere/ca.pem, which cannot be read (ENOENT)',
    ],
    ['postgresql://user:secret@one/gateway?sslcert=/dev/null', 'names /dev/null, which is not PEM'],
  ])('%s is rejected, and the error contains no password', (address, failure) => {
    expect(findUrlProblem(address)).toContain(failure);
    expect(findUrlProblem(address)).not.toContain('secret');
  });

  it('of servers that accept a connection and then hang is reported', async () => {
    const hanging = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(SIGNED_IN));
    });
    const port = await listenLocally(hanging);
    const host = `127.0.0.1:${port}`;
    await expect(findWritableUrl(`postgresql://user@${host},${host}/gateway`)).rejects.toThrow(
      'the database cannot be used: Query read timeout',
    );
    hanging.close();
  });
});
