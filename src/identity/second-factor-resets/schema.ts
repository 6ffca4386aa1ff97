import { Type, type Static } from 'typebox';

import { envelope, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import type { ErrorCode } from '#platform/http/error-codes.ts';
import type { CancelFailure, ResetFailure, SecondFactorReset } from './service.ts';

const ResetSchema = Type.Object(
  {
    userId: recordId('The user whose second factors are removed.'),
    dueAt: timestamp('When they are removed, unless the reset is canceled before.'),
  },
  { title: 'SecondFactorReset', description: 'A pending removal of second factors.' },
);

export const resetEnvelope = envelope(ResetSchema);

export const viewReset = ({ userId, dueAt }: SecondFactorReset): Static<typeof ResetSchema> => ({
  userId,
  dueAt: dueAt.toISOString(),
});

export const RESET_FAILURES: Readonly<Record<ResetFailure | CancelFailure, ErrorCode>> = {
  UNKNOWN: 'user_not_found',
  NO_SECOND_FACTOR: 'second_factor_not_active',
  PENDING: 'second_factor_reset_pending',
  NOT_PENDING: 'second_factor_reset_not_found',
};

const userId = '01a1fb63-7c2d-4e3f-8a9b-0c1d2e3f4a5b';

/** Examples of the API reference. A test validates each against its schema. */
export const RESET_REQUESTED = {
  'Removed in 24 hours': ok({ userId, dueAt: '2026-03-03T12:00:00.000Z' }),
};
export const RESET_CANCELED = { Canceled: ok({}) };
