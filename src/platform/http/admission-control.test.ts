import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { AdmissionController, releaseCapacity } from './admission-control.ts';
import { createServer } from './server.ts';

/** Admission control whose requests the test answers. */
function admissionControl() {
  const state = { databaseWaitMs: 0, refused: 0 };
  const served: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  const admission = new AdmissionController(
    { databaseWaitMs: () => state.databaseWaitMs, onRejected: () => (state.refused += 1) },
    (_request, response) => response.writeHead(503).end(),
  );
  const enter = admission.wrap((request, response) => served.push({ request, response }));
  admissions.push(admission);
  const ask = (url = '/v1/transactions'): void => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    request.complete = true;
    enter(request, new ServerResponse(request));
  };
  /** Sends a request whose body never arrives. */
  const requestWithSlowBody = (url = '/v1/login') => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    request.headers = { 'content-length': '9' };
    const response = new ServerResponse(request);
    enter(request, response);
    return { request, response };
  };
  return {
    admission,
    state,
    served,
    ask,
    requestWithSlowBody,
    requestMany: (times: number) => {
      for (let time = 0; time < times; time += 1) ask();
    },
    respond: () => {
      const first = served.shift();
      first?.response.end();
      first?.response.emit('close');
    },
  };
}

const admissions: AdmissionController[] = [];
afterEach(() => {
  for (const admission of admissions.splice(0)) admission.stop();
});

describe('admission control', () => {
  it('admits requests up to its limit, and queued ones in order as capacity is freed', () => {
    const { admission, served, requestMany, respond } = admissionControl();
    requestMany(193);
    expect([admission.inFlight, served.length]).toEqual([192, 192]);
    respond();
    expect([admission.inFlight, served.length]).toEqual([192, 192]);
  });

  it('refuses requests if the queue is full, and always admits probes', () => {
    const { state, served, ask, requestMany } = admissionControl();
    requestMany(192 + 1_000);
    expect(state.refused).toBe(0);
    ask();
    expect(state.refused).toBe(1);
    ask('/v1/health');
    ask('/v1/health/live');
    ask('/metrics');
    expect([state.refused, served.length]).toEqual([1, 195]);
  });

  it('refuses requests that have waited too long, sooner the longer the queue has existed', () => {
    const { admission, state, requestMany } = admissionControl();
    requestMany(192 + 10);
    const now = performance.now();
    admission.adjustLimit(now + 900);
    expect(state.refused).toBe(0);
    admission.adjustLimit(now + 1_100);
    expect(state.refused).toBe(10);
  });

  it('shortens a queue that has existed for a second and exceeds the requests in progress', async () => {
    const { admission, state, requestMany } = admissionControl();
    state.databaseWaitMs = 400;
    const asked = performance.now();
    requestMany(192 + 400);
    // The first one waits forever: no request completes, and the queue is never empty.
    const begun = performance.now();
    admission.adjustLimit(asked + 950);
    expect(state.refused).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    requestMany(400);
    admission.adjustLimit(begun + 1_010);
    expect(state.refused).toBeGreaterThanOrEqual(400);
  });

  it('admits fewer requests while the database is slow, and more when it recovers', () => {
    const { admission, state, requestMany, respond } = admissionControl();
    requestMany(192);
    state.databaseWaitMs = 400;
    let now = performance.now();
    const look = () => admission.adjustLimit((now += 50));
    for (let count = 0; count < 10; count += 1) look();
    expect(admission.limit).toBe(32);
    state.databaseWaitMs = 0;
    for (let count = 0; count < 192; count += 1) respond();
    for (let count = 0; count < 25; count += 1) look();
    expect(admission.limit).toBe(192);
  });

  it('admits more requests while all wait for other services, up to a bound', () => {
    const { admission, requestMany } = admissionControl();
    let now = performance.now();
    for (let count = 0; count < 60; count += 1) {
      requestMany(50);
      admission.adjustLimit((now += 50));
    }
    expect(admission.limit).toBe(1_000);
    expect(admission.inFlight).toBe(1_000);
  });

  it('ignores one long iteration of the event loop, and reacts to several', () => {
    const { admission, requestMany } = admissionControl();
    requestMany(192);
    let now = performance.now();
    admission.adjustLimit((now += 400));
    expect(admission.limit).toBe(192);
    admission.adjustLimit((now += 400));
    expect(admission.limit).toBeLessThan(192);
  });

  it('counts no request that waits for another service, and none twice', () => {
    const { admission, served, ask, respond } = admissionControl();
    ask();
    const [first] = served;
    if (first === undefined) throw new Error('no request was admitted');
    releaseCapacity(first.request);
    expect(admission.inFlight).toBe(0);
    respond();
    expect(admission.inFlight).toBe(0);
  });

  it('counts a request of a disconnected caller until it ends', () => {
    const { admission, served, ask } = admissionControl();
    ask();
    served[0]?.response.emit('close');
    expect(admission.inFlight).toBe(1);
    served[0]?.response.end();
    admission.adjustLimit(performance.now() + 50);
    expect(admission.inFlight).toBe(0);
  });
});

