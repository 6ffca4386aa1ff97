import { HttpError } from '#platform/http/errors.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { Seller } from '#sellers/seller.ts';
import type { SellersService } from '#sellers/service.ts';

/** Reads the seller that a path names. Throws 404 if there is none. */
export async function requireSeller(sellers: SellersService, id: string): Promise<Seller> {
  const seller = isUuid(id) ? await sellers.find(id) : undefined;
  if (seller === undefined) throw new HttpError('seller_not_found');
  return seller;
}
