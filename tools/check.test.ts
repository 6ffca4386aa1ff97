import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

const CHECK = fileURLToPath(new URL('check.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function check(scripts: Readonly<Record<string, string>>) {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts }));
  return promisify(execFile)(process.execPath, [CHECK], { cwd: folder });
}

it('runs every script whose name begins with "check:" and no other', async () => {
  const { stdout } = await check({ 'check:a': 'echo one', 'check:b': 'echo two', build: 'echo three' });
  expect(
    stdout
      .split('\n')
      .filter((line) => ['one', 'two', 'three'].includes(line))
      .toSorted(),
  ).toEqual(['one', 'two']);
});

it('runs all scripts and fails if one of them fails', async () => {
  const scripts = { 'check:a': 'echo wrong && exit 3', 'check:b': 'exit 0', 'check:c': 'echo last' };
  await expect(check(scripts)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/(?=[^]*check:a failed)(?=[^]*wrong)(?=[^]*check:b passed)[^]*last/),
    stderr: 'failed: check:a\n',
  });
});
