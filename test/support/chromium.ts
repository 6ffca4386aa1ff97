import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { chromium, type Browser } from 'playwright-core';

/** The installed Chromium. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    // Chromium's sandbox does not work as root, and it opens only pages of the tests.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

async function chromiumPath(): Promise<string> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') return given;
  const { stdout } = await promisify(execFile)('which', ['chromium']).catch(() => ({ stdout: '' }));
  if (stdout.trim() === '')
    throw new Error('this test needs Chromium: set CHROMIUM_PATH or install chromium');
  return stdout.trim();
}
