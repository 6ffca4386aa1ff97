import { Type, type Static } from 'typebox';

import type { Db } from '#platform/database/connect.ts';
import { envelope, nullable, ok, recordId, timestamp } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import { VERSION } from '#platform/kit/version.ts';
import { readSystemState } from './system.ts';

const SystemCheckSchema = Type.Object(
  {
    name: Type.Enum(
      [
        'settings',
        'database',
        'schema',
        'role',
        'mode',
        'encryption',
        'clock',
        'backups',
        'disk',
        'certificates',
        'redis',
        'providers',
      ],
      { description: 'What was checked.' },
    ),
    status: Type.Enum(['OK', 'WARNING', 'FAILED'], {
      description: '`WARNING`: nothing fails because of it now. `FAILED`: a person must act.',
    }),
    detail: Type.String({ description: 'What was found, and what to do.' }),
  },
  { title: 'SystemCheck', description: 'A check of the installation, as in `npm run doctor`.' },
);
export type SystemCheck = Readonly<Static<typeof SystemCheckSchema>>;

const SystemSchema = Type.Object(
  {
    version: Type.String({ description: 'Version of the gateway.' }),
    mode: Type.Enum(['sandbox', 'production'], { description: '`sandbox` or `production`.' }),
    startedAt: Type.String({
      format: 'date-time',
      description: 'When the process that responds was started.',
    }),
    checkedAt: Type.String({
      format: 'date-time',
      description:
        'Real time of the machine that responds. This and the times of workers ignore the ' +
        'sandbox clock.',
    }),
    uptimeSeconds: Type.Integer({ description: 'Seconds since the process started.' }),
    database: Type.Object(
      { bytes: Type.Integer({ description: 'Size on disk.' }) },
      { description: 'The database.' },
    ),
    deliveries: Type.Object(
      {
        due: Type.Integer({ description: 'Webhook deliveries that are due now.' }),
        waiting: Type.Integer({ description: 'Webhook deliveries that wait for their next attempt.' }),
        oldestDueAt: nullable(
          Type.String({ format: 'date-time', description: 'When the oldest due delivery became due.' }),
        ),
      },
      { description: 'The webhook queue.' },
    ),
    payoutsPaused: nullable(
      Type.Enum(['restored'], {
        description:
          '`restored`: the database was restored, and payouts and remittance files are paused ' +
          'until you run `npm run restored -- --confirm`. Null: not paused.',
      }),
    ),
    checks: Type.Array(SystemCheckSchema, {
      description:
        'What `npm run doctor` checks, as the process that responds sees it, at most a minute ago.',
    }),
    webhooksDisabled: Type.Integer({ description: 'Disabled endpoints of all sellers.' }),
    workers: Type.Array(
      Type.Object(
        {
          id: recordId('The id of the process.'),
          startedAt: timestamp('When the process started.'),
          seenAt: Type.String({
            format: 'date-time',
            description: 'Updated every three seconds. A much older time means that the process has stopped.',
          }),
          loops: Type.Array(
            Type.Object(
              {
                name: Type.String({ description: 'Name of the job.' }),
                lastRunAt: nullable(Type.String({ format: 'date-time', description: 'When it last ran.' })),
                failures: Type.Integer({ description: 'Consecutive failed runs.' }),
              },
              { title: 'WorkerJob', description: 'A job of a worker process.' },
            ),
            { description: 'Its jobs.' },
          ),
        },
        { title: 'Worker', description: 'A worker process.' },
      ),
      { description: 'Worker processes of the last day.' },
    ),
  },
  { title: 'System', description: 'The state of the installation.' },
);

const SYSTEM = {
  'One process': {
    status: true,
    data: {
      version: '0.1.0',
      mode: 'sandbox',
      startedAt: '2026-11-20T12:00:00.000Z',
      checkedAt: '2026-11-20T13:00:00.000Z',
      uptimeSeconds: 3_600,
      database: { bytes: 48_234_496 },
      deliveries: { due: 0, waiting: 3, oldestDueAt: null },
      payoutsPaused: null,
      checks: [{ name: 'database' as const, status: 'OK' as const, detail: 'PostgreSQL 18.4' }],
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
  readonly checkInstallation: () => Promise<readonly SystemCheck[]>;
}

/** The state of the installation. Responds 503 while the database is unavailable. */
export function systemRoutes(app: App, { db, mode, checkInstallation }: SystemRouteDeps): void {
  app.get(
    '/admin/system',
    {
      config: { access: 'operator:read' },
      schema: {
        operationId: 'getSystem',
        summary: 'Retrieve the system state',
        description:
          'Returns the version, the size of the database, the webhook queue, the worker processes and ' +
          'the checks of `npm run doctor`. Use it for monitoring.',
        tags: ['System'],
        examples: { response: SYSTEM },
        response: { 200: envelope(SystemSchema) },
      },
    },
    async () => {
      const [{ databaseBytes, deliveries, webhooksDisabled, workers, payoutsPaused }, checks] =
        await Promise.all([readSystemState(db), checkInstallation()]);
      const uptimeMs = performance.now();
      return ok({
        version: VERSION,
        mode,
        startedAt: new Date(performance.timeOrigin).toISOString(),
        checkedAt: new Date().toISOString(),
        uptimeSeconds: Math.floor(uptimeMs / 1_000),
        database: { bytes: databaseBytes },
        deliveries: { ...deliveries, oldestDueAt: deliveries.oldestDueAt?.toISOString() ?? null },
        payoutsPaused,
        checks: [...checks],
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
