import { expect, it } from 'vitest';

import { hashPassword, verifyPassword } from './passwords.ts';

it('verifies a password whose accents are one code point or two', async () => {
  const password = 'café com pão 42';
  const hash = await hashPassword(password.normalize('NFC'));
  expect(await verifyPassword(hash, password.normalize('NFD'))).toBe(true);
  expect(await verifyPassword(hash, 'cafe com pao 42')).toBe(false);
});
