import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { openMasterKey } from '#platform/crypto/master-key.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS, startNode } from '#test/support/node.ts';
import { run } from '#test/support/process.ts';

/** The master key is in a key management service, which is called by a command. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const KMS = fileURLToPath(new URL('../support/fake-kms.ts', import.meta.url));
let folder: string;
let keyFile: string;
let command: readonly string[];
let gateway: TestGateway;

const settings = () => ({
  JWT_SECRET: String(SHARED_SECRETS['JWT_SECRET']),
  ENCRYPTION_KEY: '',
  ENCRYPTION_KEY_COMMAND: command.join(' '),
});
const program = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  run(words, {
    DATABASE_URL: gateway.database.url,
    MODE: 'sandbox',
    LOG_LEVEL: 'warn',
    ...settings(),
    ...environment,
  }).exit(90_000);
const misbehave = (mode: string) => writeFile(`${keyFile}.mode`, mode);

const storedKeys = () =>
  gateway.database.query<{ id: string; wrapped_key: string }>(
    'SELECT id, wrapped_key FROM encryption_keys WHERE retired_at IS NULL',
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-kms-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, randomBytes(32).toString('hex'));
  command = [process.execPath, KMS, keyFile];
  gateway = await startTestGateway({ worker: false, environment: SHARED_SECRETS });
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

it('rejects a start with the command while data keys are wrapped locally; rotation moves them', async () => {
  const refused = await program(['start']);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('ENCRYPTION_KEY_COMMAND does not fit this database');
  const [before] = await storedKeys();
  const both = { ENCRYPTION_KEY: String(SHARED_SECRETS['ENCRYPTION_KEY']) };
  const twice = await program(['rotate-keys'], both);
  expect(twice.stderr).toContain('set only one of ENCRYPTION_KEY');
  const moved = await program(['rotate-keys', '--master-from', 'key'], both);
  expect(moved.stderr).toMatch(/^mode [^\n]*\n$/);
  const [after] = await storedKeys();
  expect(JSON.parse(moved.stdout)).toEqual({ rewrapped: [before?.id] });
  expect(after?.id).toBe(before?.id);
  expect(after?.wrapped_key).toMatch(/^command:/);

  const early = await program(['rotate-keys']);
  expect(early.code).toBe(1);
  expect(early.stderr).toContain('these running processes do not have the master key command');
  // The gateway of this test continues to serve and counts as restarted with the new setting.
  await gateway.database.query(`
    CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER skip BEFORE INSERT ON master_key_holders FOR EACH ROW
      WHEN (NOT 'command' = ANY (NEW.key_ids)) EXECUTE FUNCTION skip();
    DELETE FROM master_key_holders`);
});

it('starts with the command, and rotates the data key while serving requests', async () => {
  const node = await startNode({ databaseUrl: gateway.database.url, environment: settings() });
  try {
    const card = { number: '4111111111111111', holderName: 'ANA', expirationMonth: 12, expirationYear: 2040 };
    const options = { apiKey: gateway.demo.apiKey };
    const { token } = (await node.post('/card-tokens', card, options)).body.data;
    const rotated = await program(['rotate-keys']);
    expect(rotated.stderr).toMatch(/^mode [^\n]*\n$/);
    const { key, retired }: { key: string; retired: string[] } = JSON.parse(rotated.stdout);
    expect(retired).toHaveLength(1);
    const charged = await node.charge({ method: 'CREDIT_CARD', card: { token }, installments: 1 }, options);
    expect(charged.status).toBe(201);
    await node.post('/card-tokens', card, options);
    const used = await gateway.database.query<{ id: string }>(
      `SELECT DISTINCT split_part(encrypted_number, '.', 2) AS id FROM card_tokens`,
    );
    expect(used).toEqual([{ id: key }]);
    expect((await program(['ledger-check'])).code).toBe(0);
  } finally {
    await node.stop();
  }
});

it.each([
  ['fails', 'ENCRYPTION_KEY_COMMAND unwrap ended with 7: access denied by policy'],
  ['hangs', 'ENCRYPTION_KEY_COMMAND unwrap did not end within 10 seconds'],
  ['garbage', 'ENCRYPTION_KEY_COMMAND unwrap must print the 32 bytes of a data key in base64'],
  ['other key', 'ENCRYPTION_KEY_COMMAND unwraps another key than data key'],
  ['flood', 'ENCRYPTION_KEY_COMMAND unwrap printed more than 16384 bytes'],
])('aborts startup with one line after an invalid response of the command (%s)', async (mode, message) => {
  await misbehave(mode);
  try {
    const exit = await program(['start']);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain(message);
  } finally {
    await misbehave('');
  }
});

it('stores nothing if the command cannot be started or returns an invalid value', async () => {
  const missing = openMasterKey({ setting: 'ENCRYPTION_KEY_COMMAND', command: [join(folder, 'none')] });
  const key = randomBytes(32);
  await expect(missing.wrap('id', key)).rejects.toThrow('ENCRYPTION_KEY_COMMAND wrap cannot be started');
  const before = await storedKeys();
  for (const mode of ['echo', 'flood', 'garbage', 'fails']) {
    await misbehave(mode);
    const exit = await program(['rotate-keys', '--master']);
    expect(exit.code).toBe(1);
    expect(exit.stderr).toContain('ENCRYPTION_KEY_COMMAND');
    expect(await storedKeys()).toEqual(before);
  }
  await misbehave('');
});

it('runs the command without a shell, with its words as arguments', async () => {
  const file = join(folder, 'made-by-a-shell');
  const words = `${command.join(' ')} ; touch ${file}`.split(' ');
  const shell = openMasterKey({ setting: 'ENCRYPTION_KEY_COMMAND', command: words });
  const wrapped = await shell.wrap('id', randomBytes(32)).catch((error: unknown) => String(error));
  expect(wrapped).toMatch(/ENCRYPTION_KEY_COMMAND/);
  await expect(stat(file)).rejects.toThrow('ENOENT');
});
