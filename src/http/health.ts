import { Type } from 'typebox';

import { VERSION } from '#version.ts';
import type { App } from './server.ts';

const health = {
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  database: Type.String({ description: '`ok` or `unreachable`.' }),
};

/** The operation named Check. No credential and no rate: probes and load balancers ask it all the time. */
export function healthRoute(app: App, { ping }: { readonly ping: () => Promise<boolean> }): void {
  app.get(
    '/health',
    {
      config: { access: 'public', unlimited: true },
      schema: {
        operationId: 'check',
        summary: 'Check',
        tags: ['Health'],
        description: 'Whether the gateway and its database can serve. Not counted against any rate.',
        examples: {
          answer: {
            Well: {
              status: true,
              data: { status: 'ok', version: VERSION, uptimeSeconds: 86_400, database: 'ok' },
            },
          },
          failure: {
            'Without its database': {
              status: false,
              data: {
                status: 'unavailable',
                version: VERSION,
                uptimeSeconds: 86_400,
                database: 'unreachable',
              },
            },
          },
        },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Object({ status: Type.Literal('ok'), ...health }),
          }),
          503: Type.Object({
            status: Type.Literal(false),
            data: Type.Object({ status: Type.Literal('unavailable'), ...health }),
          }),
        },
      },
    },
    async (_request, reply) => {
      const common = { version: VERSION, uptimeSeconds: Math.floor(process.uptime()) };
      if (await ping()) {
        return { status: true as const, data: { status: 'ok' as const, ...common, database: 'ok' } };
      }
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({ status: false, data: { status: 'unavailable', ...common, database: 'unreachable' } });
    },
  );
}
