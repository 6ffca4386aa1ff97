import { maskDocument, maskUrl } from '#platform/kit/masks.ts';
import type { MemberName } from './member-names.ts';

/** Members of a record in the audit log. */
export type Members = { readonly [Name in MemberName]?: unknown };

type AnyMembers = Readonly<Record<string, unknown>>;

export interface ChangedMembers {
  readonly before: AnyMembers | null;
  readonly after: AnyMembers | null;
}

/** Names of secrets, in case a caller passes a whole record. */
const SECRET_NAMES = /password|hash|secret|token|encrypted|payee|^key$|apikey/i;

/**
 * Returns the members that differ, masked. Returns undefined if both are given and nothing differs.
 *
 * @throws Error for a member that is named like a secret.
 */
export function changedMembers(
  before: AnyMembers | null,
  after: AnyMembers | null,
): ChangedMembers | undefined {
  for (const name of [...Object.keys(before ?? {}), ...Object.keys(after ?? {})]) {
    if (SECRET_NAMES.test(name)) throw new Error(`the member ${name} must not be in the audit log`);
  }
  if (before === null || after === null) return { before: maskMembers(before), after: maskMembers(after) };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (differing.length === 0) return undefined;
  return { before: maskMembers(pick(before, differing)), after: maskMembers(pick(after, differing)) };
}

const pick = (members: AnyMembers, names: readonly string[]): AnyMembers =>
  Object.fromEntries(names.filter((name) => name in members).map((name) => [name, members[name]]));

function maskMembers(members: AnyMembers | null): AnyMembers | null {
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
  if (name === 'url') return maskUrl(text);
  return text;
}
