import { recordAudit } from '#audit/service.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { Config } from '#app/config.ts';
import type { Database } from '#platform/database/connect.ts';
import { readDomainClock } from '#platform/database/domain-clock.ts';
import { extendChainWithCurrentKey } from '#accounting/ledger/service.ts';
import { rotateKeys, type RotationResult } from '#platform/crypto/service.ts';
import { SecretBox } from '#platform/crypto/secret-box.ts';

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** The report of the command; its members are documented. */
interface RotationReport extends Omit<RotationResult, 'reencrypted'> {
  readonly resealed: RotationResult['reencrypted'];
}

/** Encrypts everything with the first key of ENCRYPTION_KEY, also while a gateway is running. */
export async function runRotateKeys(config: Config, { db }: Database): Promise<RotationReport> {
  const clock = new Clock();
  clock.advanceTo((await readDomainClock(db)).offsetMs);
  const secrets = new SecretBox(config.encryptionKeys);
  const at = clock.now();
  const { key, reencrypted, chains, retired } = await rotateKeys({
    db,
    secrets,
    at,
    extendChainWithCurrentKey: () => extendChainWithCurrentKey(db, secrets, at),
    recordAudit: (trx, rotated) =>
      recordAudit(trx, GATEWAY_ACTOR, {
        action: 'encryption-keys.rotated',
        recordType: 'encryption-keys',
        recordId: null,
        sellerId: null,
        before: null,
        after: {
          keyId: rotated.key,
          retired: rotated.retired,
          chains: rotated.chains,
          values: sum(Object.values(rotated.reencrypted)),
        },
        at,
      }),
  });
  return { key, resealed: reencrypted, chains, retired };
}
