import { describe, expect, it } from 'vitest';

import { newApiKey } from '#platform/kit/ids.ts';
import { readLoadOptions } from './options.ts';

const KEY = newApiKey('test');
const URL_ARGS = ['--url', 'https://sandbox.example.com/v1'];

describe('the options of the load', () => {
  it('have defaults, and take the address without its path and several keys', () => {
    const other = newApiKey('test');
    expect(readLoadOptions(URL_ARGS, `${KEY}, ${other}`)).toEqual({
      url: 'https://sandbox.example.com',
      apiKeys: [KEY, other],
      rates: { creations: 20, payments: 10, reads: 20, lists: 2 },
      seconds: 60,
      warmupSeconds: 5,
      connections: 64,
      ca: undefined,
      json: false,
    });
  });

  it.each([
    ['no address', [], KEY, /^--url must be the address/],
    ['an address of another kind', ['--url', 'ftp://example.com'], KEY, /^--url must be the address/],
    [
      'a rate that is no number',
      [...URL_ARGS, '--reads', '1.5'],
      KEY,
      /^--reads must be .* from 0 to 100000/,
    ],
    ['no time to measure', [...URL_ARGS, '--seconds', '0'], KEY, /^--seconds must be .* from 1 to 86400/],
    ['more payments than charges', [...URL_ARGS, '--payments', '21'], KEY, /^--payments must be at most/],
    ['a file that does not exist', [...URL_ARGS, '--ca', '/nowhere.pem'], KEY, /^--ca cannot be read/],
    ['an unknown option', [...URL_ARGS, '--rate', '1'], KEY, /--rate/],
    ['no key', URL_ARGS, undefined, /^VEREDA_API_KEY must be one or more API keys/],
    ['a mistyped key', URL_ARGS, `${KEY}x`, /^VEREDA_API_KEY must be one or more API keys/],
    ['a live key', URL_ARGS, newApiKey('live'), /^VEREDA_API_KEY must be a key of a sandbox/],
  ])('are rejected: %s', (_title, args, key, message) => {
    expect(() => readLoadOptions(args, key)).toThrow(message);
  });
});
