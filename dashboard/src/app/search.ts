/** Filters are URL search parameters. Invalid values are ignored. */

type Raw = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns a parser of the named filters. */
export const filters =
  <Name extends string>(...names: readonly Name[]) =>
  (raw: Raw): { [Key in Name]?: string | undefined } => {
    const read: { [Key in Name]?: string | undefined } = {};
    for (const name of names) {
      const value = text(raw[name]);
      if (value !== undefined) read[name] = value;
    }
    return read;
  };

/** Returns `value` if it is one of `known`. */
export const oneOf = <T extends string>(known: readonly T[], value: string | undefined): T | undefined =>
  known.find((one) => one === value);

type Filled<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Removes empty values, which keeps URLs short. */
export function compact<T extends object>(search: T): Filled<T> {
  const filled: Filled<T> = {};
  for (const name in search) {
    const value = search[name];
    if (isFilled(value)) filled[name] = value;
  }
  return filled;
}

const isFilled = <T>(value: T): value is Exclude<T, undefined> => value !== undefined && value !== '';
