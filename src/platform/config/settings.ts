import { isPlaceholder, type SettingsReader } from './settings-reader.ts';

/** Decides which of two defaults applies. */
export type Mode = 'sandbox' | 'production';

/** A section of docs/configuration.md. */
export interface SettingDoc {
  readonly names: readonly string[];
  readonly default: string;
  readonly meaning: string;
}

/** A setting, read from one or more environment variables. */
export interface Setting<T> {
  readonly docs: readonly SettingDoc[];
  /** Returns the value. Reports a wrong one to the reader; the result must then not be used. */
  readonly read: (reader: SettingsReader, mode: Mode) => T;
}

export type SettingValues<Settings> = {
  readonly [Name in keyof Settings]: Settings[Name] extends Setting<infer T> ? T : never;
};

/** Reads a table of settings. */
export function readSettings<Settings extends Readonly<Record<string, Setting<unknown>>>>(
  settings: Settings,
  reader: SettingsReader,
  mode: Mode,
): SettingValues<Settings>;
export function readSettings(
  settings: Readonly<Record<string, Setting<unknown>>>,
  reader: SettingsReader,
  mode: Mode,
): object {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, setting.read(reader, mode)]),
  );
}

/** One default, or one for each mode. */
type Default<T> = T | { readonly sandbox: T; readonly production: T };

interface SettingOptions<T> {
  readonly default: Default<T>;
  readonly meaning: string;
}

type Primitive = string | number | boolean | undefined;

export const booleanSetting = (name: string, options: SettingOptions<boolean>): Setting<boolean> => ({
  docs: [docOf(name, options)],
  read: (reader, mode) => reader.boolean(name, defaultOf(options.default, mode)),
});

export const integerSetting = <T extends number | undefined>(
  name: string,
  options: SettingOptions<T> & { readonly min: number; readonly max: number; readonly unit?: string },
): Setting<number | T> => ({
  docs: [docOf(name, { ...options, meaning: `${options.meaning} ${rangeOf(options)}` })],
  read: (reader, mode) => reader.integer(name, defaultOf(options.default, mode), options.min, options.max),
});

const rangeOf = ({ min, max, unit }: { min: number; max: number; unit?: string }): string =>
  `From ${min} to ${max}${unit === undefined ? '' : ` ${unit}`}.`;

export const choiceSetting = <T extends string>(
  name: string,
  options: SettingOptions<T> & { readonly choices: readonly T[] },
): Setting<T> => ({
  docs: [docOf(name, options)],
  read: (reader, mode) => reader.choice(name, defaultOf(options.default, mode), options.choices),
});

interface TextOptions<T extends string | undefined> extends SettingOptions<T> {
  /** Replaces the default in the documentation. */
  readonly documentedDefault?: string;
  /** The form of a value that production requires. */
  readonly required?: string;
  /** Returns what is wrong with a value, to follow its name. It must not repeat secrets. */
  readonly problemOf?: (text: string, mode: Mode) => string | undefined;
  /** Production rejects placeholders. */
  readonly secret?: boolean;
}

export const textSetting = <T extends string | undefined>(
  name: string,
  options: TextOptions<T>,
): Setting<string | T> => ({
  docs: [
    { ...docOf(name, options), ...(options.documentedDefault && { default: options.documentedDefault }) },
  ],
  read(reader, mode) {
    const text = reader.text(name);
    const problem =
      text === undefined ? missingProblem(options.required, mode) : textProblem(text, options, mode);
    if (problem !== undefined) reader.errors.push(`${name} ${problem}`);
    return text ?? defaultOf(options.default, mode);
  },
});

const missingProblem = (required: string | undefined, mode: Mode): string | undefined =>
  required === undefined || mode === 'sandbox' ? undefined : `is required outside the sandbox: ${required}`;

function textProblem<T extends string | undefined>(
  text: string,
  { problemOf, secret = false }: TextOptions<T>,
  mode: Mode,
): string | undefined {
  const problem = problemOf?.(text, mode);
  if (problem !== undefined || !secret || mode === 'sandbox' || !isPlaceholder(text)) return problem;
  return 'must be a secret of your own outside the sandbox, not a placeholder';
}

/** A row of the documentation; `names` are separated by spaces. */
export const doc = (names: string, defaultText: string, meaning: string): SettingDoc => ({
  names: names.split(' '),
  default: defaultText,
  meaning,
});

/** A value over several variables, or one that no other kind of setting can read. */
export const customSetting = <T>(docs: readonly SettingDoc[], read: Setting<T>['read']): Setting<T> => ({
  docs,
  read,
});

const isByMode = <T extends Primitive>(
  value: Default<T>,
): value is { readonly sandbox: T; readonly production: T } => typeof value === 'object';

const defaultOf = <T extends Primitive>(value: Default<T>, mode: Mode): T =>
  isByMode(value) ? value[mode] : value;

function docOf<T extends Primitive>(name: string, options: SettingOptions<T>): SettingDoc {
  const { default: value, meaning } = options;
  const text = isByMode(value)
    ? `${show(value.sandbox)} in the sandbox, else ${show(value.production)}`
    : show(value);
  return doc(name, text, meaning);
}

const show = (value: Primitive): string => (value === undefined ? 'none' : `\`${value}\``);
