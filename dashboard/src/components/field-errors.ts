import { useState } from 'react';

import { fieldErrors } from '../i18n/errors.ts';

type Errors = Readonly<Record<string, string>>;

/** Errors of fields that are checked before the request, each until its field is changed. */
export function useChecks() {
  const [errors, setErrors] = useState<Errors>({});
  /** Marks the wrong fields, and returns whether there are none. */
  const check = (results: Readonly<Record<string, string | false>>): boolean => {
    const wrong = Object.entries(results).filter((entry): entry is [string, string] => entry[1] !== false);
    setErrors(Object.fromEntries(wrong));
    return wrong.length === 0;
  };
  const clear = (name: string) =>
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([one]) => one !== name)));
  return { errors, check, clear };
}

/**
 * Errors of fields that the gateway refused. The text of a field that was changed since is empty:
 * the refusal is still one of fields, which is not repeated below the form.
 */
export function useFieldErrors(
  error: unknown,
  paths: readonly string[],
  fieldOf: (path: string) => string = (path) => path,
) {
  const [changed, setChanged] = useState<{ readonly since: unknown; readonly names: readonly string[] }>();
  const names = changed?.since === error ? (changed?.names ?? []) : [];
  const errors: Errors = Object.fromEntries(
    Object.entries(fieldErrors(error, paths)).map(([path, text]) => {
      const name = fieldOf(path);
      return [name, names.includes(name) ? '' : text];
    }),
  );
  const clear = (...cleared: readonly string[]) =>
    setChanged({ since: error, names: [...names, ...cleared] });
  return { errors, clear };
}
