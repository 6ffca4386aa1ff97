import type { Db } from '#platform/database/connect.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { Discrepancy } from './check-steps.ts';
import { findHeads, findMac, type ChainHeadRow } from './store-chain.ts';
import { MIN_ID } from '#platform/kit/ids.ts';

/**
 * The heads of the chains, exported to where a writer to the database cannot change them. A chain
 * whose tail was rolled back no longer has its exported head.
 */

const SELLERS_PER_BATCH = 1_000;
const HEADS_PER_LINE = 100;

/** `<seller id> <number> <mac>` of the last entry of a chain. */
const HEAD = /^(?<sellerId>[0-9a-f-]{36}) (?<number>\d{1,15}) (?<mac>v1\.[\w-]+\.[\w-]+)$/;

export interface HeadExport {
  readonly db: Db;
  readonly log: Logger;
  /** Sends heads elsewhere too. Heads that it rejects are exported again. */
  readonly send?: (heads: readonly string[]) => Promise<void>;
}

/** The head that this process exported last. */
type ExportedHead = Omit<ChainHeadRow, 'sellerId'>;

/**
 * Returns the job that exports the heads that have changed since this process exported them. A run
 * covers one batch of sellers; it resolves to true while there are more. A head that is older than
 * the exported one, or another one in its place, is reported in each run and not exported.
 */
export function createHeadExportJob({ db, log, send }: HeadExport): () => Promise<boolean> {
  const exported = new Map<string, ExportedHead>();
  let after = MIN_ID;
  return async () => {
    const batch = await findHeads(db, after, SELLERS_PER_BATCH);
    for (const { sellerId, number } of batch.filter((head) => isRolledBack(head, exported))) {
      log.fatal({ sellerId, chainEntry: number }, 'the ledger chain was rolled back');
    }
    const changed = batch.filter(({ sellerId, number }) => number > (exported.get(sellerId)?.number ?? 0));
    for (let from = 0; from < changed.length; from += HEADS_PER_LINE) {
      const part = changed.slice(from, from + HEADS_PER_LINE);
      const heads = part.map(({ sellerId, number, mac }) => `${sellerId} ${number} ${mac}`);
      log.info({ heads }, 'ledger heads');
      await send?.(heads);
      for (const { sellerId, number, mac } of part) exported.set(sellerId, { number, mac });
    }
    const hasMore = batch.length === SELLERS_PER_BATCH;
    after = hasMore ? (batch.at(-1)?.sellerId ?? MIN_ID) : MIN_ID;
    return hasMore;
  };
}

function isRolledBack(
  { sellerId, number, mac }: ChainHeadRow,
  exported: ReadonlyMap<string, ExportedHead>,
): boolean {
  const known = exported.get(sellerId);
  return known !== undefined && (number < known.number || (number === known.number && mac !== known.mac));
}

/**
 * Reads exported heads: a line of the log, the body of a request, or a single head. Returns
 * undefined if the text is none of these.
 */
export function parseHeads(text: string): readonly string[] | undefined {
  const heads = text.trim().startsWith('{') ? headsOf(text) : [text.trim()];
  return heads.length > 0 && heads.every((head) => HEAD.test(head)) ? heads : undefined;
}

function headsOf(json: string): readonly string[] {
  try {
    const line: unknown = JSON.parse(json);
    if (typeof line !== 'object' || line === null || !('heads' in line) || !Array.isArray(line.heads))
      return [];
    return line.heads.map(String);
  } catch {
    return [];
  }
}

/** Returns a discrepancy for each exported head that is no longer part of its chain. */
export async function checkHeads(db: Db, heads: readonly string[]): Promise<readonly Discrepancy[]> {
  const discrepancies: Discrepancy[] = [];
  for (const head of heads) {
    const { sellerId = '', number = '', mac } = HEAD.exec(head)?.groups ?? {};
    if ((await findMac(db, sellerId, Number(number))) === mac) continue;
    const message = `the exported head ${number} is not part of the chain` as const;
    discrepancies.push({ kind: 'CHAIN', sellerId, message });
  }
  return discrepancies;
}
