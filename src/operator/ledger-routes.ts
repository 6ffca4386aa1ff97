import { Type } from 'typebox';

import { WALLET_EXAMPLES } from '#accounting/ledger/examples.ts';
import { WalletSchema } from '#accounting/ledger/schema.ts';
import {
  findLatestFullCheck,
  getWallet,
  runFullCheck,
  startFullCheck,
  type FullCheck,
  type FullCheckDeps,
} from '#accounting/ledger/service.ts';
import { viewWallet } from '#accounting/ledger/views.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { Db } from '#platform/database/connect.ts';
import { described, envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import type { SellersService } from '#sellers/service.ts';
import { FULL_LEDGER_CHECK, LEDGER_CHECK, STARTED_LEDGER_CHECK } from './examples.ts';
import { requireSeller } from './require-seller.ts';
import { FullLedgerCheckSchema, LedgerCheckSchema } from './schema.ts';

export interface LedgerRouteDeps {
  readonly db: Db;
  /** Without the deadline of a request: a check reads the whole ledger. */
  readonly background: Db;
  readonly secrets: SecretBox;
  readonly sellers: SellersService;
}

export function operatorLedgerRoutes(app: App, deps: LedgerRouteDeps): void {
  registerReadWallet(app, deps);
  const checkDeps = {
    db: deps.background,
    secrets: deps.secrets,
    onError: (err: unknown) => app.log.error({ err }, 'ledger check failed'),
  };
  registerCheck(app, checkDeps);
  registerStartCheck(app, checkDeps);
  registerReadCheck(app, checkDeps);
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
        examples: { response: WALLET_EXAMPLES },
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

/** Below the time limit that docs/operations.md recommends for proxies. */
const MAX_WAIT_MS = 30_000;

function registerCheck(app: App, deps: FullCheckDeps): void {
  app.get(
    '/admin/ledger/check',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'checkLedger',
        summary: 'Check the ledger',
        description:
          'Recomputes every balance from the ledger entries, verifies the HMAC chain over them, and ' +
          'returns all discrepancies. Use it after a restore, or if you suspect tampering. Waits up to 30 ' +
          'seconds. A check that takes longer continues in the background, and the response is 409 ' +
          '`ledger_check_running`: retrieve the result with `GET /v1/admin/ledger/checks/latest`. If a ' +
          'check is already running, waits for it and then runs another.',
        tags: ['Ledger'],
        errors: ['ledger_check_running'],
        examples: { response: LEDGER_CHECK },
        response: { 200: envelope(LedgerCheckSchema) },
      },
    },
    async () => {
      const check = await runFullCheck(deps, { waitMs: MAX_WAIT_MS });
      if (check === undefined) throw new HttpError('ledger_check_running');
      return ok({ ...check, discrepancies: [...check.discrepancies] });
    },
  );
}

function registerStartCheck(app: App, deps: FullCheckDeps): void {
  app.post(
    '/admin/ledger/checks',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'startLedgerCheck',
        summary: 'Start a ledger check',
        description:
          'Starts a check of the whole ledger in the background and returns it. One check runs at a ' +
          'time: if one is running, returns that one.',
        tags: ['Ledger'],
        examples: { accepted: STARTED_LEDGER_CHECK },
        response: { 202: envelope(FullLedgerCheckSchema) },
      },
    },
    async (_request, reply) => reply.code(202).send(ok(viewFullCheck(await startFullCheck(deps)))),
  );
}

function registerReadCheck(app: App, deps: FullCheckDeps): void {
  app.get(
    '/admin/ledger/checks/latest',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getLatestLedgerCheck',
        summary: 'Retrieve the latest ledger check',
        description:
          'Returns the progress of the latest ledger check and, once it is completed, its ' +
          'result. Returns `null` if none was started in the last 90 days. The routine checks of ' +
          'the worker are not included; their results are metrics.',
        tags: ['Ledger'],
        examples: { response: FULL_LEDGER_CHECK },
        response: {
          200: envelope(
            described(
              Type.Union([FullLedgerCheckSchema, Type.Null()]),
              'The check, or null if there is none.',
            ),
          ),
        },
      },
    },
    async () => {
      const check = await findLatestFullCheck(deps);
      return ok(check === undefined ? null : viewFullCheck(check));
    },
  );
}

const viewFullCheck = ({ startedAt, finishedAt, result, ...check }: FullCheck) => ({
  ...check,
  startedAt: startedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
  result: result && { ...result, discrepancies: [...result.discrepancies] },
});
