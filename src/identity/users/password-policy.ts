import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

import type { Rule } from '#platform/http/rules.ts';
import type { Violation } from '#platform/http/errors.ts';
import type { CrossFieldRule } from '#platform/http/validation.ts';

/** NIST SP 800-63B: a minimum length and a check against common passwords, no composition rules. */
export const MIN_SELLER_PASSWORD_LENGTH = 10;
export const MIN_OPERATOR_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

/** 10^8 guesses or more. */
const MIN_SCORE = 3;

/**
 * The estimator is given this many characters, and tries this many substitutions such as `3` for
 * `e`. Its time grows with the square of the length: 200 characters can take a second of CPU, this
 * takes 50 ms at most.
 */
const ESTIMATED_LENGTH = 40;
const MAX_SUBSTITUTIONS = 8;

/** Bounds the words of the user that count as easily guessed. */
const MAX_PERSONAL_WORDS = 20;
const MAX_PERSONAL_WORD_LENGTH = 100;
const PRODUCT_NAME = 'vereda';

let estimator: ZxcvbnFactory | undefined;

/**
 * Loads the word lists, which takes a quarter of a second of CPU and 20 MB, once. Call it before
 * `isCommonPassword`.
 */
export async function loadPasswordEstimator(): Promise<void> {
  if (estimator !== undefined) return;
  const [{ ZxcvbnFactory }, common, english, portuguese] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
    import('@zxcvbn-ts/language-pt-br'),
  ]);
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary, ...portuguese.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
    maxLength: ESTIMATED_LENGTH,
  });
}

/** Whether a password is easily guessed. `personal` is what is known of the user: name, email. */
export function isCommonPassword(password: string, personal: readonly string[]): boolean {
  if (estimator === undefined) throw new Error('the password estimator is not loaded');
  return estimator.check(asSeen(password), personalWords(personal)).score < MIN_SCORE;
}

/** Without invisible characters, and with full-width and similar characters as plain ones. */
const asSeen = (text: string): string => text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');

/**
 * The rule of a body that sets a password. `personalMembers` name the members that hold the user's
 * name and email. Passwords of a wrong length are left to the schema.
 */
export function passwordRule(
  member: string,
  minLength: number,
  personalMembers: readonly string[],
): CrossFieldRule {
  return (data) => {
    const personal = personalMembers.flatMap((name) => textOf(data[name]));
    return textOf(data[member]).flatMap((password) => {
      const isEstimated = password.length >= minLength && password.length <= MAX_PASSWORD_LENGTH;
      return isEstimated ? commonPasswordViolations(member, password, personal) : [];
    });
  };
}

/** The violations of a password that an existing user sets. */
export function passwordViolations(
  member: string,
  password: string,
  {
    name,
    email,
    sellerId,
  }: { readonly name: string; readonly email: string; readonly sellerId: string | null },
): readonly Violation[] {
  const minLength = sellerId === null ? MIN_OPERATOR_PASSWORD_LENGTH : MIN_SELLER_PASSWORD_LENGTH;
  if (password.length >= minLength) return commonPasswordViolations(member, password, [name, email]);
  const rule: Rule = `must be longer than or equal to ${minLength} characters`;
  return [{ path: [member], rule, code: 'too_short' }];
}

function commonPasswordViolations(
  member: string,
  password: string,
  personal: readonly string[],
): readonly Violation[] {
  if (password.trim() === '' || !isCommonPassword(password, personal)) return [];
  return [{ path: [member], rule: 'is too common', code: 'too_common' }];
}

/** The texts and their words, with and without accents: `Ana Simão` is also `ana` and `simao`. */
function personalWords(personal: readonly string[]): string[] {
  const texts = personal.map((text) => text.toLowerCase().slice(0, MAX_PERSONAL_WORD_LENGTH));
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]/u)]);
  const known = words.filter(({ length }) => length > 2).slice(0, MAX_PERSONAL_WORDS);
  return [PRODUCT_NAME, ...new Set([...known, ...known.map(withoutAccents)])];
}

const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

const textOf = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);
