import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * The long form of the fuzz tests: `npm run test:fuzz -- --requests 100000`. It prints its seed;
 * `--seed` repeats the requests of a run, and `--from` starts with a later one of them.
 */

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: 'random' },
    from: { type: 'string', default: '0' },
  },
});

const child = spawn('vitest', ['run', 'test/fuzz/endpoints.test.ts'], {
  stdio: 'inherit',
  cwd: fileURLToPath(new URL('../../', import.meta.url)),
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed, FUZZ_FROM: values.from },
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
