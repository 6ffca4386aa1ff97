import type { Environment } from '#platform/config/settings-reader.ts';
import { createLogger } from '#platform/kit/log.ts';

/** Writes a line to standard output. */
export const printLine = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Writes why a process ends: to standard error, as a line of its log outside the sandbox. */
export function printFatal(line: string, environment: Environment = process.env): void {
  if (isProduction(environment)) createLogger('fatal', process.stderr).fatal(line);
  else printError(line);
}

/** The mode by the settings, which may themselves be what is wrong. */
const isProduction = ({ MODE, DATABASE_URL }: Environment): boolean =>
  (MODE?.trim() || (DATABASE_URL?.trim() ? 'production' : 'sandbox')) !== 'sandbox';

/** Writes an error line to standard error. */
export const printError = (line: string): boolean => process.stderr.write(`gateway: ${line}\n`);

/**
 * Writes a line in addition to the result of a command: to standard error, since the result may be
 * JSON.
 */
export const printNote = (line: string): boolean => process.stderr.write(`${line}\n`);
