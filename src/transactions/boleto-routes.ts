import type { App } from '#http/server.ts';
import type { TransactionsService } from './service.ts';
export function boletoRoutes(
  _app: App,
  _deps: { readonly transactions: TransactionsService } & Record<string, unknown>,
): void {}
