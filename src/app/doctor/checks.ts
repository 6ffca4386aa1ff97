import { statfs } from 'node:fs/promises';

import type { Config } from '#app/config.ts';
import type { SystemCheck } from '#operator/system-routes.ts';
import type { Db } from '#platform/database/connect.ts';
import { findRedisProblem } from '#platform/http/redis-rate-limiter.ts';
import { errorMessage } from '#platform/kit/errors.ts';
import {
  findExpiringSoon,
  findFileExpiries,
  findServerExpiry,
  checkReachable,
  type Expiry,
} from './certificates.ts';
import {
  checkBackups,
  checkClock,
  checkDataKeys,
  checkMode,
  checkRole,
  checkSchema,
  checkVersion,
} from './database-checks.ts';
import { withinDeadline } from './deadline.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const DEADLINE_MS = 5_000;
const MIN_FREE_SHARE = 0.1;
const GIBIBYTE = 2 ** 30;

interface NamedCheck {
  readonly name: SystemCheck['name'];
  readonly run: () => Promise<Finding>;
}

/** Checks the environment of the gateway. A check that fails or hangs is a finding. */
export const checkInstallation = async (config: Config, db: Db): Promise<readonly SystemCheck[]> =>
  (await Promise.all([checkDatabase({ mode: config.mode }, db), checkMachine(config)])).flat();

/** A process that serves has compared mode and master key at its start. */
export type CheckedDatabase = Pick<Config, 'mode'> & Partial<Pick<Config, 'masterKey'>>;

/**
 * If the database cannot be reached, only that is reported. What needs the tables is checked once
 * all migrations have run; the mode and the data keys only with a master key.
 */
export async function checkDatabase(
  { mode, masterKey }: CheckedDatabase,
  db: Db,
): Promise<readonly SystemCheck[]> {
  const version = await runCheck({ name: 'database', run: () => checkVersion(db) });
  if (version.status === 'FAILED') return [version];
  const schema = await runCheck({ name: 'schema', run: () => checkSchema(db) });
  const ofTables: readonly NamedCheck[] = [
    { name: 'role', run: () => checkRole(db, mode) },
    ...(masterKey === undefined
      ? []
      : [
          { name: 'mode', run: () => checkMode(db, mode) } as const,
          { name: 'encryption', run: () => checkDataKeys(db, masterKey) } as const,
        ]),
  ];
  const others: readonly NamedCheck[] = [
    ...(schema.status === 'FAILED' ? [] : ofTables),
    { name: 'clock', run: () => checkClock(db) },
    { name: 'backups', run: () => checkBackups(db, mode, new Date()) },
  ];
  return [version, schema, ...(await Promise.all(others.map(runCheck)))];
}

type MachineConfig = Pick<
  Config,
  'mode' | 'certificateFiles' | 'publicUrl' | 'redisUrl' | 'providerUrls' | 'providers' | 'boletoProvider'
>;

export function checkMachine(config: MachineConfig): Promise<readonly SystemCheck[]> {
  const checks: readonly NamedCheck[] = [
    { name: 'disk', run: checkDisk },
    { name: 'certificates', run: () => checkCertificates(config) },
    { name: 'redis', run: () => checkRedis(config) },
    { name: 'providers', run: () => checkProviders(config) },
  ];
  return Promise.all(checks.map(runCheck));
}

const runCheck = async ({ name, run }: NamedCheck): Promise<SystemCheck> => ({
  name,
  ...(await withinDeadline(run(), DEADLINE_MS).catch((error: unknown) => failed(errorMessage(error)))),
});

async function checkDisk(): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(process.cwd());
  const text = `${((bavail * bsize) / GIBIBYTE).toFixed(1)} GiB free in ${process.cwd()}`;
  return bavail / blocks < MIN_FREE_SHARE ? warning(`${text}, less than a tenth`) : ok(text);
}

async function checkCertificates(config: MachineConfig): Promise<Finding> {
  const publicUrl = new URL(config.publicUrl);
  const isPublic = publicUrl.protocol === 'https:';
  const files = await findFileExpiries(config.certificateFiles);
  const server = isPublic ? await findServerExpiry(publicUrl).catch(errorMessage) : undefined;
  const known: readonly Expiry[] = typeof server === 'object' ? [...files, server] : files;
  const now = new Date();
  const soon = findExpiringSoon(known, now);
  const [first] = soon;
  if (first !== undefined) {
    const text = soon.map(({ name, validTo }) => `${name} ends at ${validTo.toISOString()}`).join('; ');
    return first.validTo < now ? failed(text) : warning(text);
  }
  if (typeof server === 'string') {
    return warning(`the certificate of ${publicUrl.host} cannot be read from here: ${server}`);
  }
  return ok(known.length === 0 ? 'none is configured' : 'valid for 30 days or more');
}

async function checkRedis({ redisUrl }: MachineConfig): Promise<Finding> {
  if (redisUrl === undefined) return ok('none is configured');
  const problem = await findRedisProblem(redisUrl);
  return problem === undefined ? ok('counts rate limits') : failed(`${problem}: check REDIS_URL`);
}

async function checkProviders(config: MachineConfig): Promise<Finding> {
  const { mode, providerUrls, providers, boletoProvider } = config;
  const isNone = providers.pix.length === 0 && providers.card.length === 0 && boletoProvider === undefined;
  if (mode === 'production' && isNone) {
    return warning('no payment method is available: set PIX_PROVIDER, BOLETO_PROVIDER or CARD_PROVIDER');
  }
  const problems = await Promise.all(
    providerUrls.map(({ name, value }) =>
      checkReachable(new URL(value)).then(
        () => [],
        (error: unknown) => [`${name}: ${errorMessage(error)}`],
      ),
    ),
  );
  if (problems.flat().length > 0) return failed(problems.flat().join('; '));
  return ok(providerUrls.length === 0 ? 'no address is configured' : 'reachable');
}
