import type { App } from '#platform/http/server.ts';
import { operatorApplicationRoutes, type OperatorApplicationDeps } from './application-routes.ts';
import { operatorApiKeyRoutes, type ApiKeyRouteDeps } from './api-key-routes.ts';
import { operatorInvitationRoutes, type OperatorInvitationRouteDeps } from './invitation-routes.ts';
import { operatorLedgerRoutes, type LedgerRouteDeps } from './ledger-routes.ts';
import { operatorSellerRoutes, type SellerRouteDeps } from './seller-routes.ts';
import { operatorSellerUserRoutes, type SellerUserRouteDeps } from './seller-user-routes.ts';
import { systemRoutes, type SystemRouteDeps } from './system-routes.ts';
import { operatorUserRoutes, type UserRouteDeps } from './user-routes.ts';
import { operatorWithdrawalRoutes, type WithdrawalRouteDeps } from './withdrawal-routes.ts';

export interface OperatorRouteDeps
  extends
    ApiKeyRouteDeps,
    OperatorApplicationDeps,
    LedgerRouteDeps,
    OperatorInvitationRouteDeps,
    SellerRouteDeps,
    SellerUserRouteDeps,
    SystemRouteDeps,
    UserRouteDeps,
    WithdrawalRouteDeps {}

/** The back office: what the operator of the gateway does for and with its sellers. */
export function operatorRoutes(app: App, deps: OperatorRouteDeps): void {
  operatorSellerRoutes(app, deps);
  operatorApplicationRoutes(app, deps);
  operatorSellerUserRoutes(app, deps);
  operatorApiKeyRoutes(app, deps);
  operatorLedgerRoutes(app, deps);
  operatorUserRoutes(app, deps);
  operatorInvitationRoutes(app, deps);
  operatorWithdrawalRoutes(app, deps);
  systemRoutes(app, deps);
}
