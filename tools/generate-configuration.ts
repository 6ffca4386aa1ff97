import { readFile, writeFile } from 'node:fs/promises';

import { SETTING_DOCS } from '#app/settings.ts';

/** Writes the table of settings in docs/configuration.md. With `--check` it only compares. */

const FILE = new URL('../docs/configuration.md', import.meta.url);
const [BEGIN, END] = ['<!-- begin of the generated table -->', '<!-- end of the generated table -->'];

const rows = SETTING_DOCS.map(({ names, default: value, meaning }) => {
  const variables = names.map((name) => `\`${name}\``).join(', ');
  return `| ${variables} | ${value} | ${meaning} |`;
});
const table = ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
const text = await readFile(FILE, 'utf8');
const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
if (before === undefined || after === undefined)
  throw new Error('docs/configuration.md has no table to replace');
const generated = `${before}${BEGIN}\n${table}\n${END}${after}`;
if (!process.argv.includes('--check')) {
  await writeFile(FILE, generated);
} else if (generated !== text) {
  process.stderr.write('docs/configuration.md is not up to date: npm run generate:docs\n');
  process.exitCode = 1;
}
