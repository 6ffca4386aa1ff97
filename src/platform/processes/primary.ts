import cluster, { type Worker as Child } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { AggregatorRegistry } from 'prom-client';

import type { Logger } from '#platform/kit/log.ts';
import type { ChildMessage, PrimaryMessage, Metrics } from './messages.ts';
import { createRateServer } from './rates.ts';

/** A process that keeps ending is started again at most so often. */
const RESTART_DELAY_MS = 1_000;
const METRICS_DEADLINE_MS = 1_000;

export interface ProcessesOptions {
  readonly count: number;
  readonly log: Logger;
  /** A child wrote deliveries. */
  readonly notifyWorker: () => void;
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
  const { count, log, notifyWorker, ownMetrics } = options;
  const countRates = createRateServer();
  const children = new Set<Child>();
  const pendingMetrics = new Map<number, (metrics: Metrics) => void>();
  let lastId = 0;
  let stopping = false;

  async function requestMetrics(child: Child): Promise<Metrics> {
    lastId += 1;
    const id = lastId;
    try {
      return await new Promise<Metrics>((resolve) => {
        pendingMetrics.set(id, resolve);
        send(child, { kind: 'own-metrics', id });
        // One that is busy or has just ended is left out.
        setTimeout(() => resolve([]), METRICS_DEADLINE_MS).unref();
      });
    } finally {
      pendingMetrics.delete(id);
    }
  }

  async function handleMessage(child: Child, message: ChildMessage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return;
      case 'deliveries':
        notifyWorker();
        return;
      case 'rates':
        send(child, { kind: 'rates', id: message.id, results: await countRates(message.calls) });
        return;
      case 'own-metrics':
        pendingMetrics.get(message.id)?.(message.metrics);
        return;
      case 'metrics': {
        const all = await Promise.all([ownMetrics(), ...Array.from(children, requestMetrics)]);
        const text = await AggregatorRegistry.aggregate(all).metrics();
        send(child, { kind: 'metrics', id: message.id, text });
      }
    }
  }

  /** Resolves when the process serves. */
  function startChild(): Promise<void> {
    const child = cluster.fork();
    children.add(child);
    return new Promise((resolve, reject) => {
      child.on('message', (message: ChildMessage) => {
        if (message.kind === 'ready') resolve();
        handleMessage(child, message).catch((err: unknown) =>
          log.error({ err }, 'a process was not answered'),
        );
      });
      child.once('exit', (code, signal) => {
        children.delete(child);
        reject(new Error('a process of the API ended before it served'));
        if (stopping) return;
        log.error(
          { pid: child.process.pid, code, signal },
          'a process of the API has ended and is started again',
        );
        void restart();
      });
    });
  }

  async function restart(): Promise<void> {
    await sleep(RESTART_DELAY_MS);
    // Where it does not serve, its end has been told and the next round follows from it.
    if (!stopping) await startChild().catch(() => undefined);
  }

  async function stop(drainMs: number): Promise<void> {
    stopping = true;
    await Promise.all(
      Array.from(children, async (child) => {
        const ended = once(child, 'exit');
        send(child, { kind: 'stop', drainMs });
        await ended;
      }),
    );
  }

  const started = await Promise.allSettled(Array.from({ length: count }, startChild));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop(0);
    throw failed.reason;
  }
  return { stop };
}

function send(child: Child, message: PrimaryMessage): void {
  if (child.isConnected()) child.send(message);
}
