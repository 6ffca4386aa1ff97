import { readFile, writeFile } from 'node:fs/promises';

import { Engine } from 'mrml';

/**
 * Compiles the layout of mails from MJML to the parts in layout.gen.ts. With `--check` it only
 * compares.
 */

const FOLDER = new URL('../src/notifications/templates/', import.meta.url);
const OUT = new URL('layout.gen.ts', FOLDER);
const NAMES = ['HEAD', 'PARAGRAPH', 'DETAIL', 'ACTION', 'FOOT'];
const SEPARATOR = '<!-- block -->';

const compiled = new Engine().toHtml(await readFile(new URL('layout.mjml', FOLDER), 'utf8'));
if (compiled.type !== 'success') throw new Error(`layout.mjml: ${compiled.message}`);
const parts = compiled.content.split(SEPARATOR);
if (parts.length !== NAMES.length) throw new Error(`layout.mjml must have ${NAMES.length} parts`);
const constants = NAMES.map((name, index) => `export const ${name} = ${JSON.stringify(parts[index])};\n`);
const generated = `/** Generated from layout.mjml by npm run generate:mails. */\n\n${constants.join('\n')}`;
if (!process.argv.includes('--check')) {
  await writeFile(OUT, generated);
} else if ((await readFile(OUT, 'utf8')) !== generated) {
  process.stderr.write('the layout of mails is not up to date: npm run generate:mails\n');
  process.exitCode = 1;
}
