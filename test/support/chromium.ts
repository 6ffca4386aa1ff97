import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { chromium, type Browser } from 'playwright-core';

/** The installed Chromium; the headless build if available, which needs half the time. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    // A test ends before the optimizing compilers have saved the time that they take.
    args: [
      '--disable-gpu',
      '--in-process-gpu',
      '--js-flags=--no-maglev,--no-turbofan',
      // Chromium's sandbox does not work as root, and it opens only pages of the tests.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

async function chromiumPath(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') return given;
  const found = await promisify(execFile)('sh', [
    '-c',
    'command -v chromium-headless-shell || command -v chromium',
  ]).catch(() => ({ stdout: '' }));
  const path = found.stdout.trim();
  if (path === '')
    throw new Error('this test needs Chromium: set CHROMIUM_PATH or install chromium-headless-shell');
  return path;
}
