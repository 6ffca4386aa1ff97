import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

import { generateOpenApiOffline } from '../tools/openapi.ts';

/**
 * Writes the types of the API that the dashboard is compiled against, from the document of a sandbox, which has every operation.
 * With `--check` nothing is written: what is there must be what would be.
 */
const FILE = new URL('src/api/schema.gen.ts', import.meta.url);

const dataDir = await mkdtemp(join(tmpdir(), 'gateway-dashboard-'));
try {
  const document = await generateOpenApiOffline({
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://pay.vereda.invalid',
  });
  // The generator takes a document as text; ours is one by its own check.
  const nodes = await openapiTS(JSON.stringify(document) satisfies string | OpenAPI3, {
    alphabetize: true,
    // A member with a default may be left out by who asks, which is what the dashboard does.
    defaultNonNullable: false,
  });
  const text = `// Made by generate-api.ts from the OpenAPI document; not written by hand.\n\n${astToString(nodes)}`;
  if (!process.argv.includes('--check')) {
    await writeFile(FILE, text);
  } else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('dashboard/src/api/schema.gen.ts is not up to date: npm run generate:api\n');
    process.exitCode = 1;
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
