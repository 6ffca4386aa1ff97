import { readFile } from 'node:fs/promises';

import type pg from 'pg';

import { acquireSchemaLock, connectForSchema, migrationFiles, migrationsIn } from './schema.ts';

/**
 * How Citus places a table: in shards by `seller_id`, as a copy on every node, or on the
 * coordinator alone. Each migration declares it in the line above `CREATE TABLE`, for example `--
 * citus: distributed`.
 */
export type Placement = 'distributed' | 'reference' | 'local';

const TABLE = /^(?:-- citus: (distributed|reference|local)\n)?CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm;

/** Returns the placement of each table that a migration creates, undefined where it names none. */
export const placementsIn = (migration: string): ReadonlyMap<string, Placement | undefined> =>
  new Map(
    Array.from(migration.matchAll(TABLE), ([, placement, table = '']) => [
      table,
      placement === 'distributed' || placement === 'reference' || placement === 'local'
        ? placement
        : undefined,
    ]),
  );

export interface DistributeOptions {
  /** Defaults to the migrations of this version. */
  readonly directory?: string;
  /** The number of shards of each distributed table. Defaults to two for each node that stores them. */
  readonly shards?: number | undefined;
  readonly onTable?: (table: string, placement: Placement) => void;
}

/** Distributing copies the rows under a lock that prevents writes. */
const MAX_BYTES = 1024 ** 3;

/**
 * A batch is divided into a statement for each shard, so few are faster. With two, the number of
 * nodes can double.
 */
const SHARDS_PER_NODE = 2;

/**
 * Tables are referenced and joined in the order of the migrations; all are co-located with this
 * one.
 */
const FIRST_TABLE = 'transactions';

/**
 * Distributes the tables of a migrated database over the nodes of its Citus cluster. Each table is
 * one transaction, and tables that are placed already are left alone, so that an interrupted run
 * can be repeated. Returns the names of the tables that it placed.
 */
export async function distribute(
  databaseUrl: string,
  options: DistributeOptions = {},
): Promise<readonly string[]> {
  const client = await connectForSchema(databaseUrl, 'gateway distribute');
  try {
    await client.query('SET citus.multi_shard_modify_mode TO sequential');
    await acquireSchemaLock(client);
    const directory = migrationsIn(options.directory);
    const { nodes } = await requireCitus(client);
    await requireMigrated(client, directory);
    await requireSmall(client);
    const shards = options.shards ?? SHARDS_PER_NODE * nodes;
    await client.query(`SET citus.shard_count = ${shards}`);
    const placed = await distributeTables(client, directory, options.onTable);
    await createLockFunction(client);
    return placed;
  } finally {
    await client.end();
  }
}

/**
 * Takes the locks that keep shards on their node until the end of the transaction, as writes through
 * Citus do, and fails if one is not there. The owner's rights are needed to take them.
 */
const LOCK_FUNCTION = `
  CREATE FUNCTION lock_shards(ids bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog AS $$
  DECLARE
    present integer;
  BEGIN
    PERFORM lock_shard_metadata(5, ids);
    SELECT count(*) INTO present FROM pg_dist_placement p
    WHERE p.shardid = ANY (ids) AND p.groupid = (SELECT g.groupid FROM pg_dist_local_group g);
    IF present <> cardinality(ids) THEN
      RAISE EXCEPTION 'a shard of % is on another node', ids USING ERRCODE = '55S01';
    END IF;
  END $$`;

