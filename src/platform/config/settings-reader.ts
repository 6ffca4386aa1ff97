export type Environment = Readonly<Record<string, string | undefined>>;

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Reads settings and collects every wrong one, so that one start reports them all. */
export class SettingsReader {
  readonly errors: string[] = [];
  /** Each name that was read, whether it is set or not. */
  readonly names = new Set<string>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Returns the trimmed value. An empty value counts as unset, as in `NAME= npm start`. */
  text(name: string): string | undefined {
    this.names.add(name);
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** The settings that were read, are set, and have a name of this form. */
  given(form: RegExp): readonly NamedValue[] {
    return Array.from(this.names, (name) => ({ name, value: this.text(name) ?? '' })).filter(
      ({ name, value }) => form.test(name) && value !== '',
    );
  }

  /** Returns the value, or reports that it is required, by what, and what it is. */
  required(name: string, meaning: string, requiredBy?: string): string {
    const text = this.text(name);
    const reason = requiredBy === undefined ? '' : ` with ${requiredBy}`;
    if (text === undefined) this.errors.push(`${name} is required${reason}: ${meaning}`);
    return text ?? '';
  }

  /** Reports a value of another format. An empty one passes: it is optional or reported already. */
  checkFormat(name: string, value: string, format: RegExp, form: string): void {
    if (value !== '' && !format.test(value)) this.errors.push(`${name} must be ${form}`);
  }

  integer<F extends number | undefined>(
    name: string,
    fallback: F,
    minimum: number,
    maximum: number,
  ): number | F {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    this.errors.push(`${name} must be an integer from ${minimum} to ${maximum}, got ${JSON.stringify(text)}`);
    return fallback;
  }

  boolean(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    if (text === undefined) return fallback;
    if (text === 'true' || text === 'false') return text === 'true';
    this.errors.push(`${name} must be true or false, got ${JSON.stringify(text)}`);
    return fallback;
  }

  choice<const T extends string, F extends string | undefined>(
    name: string,
    fallback: F,
    choices: readonly T[],
  ): T | F {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const match = choices.find((choice) => choice === text);
    if (match !== undefined) return match;
    this.errors.push(`${name} must be one of ${choices.join(', ')}, got ${JSON.stringify(text)}`);
    return fallback;
  }
}

/**
 * Whether a secret was copied from instructions: it contains such words, or hardly any different
 * characters.
 */
export const isPlaceholder = (secret: string): boolean =>
  /change.?(me|this|it)|placeholder|your.?(own.?)?(secret|key|password)|default/i.test(secret) ||
  new Set(secret).size < 6;
