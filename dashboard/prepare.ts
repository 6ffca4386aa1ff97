import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { build as viteBuild } from 'vite';

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

/** One classic script for the payment page, and one for sites that embed it. */
async function buildPaymentPage(build: typeof viteBuild): Promise<void> {
  for (const [entry, fileName] of [
    ['main.ts', 'payment.js'],
    ['checkout.ts', 'checkout.js'],
  ] as const) {
    await build({
      root,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      build: {
        outDir: join(root, 'dist/payment'),
        emptyOutDir: false,
        lib: {
          entry: join(root, 'payment-page', entry),
          formats: ['iife'],
          name: 'vereda',
          fileName: () => fileName,
        },
      },
    });
  }
}

if (hasVite()) {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await buildPaymentPage(build);
} else {
  process.stderr.write('The dashboard was not built: its development packages are not installed.\n');
}
