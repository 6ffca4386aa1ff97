import { readFile } from 'node:fs/promises';

import { readReference } from '#test/support/openapi-conformance.ts';
import { fetchOpenApi } from '#test/support/openapi-documents.ts';
import type { Program } from '#test/support/process.ts';

import { faultsOf, faultsOfLine } from './oracle.ts';
import { operationsOf, type Operation } from './operations.ts';
import { plan, type Planned, type PlanOptions } from './requests.ts';
import { MARK } from './values.ts';
import { exchange } from './wire.ts';
import { makeWorld } from './fixtures.ts';

/**
 * Sends many generated requests to a real process and checks every response, and every line of its
 * log.
 */

export interface RunOptions {
  readonly program: Program;
  readonly port: number;
  readonly seed: number;
  readonly requests: number;
  /** The number of the first request: a run can be split. */
  readonly from?: number;
  readonly callbacks?: PlanOptions['callbacks'];
  /** The numbers of requests after which the fixtures are created again. */
  readonly renewEvery?: number;
  /** Ends the run early, after a given time. */
  readonly untilMs?: number;
}

export interface RunResult {
  readonly requests: number;
  readonly statuses: ReadonlyMap<string, number>;
  /** Operations with at least one 2xx response. */
  readonly reached: ReadonlySet<string>;
  readonly operations: number;
  readonly slowestMs: number;
  readonly mostMegabytes: number;
  readonly faults: readonly string[];
}

const AT_ONCE = 12;
const BATCH = 240;
const TIMEOUT_MS = 45_000;
/** Enough to analyze; an unavailable gateway would cause many more. */
const MAX_FAULTS = 40;

export async function runRequests(options: RunOptions): Promise<RunResult> {
  const {
    program,
    port,
    seed,
    from = 0,
    requests,
    callbacks = [],
    renewEvery = 6_000,
    untilMs = Infinity,
  } = options;
  const origin = `http://127.0.0.1:${port}`;
  const document = await fetchOpenApi(origin);
  const reference = readReference({ ...document });
  const operations = operationsOf(document);
  const statuses = new Map<string, number>();
  const reached = new Set<string>();
  const faults: string[] = [];
  let [slowestMs, mostMegabytes, done] = [0, 0, 0];
  let read = program.stdout().length;
  let world = await makeWorld(program.baseUrl, program.demo);

  async function one(planned: Planned): Promise<void> {
    const { method, target, caller, wrong } = planned;
    const how = { port, timeoutMs: TIMEOUT_MS, methods: [method], end: !planned.wellFramed };
    const got = await exchange(planned.pieces, how);
    slowestMs = Math.max(slowestMs, got.ms);
    const [response] = got.responses;
    const status = response === undefined ? 'closed' : String(response.status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status.startsWith('2')) reached.add(`${method} ${templateOf(operations, method, target)}`);
    if (response !== undefined) world.keepCookies(caller, response.headers);
    const found = faultsOf(planned, got, reference, world, origin);
    if (found.length === 0) return;
    faults.push(
      `#${planned.number} ${caller}: ${method} ${target.slice(0, 300)} (${wrong.join(', ')}) ` +
        `in ${Math.round(got.ms)} ms\n  ${found.join('\n  ')}\n` +
        `  answered ${status} ${response?.body.toString().slice(0, 300) ?? ''}\n` +
        `  body ${planned.body?.toString().slice(0, 300) ?? 'none'}`,
    );
  }

  for (let next = from; next < from + requests && Date.now() < untilMs; next += BATCH) {
    if (next > from && (next - from) % renewEvery < BATCH)
      world = await makeWorld(program.baseUrl, program.demo);
    const last = Math.min(next + BATCH, from + requests);
    const numbers = Array.from({ length: last - next }, (_, at) => next + at);
    const work = async (): Promise<void> => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        await one(plan(number, { operations, world, seed, callbacks }));
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const { lines, end } = newLines(program.stdout(), read);
    read = end;
    const forbidden = [MARK, ...world.canaries, ...world.secrets()];
    for (const line of lines) {
      const found = faultsOfLine(line, forbidden);
      if (found.length > 0) faults.push(`the log: ${found.join(', ')}\n  ${line.slice(0, 1_500)}`);
    }
    mostMegabytes = Math.max(mostMegabytes, await residentMegabytes(program.pid));
    if (!program.isAlive()) {
      faults.push(`the process ended:\n${program.stderr().slice(-2_000)}`);
      break;
    }
    if (faults.length >= MAX_FAULTS) break;
    await world.restoreCallers();
  }
  return {
    requests: done,
    statuses,
    reached,
    operations: operations.length,
    slowestMs,
    mostMegabytes,
    faults,
  };
}

/** The complete lines of a text from an offset, and the offset of the next line. */
function newLines(text: string, from: number): { readonly lines: readonly string[]; readonly end: number } {
  const end = text.lastIndexOf('\n') + 1;
  if (end <= from) return { lines: [], end: from };
  return { lines: text.slice(from, end - 1).split('\n'), end };
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** The path template that matches a path; the most specific one if several do. */
function templateOf(operations: readonly Operation[], method: string, target: string): string {
  const parts = (target.split('?')[0] ?? '').split('/');
  const fitting = operations.filter((operation) => {
    const wanted = operation.path.split('/');
    return (
      operation.method === method &&
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  });
  return (
    fitting.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0]?.path ?? 'elsewhere'
  );
}
