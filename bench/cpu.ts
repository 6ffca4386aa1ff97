import { readdir, readFile } from 'node:fs/promises';

/** Linux counts the processor time of a process in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Processor seconds used so far by a process and all that it started, directly or not; 0 where the system does not tell. */
export async function cpuSeconds(root: number): Promise<number> {
  const known = new Map<number, { readonly parent: number; readonly ticks: number }>();
  const entries = await readdir('/proc').catch(() => []);
  await Promise.all(
    entries.map(async (entry) => {
      if (!/^\d+$/.test(entry)) return;
      const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
      // The name, in parentheses, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields.length < 13) return;
      // State, parent, …; user and system time, and those of children that have ended, are numbers 14 to 17.
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      known.set(Number(entry), { parent: Number(fields[1]), ticks });
    }),
  );
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = known.get(at)?.parent) {
      if (at === root) return true;
    }
    return false;
  };
  let ticks = 0;
  for (const [pid, one] of known) if (belongs(pid)) ticks += one.ticks;
  return ticks / TICKS_A_SECOND;
}
