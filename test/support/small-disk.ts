import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A tmpfs of the given size in megabytes. */
export interface SmallDisk {
  readonly directory: string;
  /** Fills the remaining space. */
  fill(): Promise<void>;
  /** Frees the space that `fill` used. */
  free(): Promise<void>;
  /** All processes that use it must have ended. */
  remove(): Promise<void>;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'gateway-test', directory]);
  } catch (error) {
    await rmdir(directory);
    throw error;
  }
  const ballast = join(directory, 'ballast');
  return {
    directory,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        // Writes smaller and smaller chunks until no page is free.
        for (let size = 2 ** 20; size >= 4096; size /= 2) await writeUntilFull(file, Buffer.alloc(size));
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      // The supervisor of a server may outlive it for a moment.
      for (let attempt = 1; ; attempt += 1) {
        try {
          await run('umount', [directory]);
          break;
        } catch (error) {
          if (attempt === 50) throw error;
          await sleep(100);
        }
      }
      await rmdir(directory);
    },
  };
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      const { bytesWritten } = await file.write(piece);
      if (bytesWritten < piece.length) return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}

/** Whether a tmpfs can be mounted: requires root, and containers may forbid it. */
export async function maySmallDisksBeMounted(): Promise<boolean> {
  try {
    const disk = await mountSmallDisk(1);
    await disk.remove();
    return true;
  } catch {
    return false;
  }
}
