import { maskDocument } from '#platform/kit/masks.ts';

/** What of a record stands in the audit log: the members that changed, and of those nothing that must stay secret. */

export type Members = Readonly<Record<string, unknown>>;

export interface ChangedMembers {
  readonly before: Members | null;
  readonly after: Members | null;
}

/** Names that a slip of the hand may let through. A whole record must never be given to the log unread. */
const SECRET_NAMES = /password|hash|secret|token|encrypted|payee|^key$|apikey/i;

/**
 * The members that differ, as they may be kept. Undefined where both are given and nothing differs: such a change is none.
 * Throws for a member that is named like a secret.
 */
export function changedMembers(before: Members | null, after: Members | null): ChangedMembers | undefined {
  for (const name of [...Object.keys(before ?? {}), ...Object.keys(after ?? {})]) {
    if (SECRET_NAMES.test(name)) throw new Error(`the member ${name} must not be written into the audit log`);
  }
  if (before === null || after === null) return { before: maskMembers(before), after: maskMembers(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (differing.length === 0) return undefined;
  return { before: maskMembers(pick(before, differing)), after: maskMembers(pick(after, differing)) };
}

const pick = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.filter((name) => name in members).map((name) => [name, members[name]]));

function maskMembers(members: Members | null): Members | null {
  if (members === null) return null;
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'string' ? maskText(name, value) : value,
    ]),
  );
}

function maskText(name: string, text: string): string {
  if (name === 'document') return maskDocument(text.length === 11 ? 'CPF' : 'CNPJ', text);
  if (name === 'url') return withoutQuery(text);
  return text;
}

/** Sellers put keys of their own into the query of an address; that there is one may be seen, what it says may not. */
function withoutQuery(text: string): string {
  const from = text.search(/[?#]/);
  return from === -1 ? text : `${text.slice(0, from)}?…`;
}
