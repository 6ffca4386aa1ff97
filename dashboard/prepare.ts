import { fileURLToPath } from 'node:url';

/**
 * Builds the dashboard after an install. A production install has no build tools: then the gateway
 * serves the existing build, if any.
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
