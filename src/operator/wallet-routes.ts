import { Type } from 'typebox';

import type { Db } from '#platform/database/connect.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { SellersService } from '#sellers/service.ts';
import { WALLET_EXAMPLES } from '#accounting/ledger/examples.ts';
import { WalletSchema } from '#accounting/ledger/schema.ts';
import { getWallet } from '#accounting/ledger/service.ts';
import { viewWallet } from '#accounting/ledger/views.ts';

/** The operator sees what a seller has before deciding over its withdrawals. */
export function walletOperatorRoutes(
  app: App,
  { db, sellers }: { readonly db: Db; readonly sellers: SellersService },
): void {
  app.get(
    '/admin/sellers/:id/wallet',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'readSellerWallet',
        summary: "Read a seller's wallet",
        tags: ['Operator'],
        refusals: { 404: ['Seller not found'] },
        examples: { answer: WALLET_EXAMPLES },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(WalletSchema) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const seller = isUuid(id) ? await sellers.find(id) : undefined;
      if (seller === undefined) throw new HttpError(404, 'Seller not found');
      return ok(viewWallet(seller.id, await getWallet(db, seller.id)));
    },
  );
}
