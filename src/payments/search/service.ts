import { sql } from 'kysely';

import type { Db } from '#platform/database/connect.ts';
import { cappedCount, COUNT_CAP, type ListCount } from '#platform/http/pagination.ts';
import type { SearchScope } from './records.ts';
import { countMatching } from './store-matches.ts';

export { createSearchIndexJob } from './indexing.ts';
export {
  containsText,
  joinedTexts,
  MAX_LOOKUP_RESULTS,
  normalizeText,
  runLookup,
  searchHash,
  searchHashes,
} from './lookup.ts';
export {
  metadataField,
  metadataTexts,
  type SearchRange,
  type SearchRecord,
  type SearchScope,
  type SearchSource,
} from './records.ts';
export { deleteTermsOf as deleteFromSearchIndex } from './store.ts';
export { matchingIds } from './store-matches.ts';

/** Counts the records that match the only term of a scope, up to a limit. */
export async function countMatches(db: Db, scope: SearchScope): Promise<ListCount> {
  const { rows } = await sql<{ count: number }>`
    SELECT ${countMatching(scope, COUNT_CAP)} AS count`.execute(db);
  return cappedCount(rows[0]?.count ?? 0);
}
