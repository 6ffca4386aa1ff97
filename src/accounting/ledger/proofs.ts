import { randomUUID } from 'node:crypto';

import { LEDGER_CHAIN_CONTEXT } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { LedgerEntry } from './entries.ts';

/**
 * The proof of ledger entries: an HMAC by the process that booked them, over the content of all
 * entries of their change. A writer to the database without the key cannot book an entry.
 */

/** An entry with its number among those of its change, and the proof of that number. */
export interface ProvenEntry extends LedgerEntry {
  readonly n: number;
  readonly proof: string;
}

/** The record whose change books entries, and when. */
export interface EntrySource {
  readonly sellerId: string;
  readonly recordId: string;
  readonly at: Date;
}

/** The members of an entry that its proof authenticates, besides its source. */
type Content = { readonly [Member in keyof LedgerEntry]: string | number };

/** An entry as it is stored. */
type StoredEntry = EntrySource & Content & { readonly proof: string | null };

/** Proves the entries of one change. A nonce makes each proof unique. */
export function proveEntries(
  secrets: SecretBox,
  source: EntrySource,
  entries: readonly LedgerEntry[],
): readonly ProvenEntry[] {
  if (entries.length === 0) return [];
  const nonce = randomUUID().slice(0, 8);
  const mac = secrets.mac(contentOf(nonce, source, entries), LEDGER_CHAIN_CONTEXT);
  return entries.map((entry, n) => ({ n, ...entry, proof: `${nonce}-${n} ${mac}` }));
}

/**
 * Groups the entries of one balance by change, in their order. The groups are those that the
 * entries claim, so each must be verified with `areProven`.
 */
export function groupByChange<Entry extends StoredEntry>(
  entries: readonly Entry[],
): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const isFirst = entry.proof === null || /^[^-]*-0 /.test(entry.proof);
    if (group === undefined || isFirst) groups.push([entry]);
    else group.push(entry);
  }
  return groups;
}

/**
 * Whether these are all entries of one change as a process with a key in use, or also with a
 * retired one, has booked them.
 */
export function areProven(
  secrets: SecretBox,
  entries: readonly StoredEntry[],
  accepted: 'in use' | 'retired too' = 'in use',
): boolean {
  const [first] = entries;
  const [id, mac] = first?.proof?.split(' ') ?? [];
  if (first === undefined || id === undefined || mac === undefined) return false;
  const nonce = id.slice(0, id.indexOf('-'));
  const belongs = (entry: StoredEntry, n: number): boolean =>
    entry.proof === `${nonce}-${n} ${mac}` &&
    entry.sellerId === first.sellerId &&
    entry.recordId === first.recordId &&
    entry.at.getTime() === first.at.getTime();
  if (!entries.every(belongs)) return false;
  return secrets.verifyMac(mac, contentOf(nonce, first, entries), LEDGER_CHAIN_CONTEXT, accepted);
}

/**
 * The text that a proof authenticates. JSON, so that it is unambiguous. It begins differently from
 * the text of a chain entry, which has the same MAC key.
 */
function contentOf(nonce: string, source: EntrySource, entries: readonly Content[]): string {
  const { sellerId, recordId, at } = source;
  const members: (string | number)[] = ['entries', nonce, sellerId, recordId, at.getTime()];
  for (const { origin, debit, credit, amount, cause } of entries) {
    members.push(origin, debit, credit, amount, cause);
  }
  return JSON.stringify(members);
}
