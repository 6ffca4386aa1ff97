import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SecretBox } from './secret-box.ts';

const [old, current] = [randomBytes(32), randomBytes(32)];
const box = new SecretBox([current]);

/** Whichever check it is that finds the fault: the form, the key's id, or the cipher's own tag. */
const UNOPENED = /unknown form|no ENCRYPTION_KEY|authenticate|authentication tag|initialization vector/i;

describe('a sealed secret', () => {
  it('opens to what was sealed, whatever the text and the context (C12)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, context) => {
        expect(box.decrypt(box.encrypt(secret, context), context)).toBe(secret);
      }),
    );
  });

  it('shows nothing of itself and is never sealed alike twice', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const sealed = box.encrypt(secret, 'webhook 1');
    expect(sealed).not.toContain(secret);
    expect(sealed).not.toContain(Buffer.from(secret).toString('base64url').slice(4, 20));
    expect(box.encrypt(secret, 'webhook 1')).not.toBe(sealed);
  });

  it('does not open in another record', () => {
    const sealed = box.encrypt('secret', 'webhook 1');
    expect(() => box.decrypt(sealed, 'webhook 2')).toThrow(UNOPENED);
    expect(() => box.decrypt(sealed, '')).toThrow(UNOPENED);
  });

  it('does not open when one character of it was changed', () => {
    const sealed = box.encrypt('a secret of some length', 'context');
    for (let place = 0; place < sealed.length - 1; place += 1) {
      const other = sealed[place] === 'A' ? 'B' : 'A';
      const forged = sealed.slice(0, place) + other + sealed.slice(place + 1);
      expect(() => box.decrypt(forged, 'context')).toThrow(UNOPENED);
    }
  });

  it.each(['', 'v1', 'v1.a.b', 'v2.a.b.c', 'secret'])('does not open from %j', (text) => {
    expect(() => box.decrypt(text, 'context')).toThrow(UNOPENED);
  });

  it('does not open with its end cut off', () => {
    const sealed = box.encrypt('secret', 'context');
    for (const length of [1, 8, 16, 22]) {
      expect(() => box.decrypt(sealed.slice(0, -length), 'context')).toThrow(UNOPENED);
    }
  });
});

describe('keys', () => {
  it('all open, and the first one seals (C15)', () => {
    const before = new SecretBox([old]).encrypt('old secret', 'context');
    const rotated = new SecretBox([current, old]);
    expect(rotated.decrypt(before, 'context')).toBe('old secret');
    const after = rotated.encrypt('new secret', 'context');
    expect(box.decrypt(after, 'context')).toBe('new secret');
    expect(() => new SecretBox([old]).decrypt(after, 'context')).toThrow(/ENCRYPTION_KEY/);
  });

  it('are told apart without a word about them', () => {
    const sealed = box.encrypt('secret', 'context');
    for (const spelling of ['hex', 'base64', 'base64url'] as const) {
      expect(sealed).not.toContain(current.toString(spelling).slice(0, 8));
    }
    const opened = () => new SecretBox([old]).decrypt(sealed, 'context');
    expect(opened).toThrow('ENCRYPTION_KEY');
    expect(opened).not.toThrow(old.toString('base64url').slice(0, 8));
  });

  it('are needed: a box without one is refused', () => {
    expect(() => new SecretBox([])).toThrow('at least one key');
  });
});
