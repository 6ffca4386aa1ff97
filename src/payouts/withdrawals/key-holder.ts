import { maskDocument } from '#platform/kit/masks.ts';
import type { WithdrawalDeps } from './deps.ts';
import type { KeyHolder, PayoutDestination } from './payout-provider.ts';

/**
 * An operator can decide without the holder, so that a slow directory must not delay the
 * withdrawal.
 */
const LOOKUP_TIMEOUT_MS = 3_000;

/** What is known about the holder of a withdrawal's destination. */
export interface HolderCheck {
  readonly holderName: string | null;
  readonly holderDocumentType: 'CPF' | 'CNPJ' | null;
  readonly maskedHolderDocument: string | null;
  /** Whether the holder is not the seller. Null: unknown. */
  readonly isOtherHolder: boolean | null;
}

/** The destination of a withdrawal, as the seller states it. */
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
 * Reads the holder of a destination from the provider. Without a directory, the destination itself
 * may show that the holder is not the seller. Undefined if the provider has a directory and did not
 * respond, or is paused: then nothing is approved automatically.
 */
export async function checkHolder(
  { payoutProviders, routing }: Pick<WithdrawalDeps, 'payoutProviders' | 'routing'>,
  seller: KeyHolder,
  { destination, beneficiaryDocument }: Payee,
): Promise<HolderCheck | undefined> {
  const capable = payoutProviders.filter(({ methods }) => methods.includes(destination.method));
  const [provider] = await routing.select('PAYOUT', capable);
  if (provider === undefined && capable.some((one) => one.lookUpKey !== undefined)) return undefined;
  if (destination.method !== 'PIX' || provider?.lookUpKey === undefined) {
    const declared = [documentOfKey(destination), beneficiaryDocument?.number];
    const isOtherHolder = declared.some((other) => other !== undefined && other !== seller.document);
    return isOtherHolder ? { ...UNKNOWN_HOLDER, isOtherHolder } : UNKNOWN_HOLDER;
  }
  const { name, documentType, document } = seller;
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
