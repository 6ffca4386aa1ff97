/** Returns a function that computes its value on the first call and returns it from then on. */
export function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: compute() }).value;
}
