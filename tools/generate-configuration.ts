import { readFile, writeFile } from 'node:fs/promises';

import { SETTING_DOCS } from '#app/settings.ts';

/** Writes the settings in docs/configuration.md. With `--check` it only compares. */

const FILE = new URL('../docs/configuration.md', import.meta.url);
const [BEGIN, END] = ['<!-- begin of the generated part -->', '<!-- end of the generated part -->'];
const MAX_COLUMNS = 110;

const sections = SETTING_DOCS.map(({ names, default: value, meaning }) => {
  const variables = names.map((name) => `\`${name}\``).join(', ');
  return `### ${variables}\n\n${wrap(meaning)}\n\n${wrap(`Default: ${value}.`)}\n`;
});
const text = await readFile(FILE, 'utf8');
const [before, after] = [text.split(BEGIN)[0], text.split(END)[1]];
if (before === undefined || after === undefined)
  throw new Error('docs/configuration.md has no generated part to replace');
const generated = `${before}${BEGIN}\n\n${sections.join('\n')}\n${END}${after}`;
if (!process.argv.includes('--check')) {
  await writeFile(FILE, generated);
} else if (generated !== text) {
  process.stderr.write('docs/configuration.md is not up to date: npm run generate:docs\n');
  process.exitCode = 1;
}

/** Breaks a paragraph into lines, outside inline code. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > MAX_COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
