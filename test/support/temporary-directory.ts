import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const NEEDED_BYTES = 8 * 2 ** 30;

/**
 * The directory of temporary files: in memory where there is enough, since the tests create
 * hundreds of databases.
 */
export function temporaryDirectory(): string {
  if (process.env['TMPDIR'] !== undefined || process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
