import { isDatabaseFailure } from './errors.ts';

/** Runs tasks of the same key one after the other. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<Error | undefined>>();

  async runExclusive<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key);
    const { promise: ended, resolve } = Promise.withResolvers<Error | undefined>();
    this.#tails.set(key, ended);
    let failure: Error | undefined;
    try {
      // A database failure fails all queued tasks, which would otherwise time out one by one.
      failure = await previous;
      if (failure !== undefined) throw failure;
      return await task();
    } catch (error) {
      if (error instanceof Error && isDatabaseFailure(error)) failure = error;
      throw error;
    } finally {
      if (this.#tails.get(key) === ended) this.#tails.delete(key);
      resolve(failure);
    }
  }
}
