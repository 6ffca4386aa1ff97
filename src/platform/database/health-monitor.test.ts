import { describe, expect, it } from 'vitest';

import { HealthMonitor, type ProbeConnection, type Availability } from './health-monitor.ts';

/** A server that the test plays. */
function played() {
  const server = {
    open: async (): Promise<ProbeConnection> => ({
      isWritable: () => server.ask(),
      destroy: () => undefined,
    }),
    ask: async (): Promise<boolean> => true,
    answers: 0,
    missed: 0,
  };
  const changes: Availability[] = [];
  const watch = new HealthMonitor({
    open: () => server.open(),
    responseCount: () => server.answers,
    onChange: (reach) => changes.push(reach),
    onUnavailable: () => (server.missed += 1),
  });
  return { server, changes, watch };
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

describe('the watch over the database', () => {
  it('knows a server that falls silent within a second or so, and its return at once', async () => {
    const { server, changes, watch } = played();
    watch.start();
    expect(await watch.probe()).toBe('ok');
    server.ask = never;
    const begun = performance.now();
    await expect.poll(() => watch.availability, { timeout: 10_000, interval: 10 }).toBe('unreachable');
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(server.missed).toBeGreaterThan(0);
    server.ask = async () => true;
    await expect.poll(() => watch.availability, { timeout: 10_000, interval: 10 }).toBe('ok');
    expect(changes).toEqual(['unreachable', 'ok']);
    await watch.stop();
  });

  it('does not take a server for away that answers others, however long its own answer takes', async () => {
    const { server, changes, watch } = played();
    server.ask = never;
    watch.start();
    const others = setInterval(() => (server.answers += 1), 40);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    clearInterval(others);
    expect(changes).toEqual([]);
    await expect.poll(() => watch.availability, { timeout: 10_000 }).toBe('unreachable');
    await watch.stop();
  });

  it('leaves no connection behind that was being opened when it was stopped', async () => {
    const { server, watch } = played();
    const opening = Promise.withResolvers<ProbeConnection>();
    let open = 0;
    server.open = () => opening.promise;
    watch.start();
    const stopped = watch.stop();
    open += 1;
    opening.resolve({ isWritable: async () => true, destroy: () => (open -= 1) });
    await stopped;
    expect(open).toBe(0);
  });

  it('needs two connections that cannot be opened', async () => {
    const { server, changes, watch } = played();
    const { open } = server;
    let openings = 0;
    server.open = () => {
      openings += 1;
      return openings === 1 ? refused('ECONNREFUSED') : open();
    };
    watch.start();
    expect(await watch.probe()).toBe('ok');
    server.open = () => refused('ECONNREFUSED');
    server.ask = () => refused('57P01');
    await expect.poll(() => watch.availability, { timeout: 10_000, interval: 10 }).toBe('unreachable');
    expect(changes).toEqual(['unreachable']);
    await watch.stop();
  });

  it('tells a standby from a primary, and a server without a place for us from one that is gone', async () => {
    const { server, changes, watch } = played();
    watch.start();
    await watch.probe();
    server.ask = async () => false;
    await expect.poll(() => watch.availability, { timeout: 10_000 }).toBe('read-only');
    expect(await watch.probe()).toBe('read-only');
    server.ask = async () => true;
    await expect.poll(() => watch.availability, { timeout: 10_000 }).toBe('ok');
    server.ask = () => refused('57P01');
    server.open = () => refused('53300');
    await expect.poll(() => watch.availability, { timeout: 10_000 }).toBe('full');
    expect(changes).toEqual(['read-only', 'ok', 'full']);
    await watch.stop();
  });
});
