import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { startTestGateway } from '#test/support/gateway.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_COLUMNS = 110;
const PAGES = await Array.fromAsync(
  glob(['*.md', '{docs,bench,packages}/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] }),
);

const read = (page: string): Promise<string> => readFile(join(ROOT, page), 'utf8');

/** The anchors of the headings, as GitHub generates them. */
const anchorsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

it('the documentation has pages', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', join('docs', 'README.md')]));
});

it.each(PAGES)('%s has no long lines, broken links or missing paths', async (page) => {
  const text = await read(page);
  expect(text.split('\n').filter((line) => line.length > MAX_COLUMNS)).toEqual([]);
  for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    // Links to a running gateway begin with a slash; the test of the guides follows them.
    if (/^https?:|^\//.test(link)) continue;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    expect(existsSync(join(ROOT, target)), `${link} in ${page}`).toBe(true);
    const anchors = anchor === undefined ? [] : anchorsOf(await read(target));
    expect([...anchors, undefined], `${link} in ${page}`).toContain(anchor);
  }
  for (const [, path = ''] of text.matchAll(/`((?:src|test|bench|docs|tools)\/[\w./-]+)`/g)) {
    expect(existsSync(join(ROOT, path)), `${path} in ${page}`).toBe(true);
  }
});

it.each([
  ['README.md', 170],
  ['CONTRIBUTING.md', 150],
  ['ARCHITECTURE.md', 150],
])('%s has at most %i lines', async (page, max) => {
  expect((await read(page)).trimEnd().split('\n').length).toBeLessThanOrEqual(max);
});

it.each(PAGES.filter((page) => /^docs.decisions.\d/.test(page)))(
  '%s has the parts of a record',
  async (page) => {
    const headings = Array.from((await read(page)).matchAll(/^## (.*)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(
      expect.arrayContaining(['Status', 'Date', 'Context', 'Decision', 'Consequences']),
    );
  },
);

it('the first payment in the README runs as printed', { timeout: 60_000 }, async () => {
  const [, section = ''] = (await read('README.md')).split('\n## Your first payment\n');
  const blocks = Array.from(
    section.split('\n## ')[0]?.matchAll(/```sh\n(.*?)```/gs) ?? [],
    ([, block]) => block,
  );
  const gateway = await startTestGateway();
  try {
    const { apiKey, baseUrl } = gateway.demo;
    const newest =
      `$(curl -sS -H "x-api-key: $KEY" "$API/transactions?take=1" | ` +
      `grep -oE '[0-9a-f-]{36}' | head -n 1)`;
    const script = blocks
      .join('\n')
      .replace('KEY=sk_test_…', () => `KEY=${apiKey}`)
      .replace('API=http://127.0.0.1:8080/v1', () => `API=${baseUrl}`)
      .replace('ID=…', () => `ID=${newest}`)
      .replaceAll(
        '\ncurl ',
        () => String.raw`
curl -sSf -w '\n' `,
      );
    const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
    const [created = '', paid = '', wallet = ''] = stdout.split('\n');
    expect(JSON.parse(created)).toMatchObject({
      data: { netAmount: 1485, feeAmount: 15, status: 'PENDING' },
    });
    expect(JSON.parse(paid)).toMatchObject({ data: { status: 'PAID' } });
    expect(JSON.parse(wallet)).toMatchObject({ data: { availableBalance: 1485, totalBalance: 1485 } });
  } finally {
    await gateway.stop();
  }
});
