import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { HungConnectionMonitor, type ObservedConnection } from './hung-connections.ts';

interface TestConnection extends ObservedConnection {
  statement: object | undefined;
  bytesRead: number;
  isDestroyed: boolean;
}

function connection(backendPid: number): TestConnection {
  return {
    backendPid,
    statement: undefined,
    bytesRead: 0,
    isDestroyed: false,
    destroy() {
      this.isDestroyed = true;
      this.statement = undefined;
    },
  };
}

function monitorOf(...connections: readonly TestConnection[]) {
  const server = {
    executing: new Set<number>(),
    lookups: 0,
    respond: async (): Promise<void> => undefined,
  };
  const hung: number[] = [];
  const monitor = new HungConnectionMonitor({
    connections: () => connections,
    async findExecuting() {
      server.lookups += 1;
      await server.respond();
      return server.executing;
    },
    onHung: (backendPid) => hung.push(backendPid),
  });
  monitor.start();
  return { monitor, server, hung };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('HungConnectionMonitor', () => {
  it('a statement that the server does not execute: closes its connection within two seconds', async () => {
    const [hanging, idle] = [connection(1), connection(2)];
    const { hung } = monitorOf(hanging, idle);
    hanging.statement = {};
    await vi.advanceTimersByTimeAsync(900);
    expect(hung).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(hung).toEqual([1]);
    expect([hanging.isDestroyed, idle.isDestroyed]).toEqual([true, false]);
  });

  it('a statement that the server executes: leaves its connection open, and checks again until it hangs', async () => {
    const long = connection(1);
    const { server } = monitorOf(long);
    long.statement = {};
    server.executing.add(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(long.isDestroyed).toBe(false);
    expect(server.lookups).toBeLessThan(40);
    server.executing.clear();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(long.isDestroyed).toBe(true);
  });

  it('statements that end, and responses that arrive in parts: does not query the server', async () => {
    const [busy, reading] = [connection(1), connection(2)];
    const { server } = monitorOf(busy, reading);
    reading.statement = {};
    for (let i = 0; i < 20; i += 1) {
      busy.statement = {};
      reading.bytesRead += 1;
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(server.lookups).toBe(0);
  });

  it('the response arrives during the check: leaves the connection open', async () => {
    const late = connection(1);
    const { server } = monitorOf(late);
    late.statement = {};
    server.respond = async () => {
      late.statement = undefined;
    };
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.lookups).toBe(1);
    expect(late.isDestroyed).toBe(false);
  });

  it('the check fails: closes a connection only after the maximum duration of a statement', async () => {
    const waiting = connection(1);
    const { server } = monitorOf(waiting);
    waiting.statement = {};
    server.respond = () => Promise.reject(new Error('no connection left'));
    await vi.advanceTimersByTimeAsync(34_000);
    expect(waiting.isDestroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(waiting.isDestroyed).toBe(true);
  });

  it('stopped: checks nothing', async () => {
    const hanging = connection(1);
    const { monitor, server } = monitorOf(hanging);
    hanging.statement = {};
    monitor.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.lookups).toBe(0);
  });
});
