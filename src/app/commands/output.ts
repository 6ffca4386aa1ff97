/** Writes a line to standard output. */
export const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Writes an error line to standard error. */
export const printError = (line: string): boolean => process.stderr.write(`gateway: ${line}\n`);
