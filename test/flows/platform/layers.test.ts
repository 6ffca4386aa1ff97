import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A separate source tree, linted with the rules of this project. */
let tree: string;
beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), 'gateway-layers-'));
  await cp(join(ROOT, 'oxlint.config.ts'), join(tree, 'oxlint.config.ts'));
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  await write('package.json', '{ "type": "module", "imports": { "#*": "./src/*" } }');
});
afterEach(() => rm(tree, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(tree, path)), { recursive: true });
  await writeFile(join(tree, path), text);
}

function lint(): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format=json', 'src'],
    { cwd: tree, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

const EXPORTED = 'export interface Thing {\n  readonly id: string;\n}\n';
const importing = (path: string): string =>
  `import type { Thing } from '${path}';\n\nexport const idOf = (thing: Thing): string => thing.id;\n`;

it('accepts an import of a lower layer', async () => {
  await write('src/audit/service.ts', EXPORTED);
  await write('src/payments/service.ts', importing('#audit/service.ts'));
  expect(lint()).toMatchObject({ status: 0 });
});

it.each([
  ['of a higher layer', 'src/payments/service.ts', 'src/payouts/service.ts', /lower layers only/],
  ['of a module in the same layer', 'src/cnab/service.ts', 'src/providers/service.ts', /lower layers only/],
  ['of the store of another module', 'src/payouts/service.ts', 'src/payments/store-x.ts', /is private/],
  ['of a nested store', 'src/app/service.ts', 'src/payments/refunds/store.ts', /is private/],
  ['of the entry point', 'src/app/service.ts', 'src/main.ts', /entry point/],
  ['of a tool', 'src/app/service.ts', 'tools/tool.ts', /Tools import the gateway/],
])('rejects an import %s', async (_name, from, to, message) => {
  await write(to, EXPORTED);
  await write(from, importing(to.replace(/^(src\/)?/, '#')));
  const { status, output } = lint();
  expect(status).toBe(1);
  expect(output).toMatch(message);
});

it('rejects a relative import into another folder', async () => {
  await write('src/audit/service.ts', EXPORTED);
  await write('src/audit/log/service.ts', importing('../service.ts'));
  expect(lint().output).toMatch(/no-restricted-imports/);
});

it('rejects two files that import only types of each other', async () => {
  await write('src/audit/a.ts', `${EXPORTED}${importing('./b.ts').replace('Thing }', 'Thing as B }')}`);
  await write('src/audit/b.ts', importing('./a.ts') + EXPORTED.replace('Thing', 'Other'));
  expect(lint().output).toMatch(/no-cycle/);
});

it('rejects a function above 70 lines and one with five parameters', async () => {
  const lines = Array.from({ length: 70 }, (_, index) => `  total += ${index};`).join('\n');
  await write(
    'src/audit/long.ts',
    `export function long(): number {\n  let total = 0;\n${lines}\n  return total;\n}\n` +
      'export const wide = (a: number, b: number, c: number, d: number, e: number): number => ' +
      'a + b + c + d + e;\n',
  );
  const { output } = lint();
  expect(output).toMatch(/max-lines-per-function/);
  expect(output).toMatch(/max-params/);
});
