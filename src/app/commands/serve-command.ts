import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { banner } from '#app/banner.ts';
import { checkAdminPassword, readConfig, type Config } from '#app/config.ts';
import { startGateway } from '#app/gateway.ts';
import { migrate } from '#platform/database/migrate.ts';
import { armFailPoint } from '#platform/kit/fail-points.ts';
import { createLogger } from '#platform/kit/log.ts';
import { standardOutput } from '#platform/kit/standard-output.ts';
import { describeTarget, startOrConnect } from './database-server.ts';
import { printError, printFatal } from './output.ts';

/**
 * A shutdown that takes longer exits with an error, so that a supervisor can restart the gateway.
 */
const STOP_DEADLINE_MS = 4_500;

/** How long the last lines wait for a slow reader of standard output. */
const LAST_LINES_MS = 200;

interface ServeOptions {
  readonly api: boolean;
  readonly worker: boolean;
}

/** Serves until a signal stops the process. Accepts no arguments. */
export async function serve(args: readonly string[], options: ServeOptions): Promise<void> {
  parseArgs({ args: [...args] });
  // Node prints deprecations in libraries as text, which is noise to operators.
  process.noDeprecation = true;
  const config = readConfig(process.env);
  await checkAdminPassword(config);
  armFailPoint(config);
  const log = createLogger(config.logLevel);
  // A worker serves no requests, so it has nothing to drain.
  const stopRequested = stopSignal(options.api ? config.drainSeconds : 0);
  for (const warning of config.warnings) printError(`warning: ${warning}`);
  const database = await startOrConnect(config, log);
  announce(config, describeTarget(config, database.url));
  try {
    await migrate(database.url, { log });
    const { api, worker } = options;
    const gateway = await startGateway({ config, databaseUrl: database.url, log, api, worker });
    announce(config, `Vereda is running (${config.mode})`, () => banner(config, options, gateway.demo));
    const stop = await Promise.race([stopRequested, database.ended.finally(() => exitAfterDeadline(0))]);
    const drainMs = stop instanceof Error ? 0 : stop.drainMs;
    gateway.drain();
    if (drainMs > 0) log.info({ seconds: drainMs / 1000 }, 'draining');
    if (!(stop instanceof Error)) await stop.drained();
    await gateway.stop();
    if (stop instanceof Error) throw stop;
  } finally {
    await database.stop();
  }
  log.info('stopped');
  await standardOutput().drained(LAST_LINES_MS);
  exitImmediately();
}

/**
 * Prints a line of the start, whatever the log level. Outside the sandbox each line of the output
 * is JSON; the sandbox prints text.
 */
function announce({ mode }: Config, line: string, text = () => `${line}\n`): void {
  if (mode === 'sandbox') process.stdout.write(text());
  else createLogger('info').info(line);
}

/**
 * Exits although traces that were not accepted or a pending DNS lookup of a webhook receiver would
 * keep the process alive for seconds.
 */
function exitImmediately(): void {
  process.exit();
}

interface Stop {
  /**
   * Drain time: the gateway still serves while load balancers detect that it is stopping.
   */
  readonly drainMs: number;
  /** Resolves after that time, or at an interrupt. */
  drained(): Promise<unknown>;
}

/**
 * Resolves at the first signal to stop: SIGTERM or SIGHUP. SIGINT (Ctrl-C) stops at once and ends a
 * drain. Further signals change nothing, because npm and the terminal both send one. The deadline
 * runs from the signal, so that it also covers a start that hangs.
 */
function stopSignal(drainSeconds: number): Promise<Stop> {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<void>();
  return new Promise((resolve) => {
    process.on('SIGINT', () => {
      exitAfterDeadline(0);
      interrupt();
      resolve({ drainMs: 0, drained: () => interrupted });
    });
    const stop = () => {
      const drainMs = drainSeconds * 1000;
      exitAfterDeadline(drainMs);
      resolve({
        drainMs,
        drained: () => Promise.race([sleep(drainMs, undefined, { ref: false }), interrupted]),
      });
    };
    process.on('SIGTERM', stop);
    // Sent when a terminal closes.
    process.on('SIGHUP', stop);
  });
}

function exitAfterDeadline(drainMs: number): void {
  setTimeout(() => {
    printFatal('the shutdown took too long and was aborted');
    process.exit(1);
  }, drainMs + STOP_DEADLINE_MS).unref();
}
