import type { NamedStatement } from '#platform/database/statements.ts';
import type { Shard } from './shards.ts';

/** Words that may follow a table and are not its alias. */
const NOT_ALIASES = new Set(
  (
    'where set on order group limit inner left right full join cross natural values select returning for ' +
    'union except intersect using window having offset default overriding tablesample with and or then end'
  ).split(' '),
);

/** What the statements of a set of names share. */
interface Renaming {
  readonly pattern: RegExp;
  /** The latest statements with the names of the shards. */
  readonly renamed: Map<string, string>;
}

const RENAMINGS = new WeakMap<ReadonlyMap<string, string>, Renaming>();

/** Statements are few, except those with lists of values. */
const MAX_RENAMED = 1_000;

/**
 * Replaces the names of tables by the names of their shards. A table without an alias gets its own
 * name as alias, since columns may be qualified with it. Tables must follow FROM, JOIN, INTO,
 * UPDATE and USING only, never after a comma.
 */
export function renameTables(statement: string, names: ReadonlyMap<string, string>): string {
  let renaming = RENAMINGS.get(names);
  if (renaming === undefined) RENAMINGS.set(names, (renaming = createRenaming(names)));
  const { pattern, renamed } = renaming;
  let text = renamed.get(statement);
  if (text === undefined) {
    if (renamed.size >= MAX_RENAMED) renamed.clear();
    text = replaceTables(statement, pattern, names);
    renamed.set(statement, text);
  }
  return text;
}

/** A named statement on a shard, which has prepared statements of its own. */
export const statementOnShard = ({ name, text }: NamedStatement, { id, names }: Shard): NamedStatement => ({
  name: `${name}-${id}`,
  text: renameTables(text, names),
});

function createRenaming(names: ReadonlyMap<string, string>): Renaming {
  const tables = [...names.keys()].join('|');
  const pattern = new RegExp(
    String.raw`\b(from|join|into|update|using)(\s+)"?\b(${tables})\b"?` +
      String.raw`(?!\s*\.)(\s+as\b)?(?=(?:\s+"?(\w+)"?)?)`,
    'gi',
  );
  return { pattern, renamed: new Map() };
}

function replaceTables(statement: string, pattern: RegExp, names: ReadonlyMap<string, string>): string {
  return statement.replace(pattern, (...groups) => {
    const [, word, space, table, as, next] = groups.map((group: unknown) =>
      typeof group === 'string' ? group : undefined,
    );
    const shard = `${word}${space}${names.get(table ?? '')}`;
    if (as !== undefined) return shard + as;
    const hasAlias = next !== undefined && !NOT_ALIASES.has(next.toLowerCase());
    return hasAlias ? shard : `${shard} AS ${table}`;
  });
}
