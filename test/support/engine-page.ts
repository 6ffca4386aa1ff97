// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
/** A page of Chromium, of Firefox, by WebDriver BiDi, or of WebKit, by classic WebDriver. */
export interface EnginePage {
  readonly open: (url: string) => Promise<unknown>;
  /** Evaluates an expression. Its value, or what it resolves to, is JSON. */
  readonly evaluate: (expression: string) => Promise<Json>;
  /** Types characters, of which some are `KEYS`. */
  readonly type: (text: string) => Promise<unknown>;
  readonly resize: (width: number, height: number) => Promise<unknown>;
  /** Errors of scripts and of policies. Classic WebDriver has none. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<unknown>;
}

/** Code points of WebDriver. */
export const KEYS = {
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  Right: '\uE014',
  Down: '\uE015',
} as const;

const HELD: readonly string[] = [KEYS.Shift, KEYS.Control];
/** A first key that is held, and the others. */
export const chord = (text: string) =>
  HELD.includes(text[0] ?? '') ? [text.slice(0, 1), text.slice(1)] : ['', text];
/** An expression that resolves to the value of the code, or to its error. */
export const asResult = (code: string) =>
  `(async () => ({ value: await (${code}) }))().catch((error) => ({ error: String(error) }))`;
/** The value of an expression that was evaluated by `asResult`. */
export function read({ value, error }: { readonly value: Json; readonly error?: string }): Json {
  if (error === undefined) return value;
  throw new Error(error);
}
