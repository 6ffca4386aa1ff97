import { beforeAll, describe, expect, it } from 'vitest';

import { isCommonPassword, loadPasswordEstimator, passwordRule } from './password-policy.ts';

beforeAll(loadPasswordEstimator);

const PERSONAL = ['Maria Quitéria', 'mquiteria@lojadabahia.com.br'];

describe('the password policy', () => {
  it.each([
    'aaaaaaaaaaaa',
    '1234567890ab',
    'password1234',
    'Password1234!',
    'P@ssw0rd12345',
    'senha1234567',
    'mudar123mudar',
    'brasil123456',
    'corinthians1',
    'qwertyuiop12',
    'vereda123456',
    'quiteria2026',
    'lojadabahia1',
    'mquiteria@lojadabahia.com.br',
    'ab'.repeat(100),
    'ｐａｓｓｗｏｒｄ１２３４',
    'pass\u200Bword1234',
  ])('refuses %s as common', (password) => {
    expect(isCommonPassword(password, PERSONAL)).toBe(true);
  });

  it.each([
    'correct horse battery 9',
    'a long enough password',
    'janela cachorro telhado',
    'Xk7-pqTz-mmW2',
    `${'a1B$'.repeat(3)} unrelated words follow`,
  ])('accepts %s', (password) => {
    expect(isCommonPassword(password, PERSONAL)).toBe(false);
  });

  it('evaluates expensive passwords within milliseconds', () => {
    const slow = ['1a', 'aA1!', 'p@$$w0rd', 'pa55w0rd1234', '@5$1!0374'].map((part) =>
      part.repeat(100).slice(0, 200),
    );
    const before = process.cpuUsage();
    for (const password of slow) isCommonPassword(password, PERSONAL);
    const { user, system } = process.cpuUsage(before);
    // One password of this kind takes a second or more at its whole length.
    expect((user + system) / 1_000 / slow.length).toBeLessThan(200);
  });

  it('leaves invalid lengths and types to the schema', () => {
    const rule = passwordRule('password', 10, ['name']);
    expect(rule({ password: 'password1' })).toEqual([]);
    expect(rule({ password: 'a'.repeat(201) })).toEqual([]);
    expect(rule({ password: 5, name: {} })).toEqual([]);
    expect(rule({ password: 'jacarandás', name: 'Jacarandás' })).toEqual([
      { path: ['password'], rule: 'is too common', code: 'too_common' },
    ]);
  });
});