/** Last, because processes treat a database as distributed once it exists. */
async function createLockFunction(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regprocedure('lock_shards(bigint[])') IS NOT NULL AS there`,
  );
  if (rows[0]?.there === true) return;
  await client.query('BEGIN');
  await client.query(LOCK_FUNCTION);
  await client.query(`SELECT create_distributed_function('lock_shards(bigint[])')`);
  await client.query('COMMIT');
}

/** Places the tables that migrations have added to a distributed database. */
export async function distributeNewTables(client: pg.Client, directory: URL): Promise<void> {
  if (await isDistributed(client)) await distributeTables(client, directory);
}

async function isDistributed(client: pg.Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rowCount } = await client.query('SELECT 1 FROM pg_dist_partition LIMIT 1');
  return rowCount === 1;
}

async function distributeTables(
  client: pg.Client,
  directory: URL,
  onTable: DistributeOptions['onTable'] = () => undefined,
): Promise<readonly string[]> {
  const wanted = await readPlacements(directory);
  const placed = await findPlaced(client);
  const changed: string[] = [];
  for (const [table, placement] of ordered(wanted)) {
    if (isPlaced(placed.get(table), placement)) continue;
    if (placement === 'local') await undistribute(client, table);
    else await place(client, table, placement, placed);
    placed.set(table, placement);
    changed.push(table);
    onTable(table, placement);
  }
  return changed;
}

/** A local table that refers to none of Citus is unknown to it. */
const isPlaced = (current: Placement | undefined, wanted: Placement): boolean =>
  (current ?? 'local') === wanted;

async function place(
  client: pg.Client,
  table: string,
  placement: 'distributed' | 'reference',
  placed: ReadonlyMap<string, Placement>,
): Promise<void> {
  if (placement === 'reference') await client.query('SELECT create_reference_table($1::regclass)', [table]);
  else {
    const [first] = [...placed].find(([, other]) => other === 'distributed') ?? ['none'];
    const text = `SELECT create_distributed_table($1::regclass, 'seller_id', colocate_with => $2)`;
    await client.query(text, [table, first]);
  }
  // The rows are copied, and remain invisible in the table of the coordinator.
  await client.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [table]);
}

/**
 * Moves the rows of a table that earlier versions distributed to the coordinator. Citus would move
 * the tables that it refers to as well.
 */
async function undistribute(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ readonly name: string; readonly definition: string }>(
    `SELECT quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = $1::regclass AND contype = 'f'`,
    [table],
  );
  await client.query('BEGIN');
  for (const { name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await client.query('SELECT undistribute_table($1::regclass)', [table]);
  for (const { name, definition } of rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  await client.query('COMMIT');
}

/** Reference tables come first, because distributed tables can refer to them only. */
const ordered = (placements: ReadonlyMap<string, Placement>): readonly (readonly [string, Placement])[] => {
  const rank = ([table, placement]: readonly [string, Placement]) =>
    placement === 'reference' ? 0 : table === FIRST_TABLE ? 1 : 2;
  return [...placements].toSorted((a, b) => rank(a) - rank(b));
};

async function readPlacements(directory: URL): Promise<ReadonlyMap<string, Placement>> {
  const found = new Map<string, Placement>();
  for (const name of await migrationFiles(directory)) {
    for (const [table, placement] of placementsIn(await readFile(new URL(name, directory), 'utf8'))) {
      if (placement === undefined) throw new Error(`migration ${name} does not say how ${table} is placed`);
      found.set(table, placement);
    }
  }
  return found;
}

/**
 * The tables that Citus has placed. Local ones that refer to a reference table are known to it too.
 */
async function findPlaced(client: pg.Client): Promise<Map<string, Placement>> {
  const { rows } = await client.query<{ table: string; placement: Placement }>(`
    SELECT c.relname AS table, CASE WHEN p.partmethod = 'h' THEN 'distributed'
      WHEN p.repmodel = 't' THEN 'reference' ELSE 'local' END AS placement
    FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
    WHERE c.relnamespace = current_schema()::regnamespace`);
  return new Map(rows.map(({ table, placement }) => [table, placement]));
}

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  return rowCount === 1;
}

/** Returns the number of nodes that store shards. */
async function requireCitus(client: pg.Client): Promise<{ readonly nodes: number }> {
  if (!(await hasCitus(client))) {
    throw new Error(
      'the database does not have the extension citus: run CREATE EXTENSION citus in it on every node, ' +
        'and add the nodes; see docs/distributed-postgresql.md',
    );
  }
  const { rows } = await client.query<{ coordinator: boolean; nodes: number }>(`
    SELECT (SELECT groupid = 0 FROM pg_dist_local_group) AS coordinator,
      (SELECT count(*)::integer FROM pg_dist_node WHERE noderole = 'primary' AND shouldhaveshards) AS nodes`);
  if (rows[0]?.coordinator !== true) {
    throw new Error('DATABASE_URL names a worker node of the cluster: name its coordinator');
  }
  if (rows[0].nodes === 0) {
    throw new Error('the cluster has no node for shards: add one with citus_add_node');
  }
  return rows[0];
}

async function requireMigrated(client: pg.Client, directory: URL): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS there`,
  );
  const applied =
    rows[0]?.there === true ? await client.query('SELECT name FROM schema_migrations') : undefined;
  const names = new Set(applied?.rows.map(({ name }: { name: string }) => name));
  const missing = (await migrationFiles(directory)).find((name) => !names.has(name));
  if (missing !== undefined) {
    throw new Error(`the database lacks migrations (${missing}): run npm run migrate first`);
  }
}

async function requireSmall(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ bytes: string }>(`
    SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`);
  const bytes = Number(rows[0]?.bytes);
  if (bytes <= MAX_BYTES) return;
  throw new Error(
    `the database is too large to distribute in place (${Math.round(bytes / 1024 ** 2)} MiB, at most ` +
      `${MAX_BYTES / 1024 ** 2}): restore its rows into a distributed one; see ` +
      'docs/distributed-postgresql.md',
  );
}
