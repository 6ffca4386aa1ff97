import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SecretBox } from './secret-box.ts';

const [old, current] = [randomBytes(32), randomBytes(32)];
const box = new SecretBox([current]);

/** The errors of the checks of the form, the key id and the cipher's tag. */
const DECRYPTION_ERROR = /unknown form|no key|authenticate|authentication tag|initialization vector/i;

describe('SecretBox, encryption', () => {
  it('decrypts any text with its context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        expect(box.decrypt(box.encrypt(secret, context), context)).toBe(secret);
      }),
    );
  });

  it('returns a different value each time, without parts of the secret', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const encrypted = box.encrypt(secret, 'webhook 1');
    expect(encrypted).not.toContain(secret);
    expect(encrypted).not.toContain(Buffer.from(secret).toString('base64url').slice(4, 20));
    expect(box.encrypt(secret, 'webhook 1')).not.toBe(encrypted);
  });

  it('does not decrypt with another context', () => {
    const encrypted = box.encrypt('secret', 'webhook 1');
    expect(() => box.decrypt(encrypted, 'webhook 2')).toThrow(DECRYPTION_ERROR);
    expect(() => box.decrypt(encrypted, '')).toThrow(DECRYPTION_ERROR);
  });

  it('does not decrypt after a change of one character', () => {
    const encrypted = box.encrypt('a secret of some length', 'context');
    for (let index = 0; index < encrypted.length - 1; index += 1) {
      const other = encrypted[index] === 'A' ? 'B' : 'A';
      const forged = encrypted.slice(0, index) + other + encrypted.slice(index + 1);
      expect(() => box.decrypt(forged, 'context')).toThrow(DECRYPTION_ERROR);
    }
  });

  it.each(['', 'v1', 'v1.a.b', 'v2.a.b.c', 'secret'])('does not decrypt %j', (text) => {
    expect(() => box.decrypt(text, 'context')).toThrow(DECRYPTION_ERROR);
  });

  it('does not decrypt a truncated value', () => {
    const encrypted = box.encrypt('secret', 'context');
    for (const length of [1, 8, 16, 22]) {
      expect(() => box.decrypt(encrypted.slice(0, -length), 'context')).toThrow(DECRYPTION_ERROR);
    }
  });
});

describe('SecretBox, keys', () => {
  it('decrypts with all keys and encrypts with the first', () => {
    const before = new SecretBox([old]).encrypt('old secret', 'context');
    const rotated = new SecretBox([current, old]);
    expect(rotated.decrypt(before, 'context')).toBe('old secret');
    const after = rotated.encrypt('new secret', 'context');
    expect(box.decrypt(after, 'context')).toBe('new secret');
    expect(() => new SecretBox([old]).decrypt(after, 'context')).toThrow(/there is no key/);
  });

  it('does not contain keys in errors or encrypted values', () => {
    const encrypted = box.encrypt('secret', 'context');
    for (const spelling of ['hex', 'base64', 'base64url'] as const) {
      expect(encrypted).not.toContain(current.toString(spelling).slice(0, 8));
    }
    const decrypt = () => new SecretBox([old]).decrypt(encrypted, 'context');
    expect(decrypt).toThrow('there is no key');
    expect(decrypt).not.toThrow(old.toString('base64url').slice(0, 8));
  });

  it('throws without a key', () => {
    expect(() => new SecretBox([])).toThrow('at least one key');
  });
});

describe('SecretBox, keyed hashes', () => {
  it('are equal for equal texts of one context and key only, and name their key', () => {
    const hash = box.keyedHash('52998224725', 'documents');
    expect(hash).toBe(new SecretBox([current, old]).keyedHash('52998224725', 'documents'));
    expect(hash).toMatch(/^[\w-]{8}\.[\w-]{22}$/);
    expect(hash.split('.')[0]).toBe(box.currentKeyId);
    const others = [
      box.keyedHash('52998224726', 'documents'),
      box.keyedHash('52998224725', 'cards'),
      new SecretBox([old]).keyedHash('52998224725', 'documents'),
    ].map((other) => other.split('.')[1]);
    expect(others).not.toContain(hash.split('.')[1]);
  });

  it('of every key, also a retired one, begin with that of the current key', () => {
    const rotated = new SecretBox([current], [old]);
    expect(rotated.allKeyedHashes('text', 'context')).toEqual([
      box.keyedHash('text', 'context'),
      new SecretBox([old]).keyedHash('text', 'context'),
    ]);
  });
});