describe('samples of the load', () => {
  it('are taken only while there are requests', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { ask, respond } = admissionControl();
      expect(vi.getTimerCount()).toBe(0);
      for (let round = 0; round < 2; round += 1) {
        ask();
        vi.advanceTimersByTime(100);
        expect(vi.getTimerCount()).toBe(1);
        respond();
        vi.advanceTimersByTime(50);
        expect(vi.getTimerCount()).toBe(0);
      }
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a slow request body', () => {
  it('is read without taking capacity, and is queued when complete', () => {
    const { admission, served, requestWithSlowBody, requestMany, respond } = admissionControl();
    const { request, response } = requestWithSlowBody();
    expect(admission.inFlight).toBe(1);
    admission.adjustLimit(performance.now());
    expect([admission.inFlight, admission.slowBodies]).toEqual([0, 1]);
    requestMany(192);
    const outcomes: boolean[] = [];
    admission.onBodyRead(request, response, (refused) => outcomes.push(refused));
    expect([outcomes, admission.inFlight, admission.slowBodies]).toEqual([[], 192, 0]);
    expect(served.shift()?.request).toBe(request);
    respond();
    expect([outcomes, admission.inFlight]).toEqual([[false], 192]);
    response.end();
    response.emit('close');
    expect(admission.inFlight).toBe(191);
  });

  it('is refused if no capacity becomes free in time', () => {
    const { admission, state, requestWithSlowBody, requestMany } = admissionControl();
    const { request, response } = requestWithSlowBody();
    admission.adjustLimit(performance.now());
    requestMany(192);
    const outcomes: boolean[] = [];
    admission.onBodyRead(request, response, (refused) => outcomes.push(refused));
    admission.adjustLimit(performance.now() + 1_100);
    expect([outcomes, state.refused]).toEqual([[true], 1]);
  });

  it('is disconnected when a thousand are being read and another arrives', () => {
    const { admission, state, requestWithSlowBody } = admissionControl();
    const all: IncomingMessage[] = [];
    for (let count = 0; count < 1_002; count += 1) {
      all.push(requestWithSlowBody().request);
      admission.adjustLimit(performance.now());
    }
    expect([admission.inFlight, admission.slowBodies, state.refused]).toEqual([0, 1_000, 2]);
    expect(all.map(({ socket }) => socket.destroyed).indexOf(false)).toBe(2);
  });

  it('does not block other requests', async () => {
    // A wait that neither increases nor decreases the limit.
    const admission = { databaseWaitMs: () => 100, onRejected: vi.fn<() => void>() };
    const app = createServer(pino({ level: 'silent' }), { admission });
    app.post('/login', async ({ body }) => ({ body }));
    app.get('/quick', async () => ({ quick: true }));
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(base).port);
    const head = 'POST /login HTTP/1.1\r\nhost: a\r\nconnection: close\r\n';
    const connections = () =>
      new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
    const slow: Socket[] = [];
    try {
      while (slow.length < 500) {
        for (let count = 0; count < 100; count += 1) {
          const socket = connect(port, '127.0.0.1');
          socket.write(`${head}content-type: application/json\r\ncontent-length: 7\r\n\r\n{"a"`);
          slow.push(socket);
        }
        await vi.waitFor(async () => expect(await connections()).toBeGreaterThanOrEqual(slow.length), 10_000);
        expect((await fetch(`${base}/quick`)).status).toBe(200);
      }
      // In batches of the number of requests that are always admitted.
      for (let from = 0; from < slow.length; from += 25) {
        const some = slow.slice(from, from + 25);
        const responses = some.map((socket) => text(socket));
        for (const socket of some) socket.write(':1}');
        for (const respond of await Promise.all(responses)) expect(respond).toContain('{"body":{"a":1}}');
      }
      expect(admission.onRejected).not.toHaveBeenCalled();
    } finally {
      for (const socket of slow) socket.destroy();
      await app.close();
    }
  }, 60_000);
});
