import { distance } from 'fastest-levenshtein';

/**
 * Names of the environment that other programs set, and a setting of OpenTelemetry for logs that
 * resembles OTEL_BSP_SCHEDULE_DELAY. `MODEL` is one of tools for language models.
 */
const FOREIGN = /^(?:npm_|PG[A-Z]|LC_|XDG_|GIT_|OTEL_BLRP_|MODEL$)/;
/**
 * Shorter names resemble too many words: `HOST` is two edits from `HOME`, `MODE` one from `NODE`.
 */
const MIN_TWO_EDITS_LENGTH = 6;
const MAX_EDITS = 2;

export interface MisspelledName {
  readonly name: string;
  readonly meant: string;
}

/**
 * Finds names of the environment that are no setting and differ from one by at most two inserted,
 * deleted or replaced characters. Names that differ from a setting in digits alone are those of
 * another instance of a provider, such as `BACEN2_PIX_CLIENT_ID`.
 */
export function findMisspelledNames(
  environmentNames: readonly string[],
  settings: ReadonlySet<string>,
): readonly MisspelledName[] {
  return environmentNames.flatMap((name) => {
    if (settings.has(name) || FOREIGN.test(name)) return [];
    let [meant, edits] = ['', MAX_EDITS + 1];
    for (const setting of settings) {
      if (Math.abs(setting.length - name.length) > MAX_EDITS) continue;
      const between = distance(setting, name);
      if (between < edits && isLikelyMeant(setting, name, between)) [meant, edits] = [setting, between];
    }
    return meant === '' ? [] : [{ name, meant }];
  });
}

function isLikelyMeant(setting: string, name: string, edits: number): boolean {
  if (withoutDigits(setting) === withoutDigits(name)) return false;
  if (setting.length >= MIN_TWO_EDITS_LENGTH) return edits <= MAX_EDITS;
  // A short name must have the same letters in another order, lack one, or have one more, but not
  // before the first: `CHOST`, `GHOST`, `SPORT`.
  if (edits > 1) return sorted(setting) === sorted(name);
  return name.length < setting.length || (name.length > setting.length && name[0] === setting[0]);
}

const withoutDigits = (name: string): string => name.replaceAll(/\d/g, '');

const sorted = (name: string): string => Array.from(name).toSorted().join('');
