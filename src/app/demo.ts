import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { Config } from './config.ts';
import type { Db } from '#platform/database/connect.ts';
import { failPoint } from '#platform/kit/fail-points.ts';
import { newApiKey, newId } from '#platform/kit/ids.ts';
import { createSeller } from '#onboarding/create-seller.ts';
import { createFirstOperator } from '#identity/users/creation.ts';
import type { Runtime } from './runtime.ts';
import type { Services } from './services.ts';

/** The credentials of the sandbox, stored in `<data dir>/demo.json`. */
export interface Demo {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly seller: { readonly id: string; readonly email: string; readonly password: string };
  readonly admin: { readonly email: string; readonly password: string };
}

type DemoServices = Pick<Services, 'sellers' | 'apiKeys'>;

/** Any constant that no other lock uses. */
const ADVISORY_LOCK = 7_236_002;

export interface DemoOptions {
  /** Whether this process serves at the configured address. Other commands keep the stored one. */
  readonly serves: boolean;
}

/**
 * Creates the sandbox's first operator and, on an empty database, a demo seller. Returns undefined
 * if the database has sellers whose credentials another data folder has. Of nodes that start at
 * once, one creates the demo and the others find it.
 */
export function prepareDemo(
  runtime: Runtime,
  services: DemoServices,
  options: DemoOptions,
): Promise<Demo | undefined> {
  return runtime.database.db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
    return prepareWhileLocked(runtime, services, options);
  });
}

/**
 * The credentials are written to disk before the database, so that the start after an interrupted
 * one completes it with the same credentials.
 */
async function prepareWhileLocked(
  runtime: Runtime,
  { sellers, apiKeys }: DemoServices,
  { serves }: DemoOptions,
): Promise<Demo | undefined> {
  const { config, clock } = runtime;
  const { db } = runtime.database;
  const file = join(config.dataDir, 'demo.json');
  const stored = (await readDemo(file)) ?? newDemo(config, clock);
  const keepsAddress = !serves && stored.baseUrl !== '';
  const demo = keepsAddress ? stored : { ...stored, baseUrl: `${config.publicUrl}/v1` };
  const { count } = await sellers.list({}, { take: 1, skip: 0, after: undefined });
  const existing = await sellers.find(demo.seller.id);
  if (existing === undefined && count.count > 0) return undefined;
  await writeDemo(config.dataDir, file, demo);
  failPoint('demo.written');
  await createFirstOperator(db, { ...demo.admin, demo: true }, clock.now(), GATEWAY_ACTOR);
  if (existing === undefined) await createDemoSeller(db, demo, clock.now());
  const apiKey = { name: 'demo', role: 'OWNER', key: demo.apiKey } as const;
  await apiKeys.createWithKey(demo.seller.id, apiKey, GATEWAY_ACTOR);
  return demo;
}

async function createDemoSeller(db: Db, { seller }: Demo, now: Date): Promise<void> {
  const input = {
    id: seller.id,
    name: 'Loja Demonstração',
    documentType: 'CNPJ',
    document: '11222333000181',
    ownerName: 'Marina Alves',
    ownerEmail: seller.email,
    ownerPassword: seller.password,
    status: 'ACTIVE',
    demo: true,
  } as const;
  const created = await createSeller(db, input, now, GATEWAY_ACTOR);
  if (!created.ok) throw new Error(`the demo seller cannot be created: ${created.failure}`);
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

/**
 * Whether a password has the form of a generated one. One given as ADMIN_PASSWORD is never printed.
 */
export const isGenerated = (password: string): boolean => /^[\w-]{16}$/.test(password);

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

/** Written under another name and renamed, so that no reader sees a partial file. */
async function writeDemo(directory: string, file: string, demo: Demo): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}.tmp`;
  await writeFile(temporaryFile, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporaryFile, 0o600);
  await rename(temporaryFile, file);
}
