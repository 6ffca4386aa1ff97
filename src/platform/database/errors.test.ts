import { expect, it } from 'vitest';

import { isDatabaseFailure } from './errors.ts';

it.each([
  ['40P01', true],
  ['40001', true],
  ['55P03', true],
  ['57014', true],
  ['08006', true],
  ['23505', false],
  ['22012', false],
  ['42P01', false],
])('an error %s is a failure of the database: %s', (code, isFailure) => {
  expect(isDatabaseFailure(Object.assign(new Error('failed'), { code }))).toBe(isFailure);
});
