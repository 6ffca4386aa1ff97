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

/** Where a withdrawal goes, as the seller says. */
interface Payee {
  readonly destination: PayoutDestination;
  readonly beneficiaryDocument: { readonly number: string } | null;
}

export const UNKNOWN_HOLDER: HolderCheck = {
  holderName: null,
  holderDocumentType: null,
  maskedHolderDocument: null,
  isOtherHolder: null,
};

/**
 * Asks the provider who holds the destination of a withdrawal; without a directory, the destination
 * itself may tell that it is another holder. Undefined if the provider should know and did not
 * answer: nothing is approved automatically then.
 */
export async function checkHolder(
  { payoutProviders }: Pick<WithdrawalDeps, 'payoutProviders'>,
  { name, documentType, document }: Seller,
  { destination, beneficiaryDocument }: Payee,
): Promise<HolderCheck | undefined> {
  const provider = payoutProviders.find(({ methods }) => methods.includes(destination.method));
  if (destination.method !== 'PIX' || provider?.lookUpKey === undefined) {
    const declared = [documentOfKey(destination), beneficiaryDocument?.number];
    const isOtherHolder = declared.some((other) => other !== undefined && other !== document);
    return isOtherHolder ? { ...UNKNOWN_HOLDER, isOtherHolder } : UNKNOWN_HOLDER;
  }
  const lookup = { key: destination, seller: { name, documentType, document } };
  try {
    const holder = await provider.lookUpKey(lookup, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
    return holder === undefined ? undefined : toCheck(holder, document);
  } catch {
    return undefined;
  }
}

/** A key that is a CPF or CNPJ belongs to its person or company. */
const documentOfKey = (destination: PayoutDestination): string | undefined =>
  destination.method === 'PIX' && (destination.pixKeyType === 'CPF' || destination.pixKeyType === 'CNPJ')
    ? destination.pixKey
    : undefined;

const toCheck = ({ name, documentType, document }: KeyHolder, sellerDocument: string): HolderCheck => ({
  holderName: name,
  holderDocumentType: documentType,
  maskedHolderDocument: maskDocument(documentType, document),
  isOtherHolder: document !== sellerDocument,
});
