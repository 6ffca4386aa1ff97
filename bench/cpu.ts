import { readdir, readFile } from 'node:fs/promises';

/** Linux counts the processor time of a process in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Processor time in seconds. */
export interface CpuTime {
  readonly gateway: number;
  readonly database: number;
}

interface Entry {
  readonly parent: number;
  readonly database: boolean;
  readonly ticks: number;
}

/**
 * Processor time of a gateway and its child processes, without its database; zeros where /proc is
 * not available.
 */
export async function cpuTime(root: number): Promise<CpuTime> {
  const known = new Map<number, Entry>();
  const entries = await readdir('/proc').catch(() => []);
  await Promise.all(
    entries.map(async (entry) => {
      if (!/^\d+$/.test(entry)) return;
      const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
      // The name, in parentheses, may contain any character.
      const end = stat.lastIndexOf(')');
      const fields = stat.slice(end + 2).split(' ');
      if (fields.length < 15) return;
      // Fields 14 to 17: user and system time, of the process and of its children that have ended.
      // Two fields precede the state.
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      const database = stat.slice(0, end).endsWith('(postgres');
      known.set(Number(entry), { parent: Number(fields[1]), database, ticks });
    }),
  );
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = known.get(at)?.parent) {
      if (at === root) return true;
    }
    return false;
  };
  const sums = { gateway: 0, database: 0 };
  for (const [pid, { database, ticks }] of known) {
    if (belongs(pid)) sums[database ? 'database' : 'gateway'] += ticks / TICKS_A_SECOND;
  }
  return sums;
}

/** Formats the processor time per operation between two moments. */
export function costLine(name: string, before: CpuTime, after: CpuTime, count: number): string {
  const each = (part: keyof CpuTime) => `${(((after[part] - before[part]) / count) * 1e6).toFixed(0)} µs`;
  return `processor time of one ${name}: gateway ${each('gateway')}, database ${each('database')}`;
}
