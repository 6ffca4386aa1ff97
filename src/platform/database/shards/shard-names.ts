/** Words that may follow a table and are not its alias. */
const NOT_ALIASES = new Set(
  (
    'where set on order group limit inner left right full join cross natural values select returning for ' +
    'union except intersect using window having offset default overriding tablesample with and or then end'
  ).split(' '),
);

/** Compiled once for each set of names. */
const PATTERNS = new WeakMap<ReadonlyMap<string, string>, RegExp>();

/**
 * Replaces the names of tables by the names of their shards. A table without an alias gets its own
 * name as alias, since columns may be qualified with it. Tables must follow FROM, JOIN, INTO,
 * UPDATE and USING only, never after a comma.
 */
export function renameTables(statement: string, names: ReadonlyMap<string, string>): string {
  const tables = [...names.keys()].join('|');
  let pattern = PATTERNS.get(names);
  if (pattern === undefined) {
    pattern = new RegExp(
      String.raw`\b(from|join|into|update|using)(\s+)"?\b(${tables})\b"?` +
        String.raw`(?!\s*\.)(\s+as\b)?(?=(?:\s+"?(\w+)"?)?)`,
      'gi',
    );
    PATTERNS.set(names, pattern);
  }
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
