import { parseArgs } from 'node:util';

import type { Members } from '#audit/members.ts';
import { extendChainWithCurrentKey } from '#accounting/ledger/service.ts';
import type { Action } from '#audit/actions.ts';
import { recordAudit } from '#audit/service.ts';
import type { EncryptionConfig } from '#app/config.ts';
import { openClock } from '#app/runtime.ts';
import { readDataKeys, rewrapDataKeys } from '#platform/crypto/data-keys.ts';
import { requireKnownMasterKey } from '#platform/crypto/key-holders.ts';
import { openMasterKey, type MasterKeySource } from '#platform/crypto/master-key.ts';
import { rotateKeys, type RotationResult } from '#platform/crypto/service.ts';
import type { Database, DatabaseTransaction } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const SETTING_OF = {
  key: 'ENCRYPTION_KEY',
  file: 'ENCRYPTION_KEY_FILE',
  command: 'ENCRYPTION_KEY_COMMAND',
} as const;

interface RotateKeysOptions {
  /** Whether data keys are wrapped again and stay the same. */
  readonly onlyMaster: boolean;
  /** The setting of the master key that wrapped them before. */
  readonly from: MasterKeySource['setting'] | undefined;
}

export function parseRotateKeys(args: readonly string[]): RotateKeysOptions {
  const options = { master: { type: 'boolean' }, 'master-from': { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const from = values['master-from'];
  if (from === undefined) return { onlyMaster: values.master === true, from };
  if (from !== 'key' && from !== 'file' && from !== 'command') {
    throw new Error('--master-from must be key, file or command');
  }
  return { onlyMaster: true, from: SETTING_OF[from] };
}

/** Encrypts everything with a new data key, also while a gateway is running. */
export async function runRotateKeys(config: EncryptionConfig, { db }: Database): Promise<RotationResult> {
  const at = (await openClock(db)).now();
  return rotateKeys({
    db,
    master: openMasterKey(config.masterKey),
    at,
    extendChainWithCurrentKey: (secrets) => extendChainWithCurrentKey(db, secrets, at),
    recordAudit: (trx, rotated) =>
      recordKeyAudit(trx, at, 'encryption-keys.rotated', {
        keyId: rotated.key,
        rewrapped: rotated.rewrapped,
        retired: rotated.retired,
        chains: rotated.chains,
        values: sum(Object.values(rotated.reencrypted)),
      }),
  });
}

/** Wraps all data keys with the master key again, which may have moved to another source. */
export async function runRewrapKeys(
  config: EncryptionConfig,
  { db }: Database,
): Promise<Pick<RotationResult, 'rewrapped'>> {
  const at = (await openClock(db)).now();
  const master = openMasterKey(config.masterKey);
  const from = config.masterKeyFrom === undefined ? master : openMasterKey(config.masterKeyFrom);
  // Processes cannot have both sources of a move. They keep the data keys that they have unwrapped.
  if (config.masterKeyFrom === undefined) {
    await readDataKeys(db, master);
    await requireKnownMasterKey(db, master);
  }
  const rewrapped = await rewrapDataKeys(db, master, { from, all: true });
  await db
    .transaction()
    .execute((trx) =>
      recordKeyAudit(trx, at, 'encryption-keys.rewrapped', { setting: master.setting, rewrapped }),
    );
  return { rewrapped };
}

const recordKeyAudit = (trx: DatabaseTransaction, at: Date, action: Action, after: Members): Promise<void> =>
  recordAudit(trx, GATEWAY_ACTOR, {
    action,
    recordType: 'encryption-keys',
    recordId: null,
    sellerId: null,
    before: null,
    after,
    at,
  });
