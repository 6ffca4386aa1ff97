import { Type } from 'typebox';

import type { Db } from '#database/connect.ts';
import { commonErrors, envelope, ok, Timestamp } from '#http/envelope.ts';
import { callingSeller } from '#http/guard.ts';
import type { App } from '#http/server.ts';
import { walletOf } from './service.ts';

const balances = {
  availableBalance: Type.Integer({ description: 'Cents that can be withdrawn, net of fees.' }),
  blockedBalance: Type.Integer({
    description: 'Cents held for retention, disputes and withdrawals under way.',
  }),
  totalBalance: Type.Integer({ description: 'Available plus blocked, in cents.' }),
};

const WalletSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  sellerId: Type.String({ format: 'uuid' }),
  ...balances,
  currency: Type.Literal('BRL'),
  byOrigin: Type.Object({
    PIX: Type.Object(balances),
    BOLETO: Type.Object(balances),
    CARD: Type.Object(balances),
  }),
  updatedAt: Timestamp,
});

export function walletRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/seller-wallet/gestao',
    {
      config: { access: 'wallet:read' },
      schema: {
        summary: 'Read the wallet',
        tags: ['Wallet'],
        response: { 200: envelope(WalletSchema), ...commonErrors },
      },
    },
    async (request) => {
      const sellerId = callingSeller(request).id;
      const wallet = await walletOf(db, sellerId);
      return ok({
        sellerId,
        ...wallet,
        currency: 'BRL' as const,
        updatedAt: wallet.updatedAt.toISOString(),
      });
    },
  );
}
