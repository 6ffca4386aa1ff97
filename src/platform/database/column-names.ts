/** `seller_id` as `sellerId`. */
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `sellerId` as `seller_id`. Digits belong to the word before them. */
type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : '';

type CamelCaseKeys<Row> = { readonly [Name in keyof Row as CamelCase<Name>]: Row[Name] };
type SnakeCaseKeys<Fields> = { [Name in keyof Fields as SnakeCase<Name>]: Fields[Name] };

/** A row with its columns named as fields. */
export function toFields<Row extends object>(row: Row): CamelCaseKeys<Row>;
export function toFields(row: object): object {
  return renameKeys(row, (name) =>
    name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase()),
  );
}

/** Fields with their names as columns, to insert or update a row. All of them must be columns. */
export function toColumns<Fields extends object>(fields: Fields): SnakeCaseKeys<Fields>;
export function toColumns(fields: object): object {
  return renameKeys(fields, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

const renameKeys = (record: object, rename: (name: string) => string): object =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]));
