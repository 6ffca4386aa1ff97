/** Writes a line to standard output. */
export const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Writes an error line to standard error. */
export const printError = (line: string): boolean => process.stderr.write(`gateway: ${line}\n`);

/** Writes a line beside the result of a command: to standard error, since the result may be JSON. */
export const printNote = (line: string): boolean => process.stderr.write(`${line}\n`);
