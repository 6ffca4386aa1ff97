import { maskDocument } from '#platform/kit/masks.ts';
import type { Seller } from '#sellers/seller.ts';
import type { WithdrawalDeps } from './deps.ts';
import type { KeyHolder, PayoutDestination } from './payout-provider.ts';

/** A clerk can decide without it, so that a slow directory delays no withdrawal for long. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** What is known about the holder of a withdrawal's destination. */
export interface HolderCheck {
  readonly holderName: string | null;
  readonly holderDocumentType: 'CPF' | 'CNPJ' | null;
  readonly maskedHolderDocument: string | null;
  /** Whether the holder is not the seller. Null: unknown. */
  readonly isOtherHolder: boolean | null;
}

export const UNKNOWN_HOLDER: HolderCheck = {
  holderName: null,
  holderDocumentType: null,
  maskedHolderDocument: null,
  isOtherHolder: null,
};

/**
 * Asks the provider who holds the destination of a withdrawal. Undefined if it should know and did
 * not answer: nothing is approved automatically then.
 */
export async function checkHolder(
  { payoutProviders }: Pick<WithdrawalDeps, 'payoutProviders'>,
  { name, documentType, document }: Seller,
  destination: PayoutDestination,
): Promise<HolderCheck | undefined> {
  const provider = payoutProviders.find(({ methods }) => methods.includes(destination.method));
  if (destination.method !== 'PIX' || provider?.lookUpKey === undefined) return UNKNOWN_HOLDER;
  const lookup = { key: destination, seller: { name, documentType, document } };
  try {
    const holder = await provider.lookUpKey(lookup, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
    return holder === undefined ? undefined : toCheck(holder, document);
  } catch {
    return undefined;
  }
}

const toCheck = ({ name, documentType, document }: KeyHolder, sellerDocument: string): HolderCheck => ({
  holderName: name,
  holderDocumentType: documentType,
  maskedHolderDocument: maskDocument(documentType, document),
  isOtherHolder: document !== sellerDocument,
});
