import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { Load } from './load.ts';
import { seedOfRun } from './seed.ts';
import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import { makePlace, sleep, type Place, type Program } from '#test/support/process.ts';

const READERS = 5;
/** Enough large documents to fill the buffers of a connection. */
const REQUESTS_PER_READER = 40;
/** A response without progress is cut after 60 s. A loaded machine fills the buffers later. */
const CUT_AFTER_MS = 75_000;

let database: TestDatabase;
let place: Place;
let program: Program;
beforeAll(async () => {
  database = await cloneDatabase();
  place = await makePlace({ DATABASE_URL: database.url, MODE: 'sandbox' });
  program = await place.start();
  await database.query('UPDATE sellers SET requests_per_minute = 1000000, creations_per_minute = 1000000');
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

/** Requests many large documents and reads nothing of the responses. */
async function stallOnDocuments(): Promise<Socket> {
  const socket = connect(place.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const request = 'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n';
  const last = `${request}connection: close\r\n\r\n`;
  socket.write(`${request}\r\n`.repeat(REQUESTS_PER_READER - 1) + last);
  return socket.pause();
}

/**
 * Reads what the gateway has sent, and returns the number of responses before the connection ended.
 */
async function readToEnd(socket: Socket): Promise<number> {
  let responses = 0;
  socket.on(
    'data',
    (chunk: Buffer) => (responses += chunk.toString('latin1').split('HTTP/1.1 200').length - 1),
  );
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return responses;
}

it('closes stalled responses, and serves other clients', { timeout: 120_000 }, async () => {
  const load = await Load.prepare({ demo: program.demo, sellers: 2, seed: seedOfRun() });
  const readers = await Promise.all(Array.from({ length: READERS }, stallOnDocuments));
  let isOver = false;
  const callers = load.drive(1, () => isOver);
  await sleep(CUT_AFTER_MS);
  isOver = true;
  await callers;

  const responses = await Promise.all(readers.map(readToEnd));
  expect(Math.max(...responses)).toBeLessThan(REQUESTS_PER_READER);
  expect(load.slowestMs).toBeLessThan(5_000);
  expect(await load.differences()).toEqual([]);
});
