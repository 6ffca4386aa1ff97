import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

/**
 * Runs every `check:…` script of package.json, several at a time, and prints the output of each
 * when it ends. Fails if any of them fails. The scripts start in their order, so the slowest come
 * first.
 */
const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  await readFile('package.json', 'utf8'),
);
const waiting = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const failed: string[] = [];

async function run(name: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const started = performance.now();
  await once(child, 'close');
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  process.stdout.write(`${name} ${child.exitCode === 0 ? 'passed' : 'failed'} in ${seconds} s\n${output}`);
  if (child.exitCode !== 0) failed.push(name);
}

async function runNext(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext));
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
