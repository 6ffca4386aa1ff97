import { serverNow } from '../../api/clock.ts';
import { localDay } from '../../i18n/format.ts';
import type { DayReport } from './queries.ts';

/** A provider's day that has to be compared. Its file arrives on the next day. */
export const isFileMissing = ({ status, day, ledger }: DayReport): boolean =>
  status === 'NO_FILE' && day < localDay(new Date(serverNow())) && ledger.movements > 0;

/** Days that a file is missing for. */
export const countDaysWithoutFile = (reports: readonly DayReport[]): number =>
  new Set(reports.filter(isFileMissing).map(({ day }) => day)).size;
