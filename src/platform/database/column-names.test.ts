import { expect, it } from 'vitest';

import { toColumns, toFields } from './column-names.ts';

const ROW = { id: 'a', seller_id: 'b', auto_approve_up_to: 1, sha256: null };
const FIELDS = { id: 'a', sellerId: 'b', autoApproveUpTo: 1, sha256: null };

it('converts column names to field names', () => {
  const fields: typeof FIELDS = toFields(ROW);
  expect(fields).toEqual(FIELDS);
});

it('converts field names to column names', () => {
  const columns: typeof ROW = toColumns(FIELDS);
  expect(columns).toEqual(ROW);
});
