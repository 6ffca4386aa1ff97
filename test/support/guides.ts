import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Marked } from 'marked';

import { COMPILE_CACHE } from '#test/support/process.ts';

/** A code block of a guide. */
export interface Block {
  /** `sh`, the language of a file, or `text` for the output of a terminal. */
  readonly language: string;
  /** The terminal of a command or an output. */
  readonly terminal: string;
  /** The name under which the reader saves the block; empty for commands and output. */
  readonly file: string;
  readonly text: string;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const readGuide = (slug: string, language: string): Promise<string> =>
  readFile(join(ROOT, `docs/guides/${language}/${slug}.md`), 'utf8');

export function blocksOf(markdown: string): readonly Block[] {
  return new Marked().lexer(markdown).flatMap((token) => {
    if (token.type !== 'code') return [];
    const [language = '', detail = ''] = String(token.lang ?? '').split(' ');
    const terminal = /^terminal=(\d)$/.exec(detail)?.[1];
    return [
      { language, terminal: terminal ?? '1', file: terminal === undefined ? detail : '', text: token.text },
    ];
  });
}

/** A block without its comments, which are translated. */
export const withoutComments = ({ language, terminal, file, text }: Block): string =>
  [
    `${language} ${terminal} ${file}`,
    ...text
      .split('\n')
      .map((line) => line.replace(/(^|\s{2,}|\s(?=\/\/))\s*(?:#|\/\/) .*$/, '').trimEnd())
      .filter((line) => line !== ''),
  ].join('\n');

/** Starts the sandbox. Tests have started it already. */
export const START = 'npm ci\nnpm start';

/** Where a guide is followed. */
export interface Reader {
  /** Contains the clone, `vereda`, and the folder of the reader, `my-shop`. */
  readonly home: string;
  /** The addresses of the test in place of those of the guides. */
  readonly adapt: (text: string) => string;
  /** What the gateway has printed. */
  readonly gatewayOutput: () => string;
  /** Whether the commands of `QUICK` are replaced by faster equals. */
  readonly isQuick: boolean;
}

const CLONE = 'vereda';
const OWN_FOLDER = 'my-shop';

/** Creates what a guide uses of a clone. Packages are copied, because `npm pack` builds in them. */
export async function makeClone(home: string, dataDir: string): Promise<void> {
  const clone = join(home, CLONE);
  await mkdir(clone);
  await cp(join(ROOT, 'packages'), join(clone, 'packages'), {
    recursive: true,
    filter: (path) => !/\/(?:dist|node_modules)$/.test(path),
  });
  for (const name of ['package.json', 'tsconfig.json', 'node_modules']) {
    await symlink(join(ROOT, name), join(clone, name));
  }
  await symlink(dataDir, join(clone, '.data'));
}

/**
 * Runs the code of a guide in the order of the page. Throws if a command fails or does not print
 * the output that follows it.
 */
export async function followGuide(reader: Reader, blocks: readonly Block[]): Promise<void> {
  const terminals = new Map<string, Terminal>();
  const terminalOf = (name: string): Terminal => {
    const open = terminals.get(name) ?? openTerminal(join(reader.home, CLONE), environmentOf(reader));
    terminals.set(name, open);
    return open;
  };
  let secret = '';
  try {
    for (const [index, { language, terminal, file, text }] of blocks.entries()) {
      const before = blocks[index - 1];
      const next = blocks[index + 1];
      const followsCommand = before?.language === 'sh' && before.terminal === terminal;
      if (text === START) continue;
      if (before?.text === START) {
        if (!reader.gatewayOutput().includes(text)) throw new Error(`the gateway did not print ${text}`);
      } else if (file !== '') {
        await mkdir(join(reader.home, OWN_FOLDER), { recursive: true });
        await writeFile(join(reader.home, OWN_FOLDER, file), reader.adapt(text));
      } else if (language === 'sh') {
        const isExpected = next?.language === 'text' && next.terminal === terminal;
        const commands = reader.adapt(text).replace('whsec_…', secret);
        await terminalOf(terminal).run(commands, isExpected ? reader.adapt(next.text) : undefined);
        secret = /whsec_[\w+/=]+/.exec(terminalOf(terminal).output())?.[0] ?? secret;
      } else if (language !== 'text') {
        throw new Error(`a block of ${language} has no file name`);
      } else if (!followsCommand) {
        await terminalOf(terminal).expect(reader.adapt(text));
      }
    }
  } finally {
    await Promise.all(Array.from(terminals.values(), (open) => open.close()));
  }
}

/** How `npm install` reaches its registry from networks with a proxy or an authority of their own. */
const NETWORK = ['NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY', 'NO_PROXY', 'npm_config_registry'];

const environmentOf = ({ home, isQuick }: Reader): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(NETWORK.map((name) => [name, process.env[name]])),
  QUICK: isQuick ? QUICK : '',
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  XDG_STATE_HOME: join(home, 'state'),
  XDG_CONFIG_HOME: join(home, 'config'),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
});

/** `npm install` asks a registry, which may be slow the first time. */
const DEADLINE_MS = 90_000;
/** How long a command may take that another one follows. A server does not end by itself. */
const END_DEADLINE_MS = 1_000;
/** Not part of any output. */
const MARK = '\u001e';

/** A shell in which commands run one after the other, as in the terminal of a reader. */
interface Terminal {
  /** Runs commands until they have ended, or have printed what is expected. */
  run(commands: string, expected?: string): Promise<void>;
  /**
   * Waits until it has printed this after what was last expected. `…` stands for any text and the
   * spaces around it.
   */
  expect(text: string): Promise<void>;
  /** Everything that it has printed. */
  output(): string;
  close(): Promise<void>;
}

function openTerminal(folder: string, env: NodeJS.ProcessEnv): Terminal {
  const child = spawn('bash', ['-c', SHELL], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const input = child.stdio[3];
  if (input === null || input === undefined || !('write' in input)) throw new Error('the shell has no input');
  // A killed shell has not read everything.
  input.on('error', () => undefined);
  let printed = '';
  let read = 0;
  let count = 0;
  let running = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  }

  const until = async (what: string, isReached: () => boolean, deadlineMs = DEADLINE_MS) => {
    for (const end = performance.now() + deadlineMs; ; await pause(20)) {
      if (printed.slice(read).includes(`${MARK}failed`)) throw new Error(`a command failed:\n${printed}`);
      if (isReached()) return;
      if (child.exitCode !== null) throw new Error(`the shell ended:\n${printed}`);
      if (performance.now() > end) throw new Error(`${what} in ${deadlineMs} ms, but:\n${printed}`);
    }
  };
  const hasEnded = () => running === '' || printed.includes(running);
  const expectOutput = (text: string) =>
    until(`expected ${text}`, () => {
      const found = patternOf(text).exec(printed.slice(read));
      if (found !== null) read += found.index + found[0].length;
      return found !== null;
    });
  const interrupt = async () => {
    process.kill(-(child.pid ?? 0), 'SIGINT');
    const end = performance.now() + DEADLINE_MS;
    while (!hasEnded() && performance.now() < end) await pause(20);
    read = printed.length;
  };
  return {
    async run(commands, expected) {
      await until('', hasEnded, END_DEADLINE_MS).catch(interrupt);
      count += 1;
      running = `${MARK}ended ${count}${MARK}`;
      input.write(`${commands}\nprintf '\\036ended ${count}\\036'\0`);
      await (expected === undefined ? until('ended', hasEnded) : expectOutput(expected));
    },
    expect: expectOutput,
    output: () => printed,
    async close() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    },
  };
}

/**
 * The guides create a hundred idempotency keys and call the command line thirty times. Starts of
 * Node and of npm would take most of the time.
 */
const QUICK = String.raw`
[ -r /proc/sys/kernel/random/uuid ] && node() {
  case "$*" in "-p crypto.randomUUID()") cat /proc/sys/kernel/random/uuid ;; *) command node "$@" ;; esac
}
npm() {
  case "$*" in
    "run -s vereda -- "*) shift 4 && command node packages/cli/src/main.ts "$@" ;;
    *) command npm "$@" ;;
  esac
}
`;

/**
 * Commands come from another descriptor than standard input, so that programs cannot read them.
 * Failed commands are reported. A response with an error status is a failure, unless the guide
 * prints the status. An interrupted program does not end the shell.
 */
const SHELL = String.raw`
eval "$QUICK"
trap ':' INT
trap 'code=$?; [ "$code" -ge 128 ] || printf "\036failed with %s\036" "$code"' ERR
set -o pipefail
curl() { case " $* " in *" -w "*) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }
while IFS= read -r -d "" -u 3 commands; do eval "$commands"; done
`;

const patternOf = (text: string): RegExp =>
  new RegExp(
    text
      .trim()
      .split('…')
      .map((part) => RegExp.escape(part.trim()))
      .join('[^]*?'),
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
