import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const FENCE = /^( *)```(sh|bash|sql|ini|cron|text)\n(.*?)^ *```$/gms;

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

export interface DocumentedBlocks {
  /** The text of the block of a page that contains a text. */
  readonly find: (page: string, part: string) => string;
  /** Blocks that were not asked for. */
  readonly unused: () => readonly Block[];
}

/** The blocks of commands and of configuration on all pages of the docs but the guides. */
export async function readDocumentedBlocks(): Promise<DocumentedBlocks> {
  const pages = await Array.fromAsync(glob('*.md', { cwd: DOCS }));
  const found = await Promise.all(pages.toSorted().map(readBlocks));
  const blocks = found.flat();
  const used = new Set<Block>();
  return {
    find(page, part) {
      const block = blocks.find((one) => one.page === page && one.text.includes(part));
      if (block === undefined) throw new Error(`docs/${page}.md has no block with ${part}`);
      used.add(block);
      return block.text;
    },
    unused: () => blocks.filter((block) => !used.has(block)),
  };
}

async function readBlocks(file: string): Promise<readonly Block[]> {
  const text = await readFile(join(DOCS, file), 'utf8');
  return Array.from(text.matchAll(FENCE), ([, indent = '', language = '', body = '']) => ({
    page: basename(file, '.md'),
    language,
    text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The command of the line of a file of /etc/cron.d that contains a text. */
export function cronCommand(block: string, part: string): string {
  const line = block.split('\n').find((one) => one.includes(part)) ?? '';
  const command = /^(?:[\d*,/-]+ +){5}[a-z]+ +(.*)$/.exec(line)?.[1];
  if (command === undefined) throw new Error(`not a line of cron: ${line}`);
  // cron makes a line break of it.
  if (/(?<!\\)%/.test(command)) throw new Error(`an unescaped % in ${line}`);
  return command;
}

export interface UnitCommand {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What systemd starts for an instance of a unit: the command and its whole environment. */
export async function readUnit(text: string, instance: string): Promise<UnitCommand> {
  // A backslash continues a line.
  const lines = text.replaceAll(/ *\\\n */g, ' ');
  const values = (key: string): readonly string[] =>
    Array.from(lines.matchAll(new RegExp(`^${key}=(.*)$`, 'gm')), ([, value = '']) =>
      value.replaceAll('%i', instance),
    );
  const assignments = values('Environment').map((value) => {
    const [, name = '', assigned = ''] = /^"?(\w+)=([^"]*)"?$/.exec(value) ?? [];
    return [name, assigned];
  });
  const files = await Promise.all(values('EnvironmentFile').map((file) => readFile(file, 'utf8')));
  const environment: Record<string, string> = Object.fromEntries(assignments);
  // A file overrides Environment=.
  for (const file of files) Object.assign(environment, parseEnv(file));
  const words = values('ExecStart')[0]?.split(' ') ?? [];
  return {
    // A word `$NAME` is split at spaces.
    words: words.flatMap((word) =>
      word.startsWith('$') ? (environment[word.slice(1)] ?? '').split(' ') : [word],
    ),
    cwd: values('WorkingDirectory')[0] ?? '/',
    environment,
  };
}
