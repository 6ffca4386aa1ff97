import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * The long form of the fuzzing: `npm run test:fuzz -- --requests 100000`. Its seed is printed; `--seed` plays the same requests
 * again, and `--from` begins with a later one of them.
 */

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '' },
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
