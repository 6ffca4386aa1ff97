import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const BENCH = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));

describe('npm run bench', () => {
  it('still runs: creations against the baseline, with small numbers', { timeout: 120_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [BENCH, 'create', '--smoke']);
    expect(stdout).toMatch(/^ *median +\d+ +\d+ +\d+\.\d\d$/m);
    expect(stdout).toMatch(/^creation of one idle caller: p50 \d+\.\d ms$/m);
  });

  it('refuses a name it does not know', async () => {
    const run = promisify(execFile)(process.execPath, [BENCH, 'nothing']);
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('NAME is one of') });
  });
});
