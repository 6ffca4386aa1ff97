import { setImmediate } from 'node:timers/promises';

import { yieldEvery } from '#platform/kit/event-loop.ts';
import { createFilter } from './ngram-filter.ts';
import { escapeControls, SEPARATOR, VALUE_SEPARATOR, type SearchRecord } from './records.ts';
import type { SegmentTerms } from './store.ts';

/** Other work of the thread waits for so many. */
const RECORDS_PER_TURN = 32;

/** Gathers the values of records, which are in the order of their ids, by field. */
export async function toSegmentTerms(records: readonly SearchRecord[]): Promise<readonly SegmentTerms[]> {
  const byField = new Map<string, { ids: string[]; terms: string[]; values: Set<string> }>();
  const afterRecord = yieldEvery(RECORDS_PER_TURN);
  for (const { id, fields } of records) {
    await afterRecord();
    for (const [field, ...values] of fields) {
      const entry = byField.get(field) ?? { ids: [], terms: [], values: new Set() };
      byField.set(field, entry);
      const escaped = values.map((value) => escapeControls(value));
      entry.ids.push(id);
      entry.terms.push(escaped.join(VALUE_SEPARATOR));
      for (const value of escaped) entry.values.add(value);
    }
  }
  const found: SegmentTerms[] = [];
  for (const [field, { ids, terms, values }] of byField) {
    await setImmediate();
    const text = SEPARATOR + terms.join(SEPARATOR) + SEPARATOR;
    found.push({ field, ids, terms: text, ngrams: createFilter(values) });
  }
  return found;
}
