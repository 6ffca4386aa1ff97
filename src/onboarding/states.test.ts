import { expect, it } from 'vitest';

import { missingParts, NO_DETAILS } from './application.ts';
import { APPLICATION_STATUSES, nextStatus } from './states.ts';

it('is changed and submitted by the applicant until it waits, and decided until it is', () => {
  const table = APPLICATION_STATUSES.map((status) => [
    status,
    ...(['change', 'submit', 'ask', 'approve', 'reject', 'expire'] as const).map((event) =>
      nextStatus(status, event),
    ),
  ]);
  const closed = [undefined, undefined, undefined, undefined, undefined, undefined];
  expect(table).toEqual([
    ['DRAFT', 'DRAFT', 'SUBMITTED', 'QUESTION', 'APPROVED', 'REJECTED', 'EXPIRED'],
    ['SUBMITTED', undefined, undefined, 'QUESTION', 'APPROVED', 'REJECTED', 'EXPIRED'],
    ['QUESTION', 'QUESTION', 'SUBMITTED', 'QUESTION', 'APPROVED', 'REJECTED', 'EXPIRED'],
    ['APPROVED', ...closed],
    ['REJECTED', ...closed],
    ['EXPIRED', ...closed],
  ]);
});

it('a company needs its articles besides the identity of its owner', () => {
  const missing = missingParts('CNPJ', { ...NO_DETAILS, activity: 'Mugs', address: { street: 'Rua A' } }, []);
  expect(missing.documents).toEqual(['IDENTITY', 'COMPANY']);
  expect(missing.details).toEqual(['address', 'expectedVolume', 'bankAccount']);
  expect(missingParts('CPF', NO_DETAILS, [{ kind: 'IDENTITY' }]).documents).toEqual([]);
});
