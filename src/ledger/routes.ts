import { Type } from 'typebox';

import type { Db } from '#database/connect.ts';
import { envelope, ok, Timestamp } from '#http/envelope.ts';
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

const Balances = Type.Object(balances, { title: 'Balances' });

const WalletSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sellerId: Type.String({ format: 'uuid' }),
    ...balances,
    currency: Type.Literal('BRL'),
    byOrigin: Type.Object({
      PIX: Balances,
      BOLETO: Balances,
      CARD: Balances,
    }),
    updatedAt: Timestamp,
  },
  { title: 'Wallet' },
);

const none = { availableBalance: 0, blockedBalance: 0, totalBalance: 0 };
const pix = { availableBalance: 148_220, blockedBalance: 50_000, totalBalance: 198_220 };
const WALLET = {
  id: '01a1fb60-1c2d-4e3f-8a4b-5c6d7e8f9a0b',
  sellerId: '01a1fb60-0b1e-4d7a-9f1c-3c5e7a9b1d2f',
  ...pix,
  currency: 'BRL',
  byOrigin: { PIX: pix, BOLETO: none, CARD: none },
  updatedAt: '2026-11-20T12:05:00.000Z',
};

export function walletRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/seller-wallet/gestao',
    {
      config: { access: 'wallet:read' },
      schema: {
        operationId: 'getWallet',
        summary: 'Read the wallet',
        tags: ['Wallet'],
        description:
          'The sums, and beside them the balance of each origin: a withdrawal is paid from one of them.',
        examples: { answer: { 'A wallet': ok(WALLET) } },
        response: { 200: envelope(WalletSchema) },
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
