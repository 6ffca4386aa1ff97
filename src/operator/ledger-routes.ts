import { Type } from 'typebox';

import { WALLET_EXAMPLES } from '#accounting/ledger/examples.ts';
import { WalletSchema } from '#accounting/ledger/schema.ts';
import { checkLedger, getWallet } from '#accounting/ledger/service.ts';
import { viewWallet } from '#accounting/ledger/views.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import { LEDGER_CHECK } from './examples.ts';
import { requireSeller } from './require-seller.ts';
import { LedgerCheckSchema } from './schema.ts';

export interface LedgerRouteDeps {
  readonly db: Db;
  /** Without the deadline of a request: a check reads the whole ledger. */
  readonly background: Db;
  readonly secrets: SecretBox;
  readonly sellers: SellersService;
}

export function operatorLedgerRoutes(app: App, deps: LedgerRouteDeps): void {
  registerReadWallet(app, deps);
  registerCheck(app, deps);
}

function registerReadWallet(app: App, { db, sellers }: LedgerRouteDeps): void {
  app.get(
    '/admin/sellers/:id/wallet',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSellerWallet',
        summary: "Retrieve a seller's wallet",
        description: 'Returns the balances of a seller, in total and by payment method.',
        tags: ['Sellers'],
        errors: ['seller_not_found'],
        examples: { answer: WALLET_EXAMPLES },
        params: Type.Object({ id: Type.String() }),
        response: { 200: envelope(WalletSchema) },
      },
    },
    async (request) => {
      const seller = await requireSeller(sellers, request.params.id);
      return ok(viewWallet(seller.id, await getWallet(db, seller.id)));
    },
  );
}

function registerCheck(app: App, { background, secrets }: LedgerRouteDeps): void {
  app.get(
    '/admin/ledger/check',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'checkLedger',
        summary: 'Check the ledger',
        description:
          'Recomputes every balance from the ledger entries, and verifies the chain over them. ' +
          'Use it after a restore, or if you suspect tampering. Reads the whole ledger. Returns all ' +
          'discrepancies.',
        tags: ['Ledger'],
        examples: { answer: LEDGER_CHECK },
        response: { 200: envelope(LedgerCheckSchema) },
      },
    },
    async () => {
      const check = await checkLedger(background, secrets);
      return ok({ ...check, discrepancies: [...check.discrepancies] });
    },
  );
}
