import { expect, it } from 'vitest';

import { toColumns, toFields } from './column-names.ts';

const ROW = { id: 'a', seller_id: 'b', auto_approve_up_to: 1, sha256: null };
const FIELDS = { id: 'a', sellerId: 'b', autoApproveUpTo: 1, sha256: null };

it('names the columns of a row as fields', () => {
  const fields: typeof FIELDS = toFields(ROW);
  expect(fields).toEqual(FIELDS);
});

it('names fields as columns', () => {
  const columns: typeof ROW = toColumns(FIELDS);
  expect(columns).toEqual(ROW);
});
