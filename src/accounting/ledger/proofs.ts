import { randomUUID } from 'node:crypto';

import { LEDGER_CHAIN_CONTEXT } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { LedgerEntry } from './entries.ts';

/**
 * The proof of a ledger entry: an HMAC by the process that booked it, over its content. Whoever can
 * write to the database, and has no key, cannot book an entry.
 */

/** An entry with its number among those of its change, and its proof. */
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

/** What the proof states of an entry beside its source. */
type Content = { readonly [Member in keyof LedgerEntry]: string | number };

/** Proves the entries of one change. A nonce makes each proof unique. */
export function proveEntries(
  secrets: SecretBox,
  cause: EntrySource,
  entries: readonly LedgerEntry[],
): readonly ProvenEntry[] {
  if (entries.length === 0) return [];
  const nonce = randomUUID().slice(0, 8);
  return entries.map((entry, n) => {
    const id = `${nonce}-${n}`;
    const mac = secrets.mac(contentOf(id, cause, entry), LEDGER_CHAIN_CONTEXT);
    return { n, ...entry, proof: `${id} ${mac}` };
  });
}

/**
 * Whether a process with a key in use, or also with a retired one, has booked an entry with this
 * content.
 */
export function isProven(
  secrets: SecretBox,
  content: EntrySource & Content & { readonly proof: string | null },
  accepted: 'in use' | 'retired too' = 'in use',
): boolean {
  const [id, mac] = content.proof?.split(' ') ?? [];
  if (id === undefined || mac === undefined) return false;
  return secrets.verifyMac(mac, contentOf(id, content, content), LEDGER_CHAIN_CONTEXT, accepted);
}

/** Begins unlike the text of a chain entry, which has the same MAC key. */
function contentOf(id: string, { sellerId, recordId, at }: EntrySource, entry: Content): string {
  const { origin, debit, credit, amount, cause } = entry;
  return `entry ${id} ${sellerId} ${recordId} ${origin} ${debit} ${credit} ${amount} ${cause} ${at.getTime()}`;
}
