import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { SlowestFirst } from './test/support/sequencer.ts';
import { temporaryDirectory } from './test/support/temporary-directory.ts';

process.env['TMPDIR'] = temporaryDirectory();

/** Files that mock a module: they need a module graph of their own. */
const MOCKING = ['test/flows/identity/sign-in-load.test.ts'];

/** Waits for a minute. `server.test.ts` covers the same rule with a shorter time. */
const LONG = process.env['FAULTS'] === 'long' ? [] : ['test/faults/stalled-readers.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // Short-lived objects of many requests are collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // Many tests wait for clocks, processes and deadlines, and leave the cores to one more worker.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    // A second, the default, is short on a loaded machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    // Many tests wait for browsers, processes and clocks, which a loaded machine delays.
    retry: process.env['CI'] === 'true' ? 1 : 0,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: [
            'src/**/*.test.ts',
            'packages/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: [...MOCKING, ...LONG],
          // The files of a worker share loaded and compiled modules, which saves a second for each
          // gateway test.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING } },
    ],
  },
});
