import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { ApiKeysService } from '#identity/api-keys/service.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newApiKey, newId } from '#platform/kit/ids.ts';
import { createSeller } from '#operator/create-seller.ts';
import type { SellersService } from '#sellers/service.ts';
import { createFirstOperator } from '#identity/users/service.ts';

/** What a newcomer needs to try the sandbox, kept in `<data dir>/demo.json`. */
export interface Demo {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly seller: { readonly id: string; readonly email: string; readonly password: string };
  readonly admin: { readonly email: string; readonly password: string };
}

interface DemoDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sellers: SellersService;
  readonly apiKeys: ApiKeysService;
}

/** Any constant does, as long as it is no other lock's. */
const ADVISORY_LOCK = 7_236_002;

/** Of nodes that start at once, one makes the demo and the others find it. */
export function prepareDemo(config: Config, deps: DemoDeps): Promise<Demo | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
    return prepareWhileLocked(config, deps);
  });
}

/**
 * Makes the sandbox's first operator and, on an empty database, a demo seller. The credentials are on disk before
 * they are in the database, so that a start that was cut off is finished by the next one with the same credentials.
 * Undefined where the database has sellers that another data folder knows the credentials of.
 */
async function prepareWhileLocked(
  config: Config,
  { db, clock, sellers, apiKeys }: DemoDeps,
): Promise<Demo | undefined> {
  const file = join(config.dataDir, 'demo.json');
  const demo = { ...((await readDemo(file)) ?? newDemo(config, clock)), baseUrl: `${config.publicUrl}/v1` };
  const { count } = await sellers.list({}, { take: 1, skip: 0, after: undefined });
  const known = await sellers.find(demo.seller.id);
  if (known === undefined && count > 0) return undefined;
  await writeDemo(config.dataDir, file, demo);
  failPoint('demo.written');
  await createFirstOperator(db, demo.admin, clock.now(), GATEWAY_ACTOR);
  if (known === undefined) {
    const created = await createSeller(
      db,
      {
        id: demo.seller.id,
        name: 'Loja Demonstração',
        documentType: 'CNPJ',
        document: '11222333000181',
        ownerName: 'Dona da Loja',
        ownerEmail: demo.seller.email,
        ownerPassword: demo.seller.password,
        status: 'ACTIVE',
      },
      clock.now(),
      GATEWAY_ACTOR,
    );
    if (!created.ok) throw new Error(`the demo seller cannot be made: ${created.failure}`);
  }
  await apiKeys.createWithKey(
    demo.seller.id,
    { name: 'demo', role: 'OWNER', key: demo.apiKey },
    GATEWAY_ACTOR,
  );
  return demo;
}

function newDemo(config: Config, clock: Clock): Demo {
  return {
    baseUrl: '',
    apiKey: newApiKey('test'),
    seller: { id: newId(clock.nowMs()), email: 'seller@example.com', password: newPassword() },
    admin: {
      email: config.adminEmail ?? 'admin@example.com',
      password: config.adminPassword ?? newPassword(),
    },
  };
}

const newPassword = (): string => randomBytes(12).toString('base64url');

async function readDemo(file: string): Promise<Demo | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  const parsed: unknown = JSON.parse(text);
  if (Value.Check(DemoFile, parsed)) return parsed;
  throw new Error(`${file} is not what the gateway wrote; move it away to get new demo credentials`);
}

const DemoFile = Type.Object({
  baseUrl: Type.String(),
  apiKey: Type.String(),
  seller: Type.Object({ id: Type.String(), email: Type.String(), password: Type.String() }),
  admin: Type.Object({ email: Type.String(), password: Type.String() }),
});

/** Written beside and renamed, so that nobody ever reads half a file. */
async function writeDemo(directory: string, file: string, demo: Demo): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}.tmp`;
  await writeFile(temporaryFile, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporaryFile, 0o600);
  await rename(temporaryFile, file);
}
