import { createFilter } from './ngram-filter.ts';
import { escapeControls, SEPARATOR, VALUE_SEPARATOR, type SearchRecord } from './records.ts';
import type { SegmentTerms } from './store.ts';

/** Gathers the values of records, which are in the order of their ids, by field. */
export function toSegmentTerms(records: readonly SearchRecord[]): readonly SegmentTerms[] {
  const byField = new Map<string, { ids: string[]; terms: string[]; values: Set<string> }>();
  for (const { id, fields } of records) {
    for (const [field, ...values] of fields) {
      const entry = byField.get(field) ?? { ids: [], terms: [], values: new Set() };
      byField.set(field, entry);
      const escaped = values.map((value) => escapeControls(value));
      entry.ids.push(id);
      entry.terms.push(escaped.join(VALUE_SEPARATOR));
      for (const value of escaped) entry.values.add(value);
    }
  }
  return Array.from(byField, ([field, { ids, terms, values }]) => ({
    field,
    ids,
    terms: SEPARATOR + terms.join(SEPARATOR) + SEPARATOR,
    ngrams: createFilter(values),
  }));
}
