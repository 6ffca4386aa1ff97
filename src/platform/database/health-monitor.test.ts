import { describe, expect, it, vi } from 'vitest';

import { HealthMonitor, type ProbeConnection, type Availability } from './health-monitor.ts';

/** A server that the test simulates. */
function monitorOfSimulatedServer() {
  const server = {
    open: async (): Promise<ProbeConnection> => ({
      isWritable: () => {
        server.probes += 1;
        return server.isWritable();
      },
      destroy: () => undefined,
    }),
    isWritable: async (): Promise<boolean> => true,
    responses: 0,
    isAwaited: true,
    probes: 0,
    unavailableCalls: 0,
  };
  const changes: Availability[] = [];
  const monitor = new HealthMonitor({
    open: () => server.open(),
    responseCount: () => server.responses,
    isAwaited: () => server.isAwaited,
    onChange: (availability) => changes.push(availability),
    onUnavailable: () => (server.unavailableCalls += 1),
  });
  return { server, changes, monitor };
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('HealthMonitor', () => {
  it('reports within about a second that the server stops responding, and that it returns', async () => {
    const { server, changes, monitor } = monitorOfSimulatedServer();
    monitor.start();
    expect(await monitor.probe()).toBe('ok');
    server.isWritable = never;
    const startedAt = performance.now();
    await expect.poll(() => monitor.availability, { timeout: 10_000, interval: 10 }).toBe('unreachable');
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(server.unavailableCalls).toBeGreaterThan(0);
    server.isWritable = async () => true;
    await expect.poll(() => monitor.availability, { timeout: 10_000, interval: 10 }).toBe('ok');
    expect(changes).toEqual(['unreachable', 'ok']);
    await monitor.stop();
  });

  it('keeps the server available until statements other than the probe get no response', async () => {
    const { server, changes, monitor } = monitorOfSimulatedServer();
    server.isWritable = never;
    monitor.start();
    const others = setInterval(() => (server.responses += 1), 40);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    clearInterval(others);
    expect(changes).toEqual([]);
    await expect.poll(() => monitor.availability, { timeout: 10_000 }).toBe('unreachable');
    await monitor.stop();
  });

  it('probes once a second while nobody waits, and four times a second while callers do', async () => {
    vi.useFakeTimers();
    const { server, monitor } = monitorOfSimulatedServer();
    server.isAwaited = false;
    monitor.start();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(server.probes).toBe(5);
    server.isAwaited = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.probes).toBe(25);
    await monitor.stop();
    vi.useRealTimers();
  });

  it('destroys a connection that is being opened when it is stopped', async () => {
    const { server, monitor } = monitorOfSimulatedServer();
    const opening = Promise.withResolvers<ProbeConnection>();
    let open = 0;
    server.open = () => opening.promise;
    monitor.start();
    const stopped = monitor.stop();
    open += 1;
    opening.resolve({ isWritable: async () => true, destroy: () => (open -= 1) });
    await stopped;
    expect(open).toBe(0);
  });

  it('reports the server as unreachable after two connections could not be opened', async () => {
    const { server, changes, monitor } = monitorOfSimulatedServer();
    const { open } = server;
    let openings = 0;
    server.open = () => {
      openings += 1;
      return openings === 1 ? refused('ECONNREFUSED') : open();
    };
    monitor.start();
    expect(await monitor.probe()).toBe('ok');
    server.open = () => refused('ECONNREFUSED');
    server.isWritable = () => refused('57P01');
    await expect.poll(() => monitor.availability, { timeout: 10_000, interval: 10 }).toBe('unreachable');
    expect(changes).toEqual(['unreachable']);
    await monitor.stop();
  });

  it('reports a standby as read-only, and a server without free connections as full', async () => {
    const { server, changes, monitor } = monitorOfSimulatedServer();
    monitor.start();
    await monitor.probe();
    server.isWritable = async () => false;
    await expect.poll(() => monitor.availability, { timeout: 10_000 }).toBe('read-only');
    expect(await monitor.probe()).toBe('read-only');
    server.isWritable = async () => true;
    await expect.poll(() => monitor.availability, { timeout: 10_000 }).toBe('ok');
    server.isWritable = () => refused('57P01');
    server.open = () => refused('53300');
    await expect.poll(() => monitor.availability, { timeout: 10_000 }).toBe('full');
    expect(changes).toEqual(['read-only', 'ok', 'full']);
    await monitor.stop();
  });
});
