import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { lintFromString, loadConfig } from '@redocly/openapi-core';

import { generateOpenApiOffline } from './openapi.ts';

/**
 * Lints the OpenAPI documents of both modes with Redocly's recommended rules, without a database or
 * network. Errors and warnings fail.
 */

const RULES = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
const SECRET = Buffer.alloc(32, 'reference').toString('base64');

/** Production requires these settings. */
const MODES = {
  sandbox: {},
  production: {
    PUBLIC_URL: 'https://pay.vereda.invalid',
    JWT_SECRET: SECRET,
    ENCRYPTION_KEY: SECRET,
    ADMIN_EMAIL: 'operator@vereda.invalid',
    ADMIN_PASSWORD: 'five words are long enough',
  },
};

const config = await loadConfig({ configPath: RULES });
const dataDir = await mkdtemp(join(tmpdir(), 'gateway-reference-'));
try {
  for (const [mode, settings] of Object.entries(MODES)) {
    const documents = await generateOpenApiOffline({
      MODE: mode,
      DATA_DIR: dataDir,
      PUBLIC_URL: 'https://pay.vereda.invalid',
      ...settings,
    });
    for (const [audience, document] of Object.entries(documents)) {
      await lint(`${mode}-${audience}`, document);
    }
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function lint(name: string, document: object): Promise<void> {
  const source = JSON.stringify(document, null, 2);
  const problems = await lintFromString({ source, absoluteRef: `${name}.json`, config });
  for (const { severity, ruleId, message, location } of problems) {
    process.exitCode = 1;
    process.stderr.write(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}\n`);
  }
  process.stdout.write(`${name}: ${source.length} characters, ${problems.length} problems\n`);
}
