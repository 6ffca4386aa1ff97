import { serverNow } from '../../api/clock.ts';
import { localDay } from '../../i18n/format.ts';
import type { DayReport } from './queries.ts';

/** A provider's day that has to be compared. Its file arrives on the next day. */
export const isFileMissing = ({ status, day, ledger }: DayReport): boolean =>
  status === 'NO_FILE' && day < localDay(new Date(serverNow())) && ledger.movements > 0;

export const isDifferent = ({ status }: DayReport): boolean => status === 'DIFFERENT';

/** The number of days of these reports, of which several may be of one day. */
export const countDays = (reports: readonly DayReport[]): number =>
  new Set(reports.map(({ day }) => day)).size;
