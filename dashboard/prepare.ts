import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { build as viteBuild } from 'vite';

/**
 * Builds the dashboard after an install. A production install (`npm ci --omit=dev`) has no build
 * tools: unless there is a build already, they are installed in a temporary folder for this build.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const project = join(root, '..');
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', '.npmrc'];

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

const isCopied = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path));

/**
 * Builds in a copy of the project, where the packages of the dashboard are installed. The copy is
 * inside the project, whose own packages the build needs too.
 */
async function buildInCopy(): Promise<boolean> {
  await mkdir(join(project, '.cache'), { recursive: true });
  const copy = await mkdtemp(join(project, '.cache/dashboard-'));
  try {
    for (const name of [...FILES, 'dashboard', 'src', 'packages']) {
      await cp(join(project, name), join(copy, name), { recursive: true, filter: isCopied });
    }
    const install = ['ci', '--workspace', 'dashboard', '--include=dev', '--ignore-scripts', '--no-progress'];
    if (!run(copy, process.env['npm_execpath'] ?? '', install)) return false;
    if (!run(copy, join(copy, 'dashboard/prepare.ts'), [])) return false;
    await cp(join(copy, 'dashboard/dist'), join(root, 'dist'), { recursive: true });
    return true;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Runs a script in the copy, without the settings of the npm command that runs this one. */
function run(directory: string, script: string, args: readonly string[]): boolean {
  const kept = /^npm_config_(?:cache|registry|userconfig|prefer_offline|offline|https?_proxy|cafile)$/i;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)),
  );
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: directory,
    env,
    stdio: 'inherit',
  });
  return status === 0;
}

// Vite would build for development where the caller's environment says so, as test runners do.
process.env['NODE_ENV'] = 'production';

if (hasVite()) {
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  await buildPaymentPage(build);
} else if (!existsSync(join(root, 'dist/index.html')) && !(await buildInCopy())) {
  process.stderr.write('The dashboard was not built: its packages could not be installed.\n');
}
