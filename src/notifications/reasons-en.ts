import { isKnownReason } from './reasons-pt.ts';

/**
 * A text that the API writes, such as the reason of a failure, as English readers expect it. The
 * API keeps `cancelled` and `MED: ACCOUNT_TAKEOVER`, which clients compare.
 */
export function reasonInEnglish(text: string): string {
  const plain = isKnownReason(text)
    ? text.replace('cancelled', 'canceled')
    : text.replace(/(?<=^MED: )[A-Z_]+$/, (type) => type.toLowerCase().replaceAll('_', ' '));
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
