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

/** Seals everything anew with the first key of ENCRYPTION_KEY; beside a running gateway too. */
export async function runRotateKeys(config: Config, { db }: Database): Promise<RotationResult> {
  const clock = new Clock();
  clock.advanceTo((await readDomainClock(db)).offsetMs);
  const secrets = new SecretBox(config.encryptionKeys);
  const at = clock.now();
  return rotateKeys({
    db,
    secrets,
    at,
    extendChainWithCurrentKey: () => extendChainWithCurrentKey(db, secrets, at),
    recordAudit: (trx, { key, reencrypted, chains, retired }) =>
      recordAudit(trx, GATEWAY_ACTOR, {
        action: 'encryption-keys.rotated',
        recordType: 'encryption-keys',
        recordId: null,
        sellerId: null,
        before: null,
        after: { keyId: key, retired, chains, values: sum(Object.values(reencrypted)) },
        at,
      }),
  });
}
