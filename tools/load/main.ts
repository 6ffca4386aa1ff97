import { errorMessage } from '#platform/kit/errors.ts';
import { createOperations } from './operations.ts';
import { readLoadOptions, USAGE, type LoadOptions } from './options.ts';
import type { Measurement } from './measurements.ts';
import { runPacedLoad, type LiveReport, type LoadResult } from './paced-load.ts';

/** Loads a running sandbox: `npm run load -- --url URL`. */

/** Returns the exit code: 1 if a request failed or was not sent in time. */
async function run(options: LoadOptions): Promise<number> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const operations = createOperations(options);
  try {
    const onSecond = options.json ? () => undefined : (report: LiveReport) => say(liveLine(report));
    const result = await runPacedLoad(options, operations, onSecond, stop.signal);
    if (options.json) say(JSON.stringify(result));
    else for (const line of summary(result)) say(line);
    return isGood(result) ? 0 : 1;
  } finally {
    await operations.close();
  }
}

const isGood = ({ operations, skipped }: LoadResult): boolean =>
  skipped === 0 &&
  operations.length > 0 &&
  operations.every(({ failures }) => Object.keys(failures).length === 0);

function liveLine({ second, isWarmup, operations }: LiveReport): string {
  const cells = operations.map(
    ({ operation, rate, p50, p99, failures }) =>
      `${operation} ${rate.toFixed(0)}/s p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms${failed(failures)}`,
  );
  return `${String(second).padStart(5)} s${isWarmup ? ' (warm-up)' : ''}  ${cells.join(' · ')}`;
}

function failed(failures: Measurement['failures']): string {
  const parts = Object.entries(failures).map(([reason, count]) => `${reason} × ${count}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function summary({ seconds, operations, skipped }: LoadResult): readonly string[] {
  const isLimited = operations.some(({ failures }) => '429' in failures);
  return [
    `\n${seconds.toFixed(0)} s; response times in ms, from the moment a request was due`,
    row(['', 'per second', 'p50', 'p95', 'p99', 'max']),
    ...operations.map(
      ({ operation, rate, p50, p95, p99, max, failures }) =>
        row([operation, ...[rate, p50, p95, p99, max].map((value) => value.toFixed(1))]) + failed(failures),
    ),
    ...(skipped > 0
      ? [`${skipped} requests were not sent, because all connections were busy: raise --connections`]
      : []),
    ...(isLimited
      ? ['429 is the rate limit of the seller: raise its requestsPerMinute, or use more keys']
      : []),
  ];
}

const row = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(12))).join('');

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const args = process.argv.slice(2);
if (args.includes('--help')) {
  say(USAGE);
} else {
  try {
    process.exitCode = await run(readLoadOptions(args, process.env['VEREDA_API_KEY']));
  } catch (error) {
    process.stderr.write(`load: ${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}
