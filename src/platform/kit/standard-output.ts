import { fstatSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

const STANDARD_OUTPUT = 1;

/** How much may wait for a reader of a pipe. Lines beyond it are dropped. */
const MAX_WAITING_BYTES = 131_072;

/** Where the log is written. A line that cannot be written never delays or ends the process. */
export interface LogOutput {
  write(line: string): void;
  /** Lines that could not be written. */
  readonly dropped: number;
  /** Resolves when no line waits, or after a time. */
  drained(timeoutMs: number): Promise<void>;
}

let opened: LogOutput | undefined;

/** The log's output of this process, which all its loggers share. */
export function standardOutput(): LogOutput {
  opened ??= openStandardOutput();
  return opened;
}

function openStandardOutput(): LogOutput {
  // Without a listener, an error of these streams would end the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return isStream() ? streamOutput(process.stdout) : fileOutput(STANDARD_OUTPUT);
}

function isStream(): boolean {
  try {
    const stat = fstatSync(STANDARD_OUTPUT);
    return stat.isFIFO() || stat.isSocket() || isatty(STANDARD_OUTPUT);
  } catch {
    return false;
  }
}

/**
 * A pipe, socket or terminal: Node does not block on it, and keeps what its reader does not take.
 */
function streamOutput(stream: NodeJS.WriteStream): LogOutput {
  let dropped = 0;
  return {
    write(line) {
      if (stream.errored !== null || stream.writableLength > MAX_WAITING_BYTES) dropped += 1;
      else stream.write(line);
    },
    get dropped() {
      return dropped;
    },
    drained: (timeoutMs) =>
      new Promise((resolve) => {
        if (stream.writableLength === 0) resolve();
        else {
          stream.write('', () => resolve());
          setTimeout(resolve, timeoutMs).unref();
        }
      }),
  };
}

/** A file: a full file system fails at once. The rest of a line that was cut is written first. */
function fileOutput(descriptor: number): LogOutput {
  let dropped = 0;
  let rest = Buffer.alloc(0);
  return {
    write(line) {
      try {
        rest = writeFrom(descriptor, rest);
        if (rest.length === 0) rest = writeFrom(descriptor, Buffer.from(line));
        else dropped += 1;
      } catch {
        dropped += 1;
      }
    },
    get dropped() {
      return dropped;
    },
    drained: async () => undefined,
  };
}

/** Returns what did not fit. */
function writeFrom(descriptor: number, bytes: Buffer): Buffer<ArrayBuffer> {
  const written = bytes.length === 0 ? 0 : writeSync(descriptor, bytes);
  return Buffer.from(bytes.subarray(written));
}
