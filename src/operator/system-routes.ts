import { Type } from 'typebox';

import type { Db } from '#platform/database/connect.ts';
import { envelope, nullable, ok, Timestamp } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import { VERSION } from '#platform/kit/version.ts';
import { readSystemState } from './system.ts';

const SystemSchema = Type.Object(
  {
    version: Type.String(),
    mode: Type.Enum(['sandbox', 'production']),
    startedAt: Type.String({ format: 'date-time', description: 'The process that answers.' }),
    uptimeSeconds: Type.Integer(),
    database: Type.Object({ bytes: Type.Integer({ description: 'What it takes on its disk.' }) }),
    deliveries: Type.Object({
      due: Type.Integer({ description: 'Webhook deliveries that could be attempted now.' }),
      waiting: Type.Integer({ description: 'Those that wait for their next attempt.' }),
      oldestDueAt: nullable(
        Type.String({ format: 'date-time', description: 'Since when the oldest of those due is.' }),
      ),
    }),
    webhooksDisabled: Type.Integer({ description: 'Registrations, over all sellers.' }),
    workers: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        startedAt: Timestamp,
        seenAt: Type.String({
          format: 'date-time',
          description: 'Written every five seconds; one that is much older is of a process that is gone.',
        }),
        loops: Type.Array(
          Type.Object({
            name: Type.String(),
            lastRunAt: nullable(
              Type.String({ format: 'date-time', description: 'When it last looked for work.' }),
            ),
            failures: Type.Integer({ description: 'Looks that have failed in a row.' }),
          }),
        ),
      }),
      { description: 'Processes that do due work, seen in the last day.' },
    ),
  },
  { title: 'System' },
);

const SYSTEM = {
  'One process': {
    status: true,
    data: {
      version: '0.1.0',
      mode: 'sandbox',
      startedAt: '2026-11-20T12:00:00.000Z',
      uptimeSeconds: 3_600,
      database: { bytes: 48_234_496 },
      deliveries: { due: 0, waiting: 3, oldestDueAt: null },
      webhooksDisabled: 1,
      workers: [
        {
          id: '01a1fb60-5c1d-4e2f-8a3b-4c5d6e7f8a9b',
          startedAt: '2026-11-20T12:00:00.000Z',
          seenAt: '2026-11-20T12:59:58.000Z',
          loops: [{ name: 'deliveries', lastRunAt: '2026-11-20T12:59:57.900Z', failures: 0 }],
        },
      ],
    },
  },
};

export interface SystemRouteDeps {
  readonly db: Db;
  readonly mode: 'sandbox' | 'production';
}

/** Whether everything is as it should be. A database that is away answers 503, as everywhere. */
export function systemRoutes(app: App, { db, mode }: SystemRouteDeps): void {
  app.get(
    '/admin/system',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSystem',
        summary: 'Read how the installation is',
        tags: ['Operator'],
        examples: { answer: SYSTEM },
        response: { 200: envelope(SystemSchema) },
      },
    },
    async () => {
      const { databaseBytes, deliveries, webhooksDisabled, workers } = await readSystemState(db);
      const uptimeMs = performance.now();
      return ok({
        version: VERSION,
        mode,
        startedAt: new Date(performance.timeOrigin).toISOString(),
        uptimeSeconds: Math.floor(uptimeMs / 1_000),
        database: { bytes: databaseBytes },
        deliveries: { ...deliveries, oldestDueAt: deliveries.oldestDueAt?.toISOString() ?? null },
        webhooksDisabled,
        workers: workers.map(({ id, startedAt, seenAt, loops }) => ({
          id,
          startedAt: startedAt.toISOString(),
          seenAt: seenAt.toISOString(),
          loops: [...loops],
        })),
      });
    },
  );
}
