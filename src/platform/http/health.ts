import { Type } from 'typebox';

import { VERSION } from '#platform/kit/version.ts';
import type { App } from './server.ts';

const health = {
  version: Type.String(),
  uptimeSeconds: Type.Integer(),
  database: Type.String({
    description:
      '`ok`, `unreachable`, `full` (it has no connection left for the gateway), `read-only` (a standby that nobody has promoted) `slow` or `failing` (what is to be written does not come to its end, or fails, as on a full disk).',
  }),
};

/**
 * The operation named Check: whether this process can serve now, for load balancers. And whether it lives, for whoever would start it
 * again: that helps against nothing that the database has. No credential and no rate, since both are asked all the time. A process
 * that is about to stop says so while it still serves, so that nobody is sent to it any more.
 */
export function healthRoute(app: App, { probe }: { readonly probe: () => Promise<string> }): void {
  app.get(
    '/health/live',
    {
      config: { access: 'public', unlimited: true },
      schema: {
        operationId: 'checkLive',
        summary: 'Check whether the process lives',
        tags: ['Health'],
        description:
          'Answered as long as the process can answer anything, also while its database is away: for whoever starts a process again that does not. Not counted against any rate.',
        examples: {
          answer: {
            Alive: { status: true, data: { status: 'ok', version: VERSION, uptimeSeconds: 86_400 } },
          },
        },
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            data: Type.Object({
              status: Type.Literal('ok'),
              version: health.version,
              uptimeSeconds: health.uptimeSeconds,
            }),
          }),
        },
      },
    },
    async () => ({
      status: true as const,
      data: { status: 'ok' as const, version: VERSION, uptimeSeconds: Math.floor(process.uptime()) },
    }),
  );
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
            'About to stop': {
              status: false,
              data: { status: 'stopping', version: VERSION, uptimeSeconds: 86_400, database: 'ok' },
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
            data: Type.Object({
              status: Type.Enum(['unavailable', 'stopping'], {
                description: '`stopping`: it still serves, and will not for long. Send requests elsewhere.',
              }),
              ...health,
            }),
          }),
        },
      },
    },
    async (_request, reply) => {
      const common = { version: VERSION, uptimeSeconds: Math.floor(process.uptime()) };
      const database = await probe();
      const stopping = app.stopping.begun;
      if (database === 'ok' && !stopping) {
        return { status: true as const, data: { status: 'ok' as const, ...common, database } };
      }
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({
          status: false,
          data: { status: stopping ? 'stopping' : 'unavailable', ...common, database },
        });
    },
  );
}
