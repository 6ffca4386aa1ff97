import { readdirSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cloneDatabase, type TestDatabase } from '#test/support/database.ts';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import { EXEMPTIONS } from './exemptions.ts';
import { PlanExplainer, PLAN_MODES } from './explain.ts';
import { fillLargeSeller, fillSmallSellers } from './fill.ts';

let database: TestDatabase;
let explainer: PlanExplainer;

/**
 * The statistics of the tables in turn: from before the large seller's records, of all records, and
 * none, as right after a restore.
 */
const STATISTICS = {
  async stale() {
    await fillSmallSellers(database);
    await database.query('ANALYZE');
    await fillLargeSeller(database);
  },
  async fresh() {
    await database.query('ANALYZE');
  },
  async no() {
    await database.query('DELETE FROM pg_statistic WHERE starelid >= 16384');
    await database.query(
      'UPDATE pg_class SET relpages = 0, reltuples = -1, relallvisible = 0 WHERE oid >= 16384',
    );
  },
} as const;

beforeAll(async () => {
  database = await cloneDatabase();
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  for (const { name } of tables) {
    await database.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  }
  explainer = new PlanExplainer(database.ownerUrl);
});
afterAll(async () => {
  await explainer.close();
  await database.drop();
});

interface Excess {
  readonly function: string;
  readonly args: string;
  readonly mode: string;
  readonly pages: number;
  readonly maxPages: number;
  readonly text: string;
}

async function findExcesses(call: Call): Promise<readonly Excess[]> {
  const excesses: Excess[] = [];
  const { read, args, maxPages } = call;
  const sent = await explainer.record(call);
  if (sent.length === 0) throw new Error(`${read.name} sent no statement`);
  for (const mode of PLAN_MODES) {
    const counts = await explainer.pagesOf(sent, mode);
    for (const { text, pages } of counts) {
      if (pages <= maxPages) continue;
      excesses.push({ function: read.name, args: JSON.stringify(args), mode, pages, maxPages, text });
    }
  }
  return excesses;
}

describe('the pages that the statements of the stores read', () => {
  it.each(['stale', 'fresh', 'no'] as const)(
    'stay within their bounds with %s statistics',
    { timeout: 180_000 },
    async (statistics) => {
      await STATISTICS[statistics]();
      const excesses: Excess[] = [];
      for (const call of CALLS) {
        excesses.push(...(await findExcesses(call)), ...(await findExcesses(call.forSmallSeller())));
      }
      expect(excesses).toEqual([]);
    },
  );
});

const SOURCE = new URL('../../src/', import.meta.url);

describe('the list of calls', () => {
  it('contains every function of every store, except those with a reason', async () => {
    const called = new Set<unknown>(CALLS.map(({ read }) => read));
    const stores = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(^|\/)store[^/]*(?<!\.test)\.ts$/.test(path),
    );
    const uncalled: string[] = [];
    for (const path of stores) {
      const module: Record<string, unknown> = await import(new URL(path, SOURCE).href);
      for (const [name, exported] of Object.entries(module)) {
        if (typeof exported === 'function' && !called.has(exported)) uncalled.push(`${path} ${name}`);
      }
    }
    const exempt = EXEMPTIONS.flatMap(({ functions }) => functions);
    expect(uncalled.toSorted()).toEqual(exempt.toSorted());
  });
});
