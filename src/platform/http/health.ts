import { Type } from 'typebox';

import { VERSION } from '#platform/kit/version.ts';
import { ErrorBody, HttpError, toErrorBody } from './errors.ts';
import type { App } from './server.ts';

const processProperties = {
  version: Type.String({ description: 'Version of the gateway.' }),
  uptimeSeconds: Type.Integer({ description: 'Seconds since the process started.' }),
};

const Live = Type.Object(
  {
    status: Type.Literal(true, { description: 'True: the request succeeded.' }),
    data: Type.Object(
      { status: Type.Literal('ok', { description: 'Always `ok`.' }), ...processProperties },
      { title: 'Liveness', description: 'The process.' },
    ),
  },
  { title: 'LivenessResponse' },
);
const Healthy = Type.Object(
  {
    status: Type.Literal(true, { description: 'True: the request succeeded.' }),
    data: Type.Object(
      {
        status: Type.Literal('ok', { description: 'Always `ok`.' }),
        ...processProperties,
        database: Type.String({ description: 'Always `ok`.' }),
      },
      { title: 'Health', description: 'The process and its database.' },
    ),
  },
  { title: 'HealthResponse' },
);
const Unhealthy = Type.Object(
  {
    ...ErrorBody.properties,
    status: Type.Literal(false, { description: 'False: send no new requests to this process.' }),
    data: Type.Object(
      {
        status: Type.Enum(['unavailable', 'stopping'], {
          description:
            '`unavailable`: see `database` and `clock`. `stopping`: the process still serves requests ' +
            'but shuts down soon.',
        }),
        ...processProperties,
        database: Type.String({
          description:
            '`ok`, `unreachable`, `full` (no connections are left for the gateway), `read-only` (a ' +
            'standby that has not been promoted), `slow`, or `failing` (writes do not complete, ' +
            'for example because the disk is full).',
        }),
        clock: Type.Optional(
          Type.Literal('skewed', {
            description:
              "Present if this machine's clock differs from the database's by more than 30 seconds.",
          }),
        ),
      },
      { title: 'FailedHealth', description: 'The process and its database.' },
    ),
  },
  { title: 'UnhealthyResponse' },
);

const config = { access: 'public', unlimited: true } as const;
const EXAMPLE_ERROR = toErrorBody(
  new HttpError('service_unavailable'),
  'd2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21',
);
const exampleProcess = { version: VERSION, uptimeSeconds: 86_400 };

interface Probed {
  readonly probe: () => Promise<string>;
}

interface ProbedClock {
  readonly isExceeded: boolean;
}

/** Liveness and readiness. Both take no credential and count against no rate limit. */
export function healthRoute(app: App, database: Probed, clockSkew: ProbedClock): void {
  registerLiveness(app);
  registerReadiness(app, database, clockSkew);
}

function registerLiveness(app: App): void {
  const schema = {
    operationId: 'checkLive',
    summary: 'Check liveness',
    description:
      'Succeeds while the process can respond, even if its database is unavailable. Use it ' +
      'for liveness probes, which restart the process. Requires no credential and does not ' +
      'count toward a rate limit.',
    tags: ['Health'],
    examples: { response: { Live: { status: true, data: { status: 'ok', ...exampleProcess } } } },
    response: { 200: Live },
  };
  app.get('/health/live', { config, schema }, async () => ({
    status: true as const,
    data: { status: 'ok' as const, ...processHealth() },
  }));
}

function registerReadiness(app: App, { probe }: Probed, clockSkew: ProbedClock): void {
  const schema = {
    operationId: 'check',
    summary: 'Check readiness',
    description:
      'Reports whether the gateway and its database can serve requests. Use it for load ' +
      'balancers and readiness probes. Returns 503 with the failing part if they cannot. ' +
      'Requires no credential and does not count toward a rate limit.',
    tags: ['Health'],
    examples: {
      response: { Ready: { status: true, data: { status: 'ok', ...exampleProcess, database: 'ok' } } },
      failure: {
        'Database unreachable': {
          ...EXAMPLE_ERROR,
          status: false,
          data: { status: 'unavailable', ...exampleProcess, database: 'unreachable' },
        },
        'Shutting down': {
          ...EXAMPLE_ERROR,
          status: false,
          data: { status: 'stopping', ...exampleProcess, database: 'ok' },
        },
      },
    },
    response: { 200: Healthy, 503: Unhealthy },
  };
  app.get('/health', { config, schema }, async (request, reply) => {
    const database = await probe();
    // Load balancers must stop routing to a process that shuts down while it still serves requests.
    const stopping = app.stopping.begun;
    const clock = clockSkew.isExceeded ? ({ clock: 'skewed' } as const) : {};
    if (database === 'ok' && !stopping && !clockSkew.isExceeded) {
      return { status: true as const, data: { status: 'ok' as const, ...processHealth(), database } };
    }
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({
        ...toErrorBody(new HttpError('service_unavailable'), request.id),
        status: false,
        data: { status: stopping ? 'stopping' : 'unavailable', ...processHealth(), database, ...clock },
      });
  });
}

const processHealth = () => ({ version: VERSION, uptimeSeconds: Math.floor(process.uptime()) });
