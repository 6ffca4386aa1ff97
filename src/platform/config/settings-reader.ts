export type Environment = Readonly<Record<string, string | undefined>>;

/** Collects what is wrong instead of stopping at the first, so that one start names every wrong setting. */
export class SettingsReader {
  readonly errors: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** An empty value counts as unset, as `NAME= npm start` means it. */
  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  integer(name: string, fallback: number, minimum: number, maximum: number): number {
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

  choice<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const match = choices.find((choice) => choice === text);
    if (match !== undefined) return match;
    this.errors.push(`${name} must be one of ${choices.join(', ')}, got ${JSON.stringify(text)}`);
    return fallback;
  }
}

/** Whether a secret was copied from somewhere instead of made: it says so itself, or has hardly two characters that differ. */
export const isPlaceholder = (secret: string): boolean =>
  /change.?(me|this|it)|placeholder|your.?(own.?)?(secret|key|password)|default/i.test(secret) ||
  new Set(secret).size < 6;
