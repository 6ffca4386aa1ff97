import { HttpError } from '#platform/http/errors.ts';
import { MAX_MESSAGES, type ApplicationFailure } from './changes.ts';

export const tooManyMessages = new HttpError('application_full', {
  message: `Application must have at most ${MAX_MESSAGES} messages`,
});

/** @throws HttpError if nothing was changed; `full` if the application has no room. */
export function requireChanged<Result>(
  result: Result | ApplicationFailure,
  full = new HttpError('application_full'),
): Exclude<Result, ApplicationFailure> {
  switch (result) {
    case 'UNKNOWN':
      throw new HttpError('application_not_found');
    case 'CLOSED':
      throw new HttpError('application_closed');
    case 'FULL':
      throw full;
    default:
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the failures are listed above
      return result as Exclude<Result, ApplicationFailure>;
  }
}
