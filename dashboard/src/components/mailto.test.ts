import { readdir, readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { mailtoUrl } from './mailto.ts';

describe('mailtoUrl', () => {
  it('keeps an ordinary address unchanged', () => {
    expect(mailtoUrl('ana.souza@example.com')).toBe('mailto:ana.souza@example.com');
  });

  it.each(['a?subject=x&bcc=y@z.com', 'a%3Fbcc=y@z.com', 'a#b@z.com', 'a?to=x%40y.com&cc=b@z.com'])(
    'contains no headers from %s',
    (email) => {
      const url = new URL(mailtoUrl(email));
      expect([url.search, url.hash, decodeURIComponent(url.pathname)]).toEqual(['', '', email]);
    },
  );

  it('is used for every mailto link of the dashboard', async () => {
    const folder = new URL('../', import.meta.url);
    const names = await readdir(folder, { recursive: true });
    const sources = names.filter((name) => /(?<!mailto(\.test)?)\.tsx?$/.test(name));
    expect(sources.length).toBeGreaterThan(100);
    const texts = await Promise.all(sources.map((name) => readFile(new URL(name, folder), 'utf8')));
    expect(texts.filter((text) => text.includes('mailto:'))).toEqual([]);
  });
});
