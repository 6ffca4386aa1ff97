import { addBusinessDays } from '#formats/calendar/business-days.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';

/**
 * Business days after the last payable day within which a bank that exchanges files reports every
 * payment. The payer's pages promise the confirmation within the same time.
 */
const REPORT_DAYS = 3;

/**
 * Boletos that expired before this instant cannot be reported as paid in time any more, if their
 * bank reports payments in files. The files of the last of these days have arrived when it ends.
 */
export const fullyReportedBefore = (now: Date): Date =>
  startOfSaoPauloDay(addBusinessDays(saoPauloDate(now), -REPORT_DAYS));
