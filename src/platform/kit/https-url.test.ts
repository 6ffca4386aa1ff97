import { describe, expect, it } from 'vitest';
import { parseHttpsUrl } from './https-url.ts';

const malformed = [
  '',
  ' ',
  'example.com',
  '//example.com/hook',
  'http://example.com/hook',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hi',
  'unix:/var/run/docker.sock',
  'wss://example.com',
  'https:example.com',
  'https:/example.com',
  'https://',
  'https:///',
  'https://?query',
  'https:\\\\example.com',
  'https://example.com\\@127.0.0.1/',
  ' https://example.com',
  'https://example.com/a b',
  'https://exam\nple.com/',
  'https://example.com/\r\nHost: 127.0.0.1',
  'https://example.com/\0',
  'https://exa\u00ADmple.com/',
  'https://example.com/\u202Efdp',
  'https://example.com/\uD800',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://:password@example.com/',
  'https://example.com@127.0.0.1/',
  'https://example.com:0/',
  'https://example.com:22/',
  'https://example.com:80/',
  'https://example.com:1023/',
  'https://example.com:65536/',
  'https://example.com:-1/',
  'https://example.com:port/',
  'https://.example.com/',
  'https://example..com/',
  'https://example.com../',
  'https://./',
  'https://*.example.com/',
  'https://example.com%00.evil.com/',
  'https://"/',
  'https://256.1.1.1/',
  'https://1.2.3.4.5/',
  'https://0x100000000/',
  'https://[fe80::1%25eth0]/',
  'https://[::1/',
  'https://[::g]/',
  `https://example.com/${'a'.repeat(2048)}`,
  `https://example.com/${'é'.repeat(500)}`,
];

describe('parseHttpsUrl', () => {
  it.each(malformed)('rejects %j', (url) => {
    const parsed = parseHttpsUrl(url);
    expect(parsed).toEqual({ ok: false, reason: expect.stringMatching(/^The .+\.$/) });
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/Hook?a=1&b=%20', 'https://example.com/Hook?a=1&b=%20'],
    ['https://example.com:1024/', 'https://example.com:1024/'],
    ['https://example.com:65535/', 'https://example.com:65535/'],
    ['https://example.com./hook', 'https://example.com/hook'],
    ['https://example.com/hook#part', 'https://example.com/hook'],
    ['https://münchen.de/ü', 'https://xn--mnchen-3ya.de/%C3%BC'],
    ['https://a_b.example.com/../x/./y', 'https://a_b.example.com/x/y'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://16843009/', 'https://1.1.1.1/'],
    ['https://[2606:4700:4700:0::1111]:8443/', 'https://[2606:4700:4700::1111]:8443/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://notlocalhost/', 'https://notlocalhost/'],
  ])('parses %s as %s', (url, href) => {
    const parsed = parseHttpsUrl(url);
    expect(parsed.ok && parsed.url.href).toBe(href);
  });

  it('accepts 2048 characters', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    expect(url).toHaveLength(2048);
    expect(parseHttpsUrl(url).ok).toBe(true);
  });
});
