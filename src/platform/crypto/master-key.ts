import { spawn } from 'node:child_process';

import { keyIdOf, SecretBox } from './secret-box.ts';

/** Where the master key comes from, and the setting that says so. */
export type MasterKeySource =
  | { readonly setting: 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_FILE'; readonly keys: readonly Buffer[] }
  | { readonly setting: 'ENCRYPTION_KEY_COMMAND'; readonly command: readonly string[] };

/** Wraps and unwraps data keys. With a command, the master key never enters this process. */
export interface MasterKey {
  readonly setting: MasterKeySource['setting'];
  /** The ids of its keys, the one that wraps first. They reveal nothing about the keys. */
  readonly keyIds: readonly [string, ...string[]];
  readonly wrap: (id: string, key: Buffer) => Promise<string>;
  /** @throws MasterKeyError if the master key does not unwrap it */
  readonly unwrap: (id: string, wrapped: string) => Promise<Buffer>;
  /** Whether a key was wrapped by the current master key, as far as that can be determined. */
  readonly isCurrent: (wrapped: string) => boolean;
}

/** The master key does not fit. The message is for the operator and contains no key. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

const COMMAND_PREFIX = 'command:';
const COMMAND_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_LENGTH = 16_384;
const WRAPPED_FORM = /^[\x21-\x7e]{1,8192}$/;
const KEY_FORM = /^[A-Za-z0-9+/]{43}=$/;
const DATA_KEY_LENGTH = 32;

export const openMasterKey = (source: MasterKeySource): MasterKey =>
  'keys' in source ? localMasterKey(source) : commandMasterKey(source.command);

/** The first key wraps and all unwrap. */
function localMasterKey({ setting, keys }: Extract<MasterKeySource, { keys: unknown }>): MasterKey {
  const box = new SecretBox(keys);
  return {
    setting,
    keyIds: [box.currentKeyId, ...box.keyIds.filter((id) => id !== box.currentKeyId)],
    wrap: async (id, key) => box.encrypt(key.toString('base64'), contextOf(id)),
    async unwrap(id, wrapped) {
      if (wrapped.startsWith(COMMAND_PREFIX)) throw wrongSource(setting, 'ENCRYPTION_KEY_COMMAND');
      const masterId = keyIdOf(wrapped);
      if (!box.hasKey(masterId)) {
        throw new MasterKeyError(
          `${setting} does not fit this database: its data keys are wrapped with key ${masterId}, and ` +
            `${setting} has key ${box.keyIds.join(', ')}. Set it to the key used before (a sandbox without ` +
            'the setting stores its key in secrets.json of DATA_DIR). To replace a key, set the new key, a ' +
            'comma and the old key, and run npm run rotate-keys -- --master',
        );
      }
      return parseDataKey(decryptOrThrow(box, id, wrapped, setting));
    },
    isCurrent: (wrapped) => !wrapped.startsWith(COMMAND_PREFIX) && keyIdOf(wrapped) === box.currentKeyId,
  };
}

function decryptOrThrow(box: SecretBox, id: string, wrapped: string, setting: string): string {
  try {
    return box.decrypt(wrapped, contextOf(id));
  } catch (cause) {
    throw new MasterKeyError(`${setting} does not unwrap data key ${id}, which was changed in the database`, {
      cause,
    });
  }
}

const contextOf = (id: string): string => `data key ${id}`;

function wrongSource(setting: string, wrappedBy: string): MasterKeyError {
  return new MasterKeyError(
    `${setting} does not fit this database: its data keys are wrapped by ${wrappedBy}. Set that alone, or ` +
      'move them with npm run rotate-keys -- --master-from',
  );
}

function parseDataKey(text: string): Buffer {
  const key = Buffer.from(KEY_FORM.test(text) ? text : '', 'base64');
  return key.length === DATA_KEY_LENGTH ? key : Buffer.alloc(0);
}

/**
 * A program that wraps and unwraps for a key management service: `COMMAND wrap` reads the base64 of
 * a data key from its input and prints the wrapped key, `COMMAND unwrap` the reverse.
 */
function commandMasterKey(command: readonly string[]): MasterKey {
  const setting = 'ENCRYPTION_KEY_COMMAND';
  const unwrap = async (_id: string, wrapped: string): Promise<Buffer> => {
    if (!wrapped.startsWith(COMMAND_PREFIX)) throw wrongSource(setting, 'ENCRYPTION_KEY or _FILE');
    const key = parseDataKey(await runCommand(command, 'unwrap', wrapped.slice(COMMAND_PREFIX.length)));
    if (key.length > 0) return key;
    throw new MasterKeyError(`${setting} unwrap must print the 32 bytes of a data key in base64`);
  };
  return {
    setting,
    // The service knows its keys, and gives them no id.
    keyIds: ['command'],
    async wrap(_id, key) {
      const wrapped = await runCommand(command, 'wrap', key.toString('base64'));
      if (!WRAPPED_FORM.test(wrapped) || wrapped.includes(key.toString('base64'))) {
        throw new MasterKeyError(
          `${setting} wrap must print the encrypted key: one line of at most 8192 characters without spaces`,
        );
      }
      return `${COMMAND_PREFIX}${wrapped}`;
    },
    unwrap,
    // The service knows which of its keys it uses; the wrapped key does not say.
    isCurrent: (wrapped) => wrapped.startsWith(COMMAND_PREFIX),
  };
}

/** Runs the command without a shell. The result is what it prints, trimmed. */
function runCommand(command: readonly string[], verb: 'wrap' | 'unwrap', input: string): Promise<string> {
  const [file = '', ...args] = command;
  const failed = (reason: string, cause?: unknown): MasterKeyError =>
    new MasterKeyError(`ENCRYPTION_KEY_COMMAND ${verb} ${reason}`, { cause });
  return new Promise((resolve, reject) => {
    // A group of its own, so that the deadline ends what the command has started too.
    const child = spawn(file, [...args, verb], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let length = 0;
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      kill();
      reject(failed(`did not end within ${COMMAND_TIMEOUT_MS / 1_000} seconds`));
    }, COMMAND_TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_OUTPUT_LENGTH) output.push(chunk);
      else kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errors.length < 16) errors.push(chunk);
    });
    // A command that reads nothing closes its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${input}\n`);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(failed(`cannot be started: ${error.message}`, error));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (length > MAX_OUTPUT_LENGTH) reject(failed(`printed more than ${MAX_OUTPUT_LENGTH} bytes`));
      else if (code === 0) resolve(Buffer.concat(output).toString('utf8').trim());
      else reject(failed(`ended with ${signal ?? code}${firstLineOf(Buffer.concat(errors))}`));
    });
  });
}

function firstLineOf(output: Buffer): string {
  const [line = ''] = output.toString('utf8').trim().split('\n');
  return line === '' ? '' : `: ${line.slice(0, 300)}`;
}
