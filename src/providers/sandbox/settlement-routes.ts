import type { Readable } from 'node:stream';

import { Type } from 'typebox';

import type { Db } from '#platform/database/connect.ts';
import { sendCsv } from '#platform/http/csv.ts';
import type { App } from '#platform/http/server.ts';
import { SETTLEMENT_FILE_EXAMPLES } from '#accounting/reconciliation/examples.ts';
import { SETTLEMENT_COLUMNS } from '#accounting/reconciliation/settlement-file.ts';
import { SettlementDay } from '#accounting/reconciliation/schema.ts';
import { sandboxSettlement } from './settlement.ts';

/** Simulates the bank's settlement file. Registered in the sandbox only. */
export function sandboxSettlementRoutes(app: App, { background }: { readonly background: Db }): void {
  app.get(
    '/sandbox/settlement-file',
    {
      config: { access: 'operator:write' },
      schema: {
        operationId: 'downloadSettlementFile',
        summary: 'Download a settlement file',
        description:
          'Returns the settlement file of the sandbox bank for a day. It can be imported with ' +
          '`POST /v1/admin/reconciliation/files`, unchanged or altered.',
        tags: ['Sandbox'],
        examples: { response: SETTLEMENT_FILE_EXAMPLES },
        querystring: Type.Object({ day: SettlementDay }),
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { day } = request.query;
      return sendCsv(reply, `settlement-${day}.csv`, SETTLEMENT_COLUMNS, sandboxSettlement(background, day));
    },
  );
}
