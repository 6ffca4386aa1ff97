import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

import { mergeDocuments } from '../tools/merge-openapi.ts';
import { generateOpenApiOffline } from '../tools/openapi.ts';

/**
 * Writes the API types of the dashboard, from both OpenAPI documents of a sandbox, which has every
 * operation. With `--check`, fails if the file differs instead.
 */
const FILE = new URL('src/api/schema.gen.ts', import.meta.url);

const dataDir = await mkdtemp(join(tmpdir(), 'gateway-dashboard-'));
try {
  const { seller, operator } = await generateOpenApiOffline({
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://pay.vereda.invalid',
  });
  const document = mergeDocuments(seller, operator);
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
