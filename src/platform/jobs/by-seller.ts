import { isLockTimeout } from '#platform/database/errors.ts';

/**
 * Does work for each item in order. The rest of a seller whose rows others have locked is left out,
 * so that it does not delay others. Throws the first failure after all items.
 */
export async function runBySeller<T extends { readonly sellerId: string }>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const locked = new Set<string>();
  const errors: unknown[] = [];
  for (const item of items) {
    if (locked.has(item.sellerId)) continue;
    try {
      await work(item);
    } catch (error) {
      errors.push(error);
      if (isLockTimeout(error)) locked.add(item.sellerId);
    }
  }
  if (errors.length > 0) throw errors[0];
}
