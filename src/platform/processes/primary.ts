import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { AggregatorRegistry } from 'prom-client';

import type { Logger } from '#platform/kit/log.ts';
import type { FromChild, FromPrimary, Metrics } from './messages.ts';
import { rateServer } from './rates.ts';

/** A process that keeps ending is started again at most so often. */
const RESTART_MS = 1_000;
const METRICS_DEADLINE_MS = 1_000;

export interface ProcessesOptions {
  readonly count: number;
  readonly log: Logger;
  /** A child wrote deliveries. */
  readonly onDeliveries: () => void;
  /** What this process itself measures. */
  readonly ownMetrics: () => Promise<Metrics>;
}

export interface Processes {
  /** Asks all to go on serving for so long, then to finish what is under way, and waits for them. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Starts processes that serve one port together, and starts one again that ends by itself. They share what must be one: the
 * counts of rates and the metrics. Resolves when all serve; fails when one ends before that.
 */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { count, log, onDeliveries, ownMetrics } = options;
  const countRates = rateServer();
  const children = new Set<Child>();
  const gathering = new Map<number, (metrics: Metrics) => void>();
  let last = 0;
  let stopping = false;

  async function metricsOf(child: Child): Promise<Metrics> {
    last += 1;
    const id = last;
    try {
      return await new Promise<Metrics>((resolve) => {
        gathering.set(id, resolve);
        tell(child, { kind: 'own-metrics', id });
        // One that is busy or has just ended is left out.
        setTimeout(() => resolve([]), METRICS_DEADLINE_MS).unref();
      });
    } finally {
      gathering.delete(id);
    }
  }

  async function hear(child: Child, message: FromChild): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return;
      case 'deliveries':
        onDeliveries();
        return;
      case 'rates':
        tell(child, { kind: 'rates', id: message.id, answers: await countRates(message.calls) });
        return;
      case 'own-metrics':
        gathering.get(message.id)?.(message.metrics);
        return;
      case 'metrics': {
        const all = await Promise.all([ownMetrics(), ...Array.from(children, metricsOf)]);
        const text = await AggregatorRegistry.aggregate(all).metrics();
        tell(child, { kind: 'metrics', id: message.id, text });
      }
    }
  }

  /** Resolves when the process serves. */
  function start(): Promise<void> {
    const child = cluster.fork();
    children.add(child);
    return new Promise((resolve, reject) => {
      child.on('message', (message: FromChild) => {
        if (message.kind === 'ready') resolve();
        hear(child, message).catch((err: unknown) => log.error({ err }, 'a process was not answered'));
      });
      child.once('exit', (code, signal) => {
        children.delete(child);
        reject(new Error('a process of the API ended before it served'));
        if (stopping) return;
        log.error(
          { pid: child.process.pid, code, signal },
          'a process of the API has ended and is started again',
        );
        void again();
      });
    });
  }

  async function again(): Promise<void> {
    await sleep(RESTART_MS);
    // Where it does not serve, its end has been told and the next round follows from it.
    if (!stopping) await start().catch(() => undefined);
  }

  async function stop(drainMs: number): Promise<void> {
    stopping = true;
    await Promise.all(
      Array.from(children, async (child) => {
        const ended = once(child, 'exit');
        tell(child, { kind: 'stop', drainMs });
        await ended;
      }),
    );
  }

  const started = await Promise.allSettled(Array.from({ length: count }, start));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop(0);
    throw failed.reason;
  }
  return { stop };
}

function tell(child: Child, message: FromPrimary): void {
  if (child.isConnected()) child.send(message);
}
