import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The oldest version that the packages support, if it is installed beside the one of the tests. */
export async function findNode20(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const command = join(folder, 'node');
    const ran = await promisify(execFile)(command, ['--version']).catch(() => ({ stdout: '' }));
    if (ran.stdout.startsWith('v20.')) return command;
  }
  return undefined;
}
