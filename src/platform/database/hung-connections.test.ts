import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { HungConnectionMonitor, type ObservedConnection, type ObservedServer } from './hung-connections.ts';

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
  const servers: ObservedServer[] = [
    {
      all: connections,
      async findExecuting() {
        server.lookups += 1;
        await server.respond();
        return server.executing;
      },
    },
  ];
  const monitor = new HungConnectionMonitor({
    servers: () => servers,
    onHung: (backendPid) => hung.push(backendPid),
  });
  monitor.start();
  return { monitor, server, servers, hung };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('HungConnectionMonitor', () => {
  it('closes within two seconds the connection of a statement that the server does not execute', async () => {
    const [hanging, idle] = [connection(1), connection(2)];
    const { hung } = monitorOf(hanging, idle);
    hanging.statement = {};
    await vi.advanceTimersByTimeAsync(900);
    expect(hung).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(hung).toEqual([1]);
    expect([hanging.isDestroyed, idle.isDestroyed]).toEqual([true, false]);
  });

  it('leaves the connection of an executing statement open, and checks again until it hangs', async () => {
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

  it('closes a connection to one server while another does not respond', async () => {
    const [unknown, hanging] = [connection(1), connection(2)];
    const { server, servers, hung } = monitorOf(unknown);
    server.respond = () => new Promise(() => undefined);
    servers.push({ all: [hanging], findExecuting: async () => new Set() });
    unknown.statement = {};
    hanging.statement = {};
    await vi.advanceTimersByTimeAsync(2_000);
    expect(hung).toEqual([2]);
    expect(server.lookups).toBe(1);
  });

  it('does not query the server for statements that end or whose response arrives in parts', async () => {
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

  it('leaves the connection open if the response arrives during the check', async () => {
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

  it('closes a connection only after the maximum duration of a statement if the check fails', async () => {
    const waiting = connection(1);
    const { server } = monitorOf(waiting);
    waiting.statement = {};
    server.respond = () => Promise.reject(new Error('no connection left'));
    await vi.advanceTimersByTimeAsync(34_000);
    expect(waiting.isDestroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(waiting.isDestroyed).toBe(true);
  });

  it('checks nothing after it is stopped', async () => {
    const hanging = connection(1);
    const { monitor, server } = monitorOf(hanging);
    hanging.statement = {};
    monitor.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.lookups).toBe(0);
  });
});
