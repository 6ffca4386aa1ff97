import { fileURLToPath } from 'node:url';

/**
 * Builds the dashboard after an install. Where only what runs in production was installed there is nothing to build with:
 * then the gateway serves what was built before, or says that nothing was.
 */
const root = fileURLToPath(new URL('.', import.meta.url));

function hasVite(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

if (hasVite()) {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
} else {
  process.stderr.write('The dashboard was not built: its development packages are not installed.\n');
}
