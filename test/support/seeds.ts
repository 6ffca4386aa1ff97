/**
 * The seed of a test with random input. Without a setting it is the same in every run, so that a
 * failure concerns the change. `random` draws another one, as the long forms of the tests do.
 *
 * @param variable - the environment variable that sets it, for instance `FUZZ_SEED`
 */
export function seedFrom(variable: string): number {
  const given = process.env[variable] ?? '';
  if (given === 'random') return Math.trunc(Math.random() * 2 ** 31);
  return given === '' ? 1 : Number(given);
}
