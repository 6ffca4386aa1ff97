import { containsCardNumber } from '#formats/card/card-number-detection.ts';
import type { Violation } from './errors.ts';
import type { CrossFieldRule } from './validation.ts';

const RULE = 'must not contain a card number';

/**
 * Rejects card numbers in free text, which is stored in the clear, exported and sent to webhooks:
 * `title`, `description`, `externalRef`, the items' titles and references, and keys and values of
 * `metadata`.
 */
export const cardNumberRule: CrossFieldRule = ({
  title,
  description,
  externalRef,
  metadata,
  customer,
  items,
}) => {
  const members: [readonly string[], unknown][] = [
    [['title'], title],
    [['description'], description],
    [['externalRef'], externalRef],
    [['customer', 'externalRef'], memberOf(customer, 'externalRef')],
  ];
  if (Array.isArray(items)) {
    for (const [index, item] of items.entries()) {
      members.push([['items', String(index), 'title'], memberOf(item, 'title')]);
      members.push([['items', String(index), 'externalRef'], memberOf(item, 'externalRef')]);
    }
  }
  const violations = members.flatMap(([path, value]): Violation[] =>
    typeof value === 'string' && containsCardNumber(value) ? [{ path, rule: RULE }] : [],
  );
  return [...violations, ...metadataViolations(metadata)];
};

/** Walks the values without recursion: their depth is the client's choice. */
function metadataViolations(metadata: unknown): readonly Violation[] {
  const violations: Violation[] = [];
  const pending: { readonly path: readonly string[]; readonly value: unknown }[] = [
    { path: ['metadata'], value: metadata },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' || typeof value === 'number') {
      if (containsCardNumber(String(value))) violations.push({ path, rule: RULE });
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      // The message must not repeat the number of a key.
      if (members.some(([key]) => containsCardNumber(key))) violations.push({ path, rule: RULE });
      else for (const [key, member] of members) pending.push({ path: [...path, key], value: member });
    }
  }
  return violations.toReversed();
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
