import { setImmediate } from 'node:timers/promises';

import { createFilter } from './ngram-filter.ts';
import { escapeControls, SEPARATOR, VALUE_SEPARATOR, type SearchRecord } from './records.ts';
import type { SegmentTerms } from './store.ts';

/** Other work of the thread waits for so many. */
const RECORDS_PER_TICK = 32;

/** Gathers the values of records, which are in the order of their ids, by field. */
export async function toSegmentTerms(records: readonly SearchRecord[]): Promise<readonly SegmentTerms[]> {
  const byField = new Map<string, { ids: string[]; terms: string[]; values: Set<string> }>();
  for (const [index, { id, fields }] of records.entries()) {
    if (index % RECORDS_PER_TICK === 0) await setImmediate();
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
