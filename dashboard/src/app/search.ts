/** Filters stand in the address. What somebody writes there by hand is taken if it can be, and left out if not. */

type Raw = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** A reader of the named filters. */
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

/** Without what is empty, so that addresses stay short. */
export function compact<T extends object>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as T;
}
