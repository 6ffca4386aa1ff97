import type { FastifyInstance, FastifyRequest } from 'fastify';

import { auditActorOf, type OnForbidden } from '#platform/http/guard.ts';
import { isUuid } from '#platform/kit/ids.ts';
import type { BoundedAudit } from './bounded-audit.ts';

/** The method and the pattern of the path, such as `POST /v1/users`. */
export const operationOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${routeOptions.url ?? ''}`;

/**
 * Records requests that were refused for lack of permission: one for each caller, operation and
 * hour.
 */
export function createForbiddenRecorder(audit: BoundedAudit): OnForbidden {
  return async (request, code) => {
    const actor = auditActorOf(request);
    const operation = operationOf(request);
    if (!(await audit.admit(`refused:${actor.id}:${operation}`))) return;
    const { principal } = request;
    await audit.recordRefusal(actor, {
      action: 'access.refused',
      recordType: 'operation',
      recordId: null,
      sellerId: principal?.kind === 'seller' ? principal.seller.id : null,
      after: {
        operation,
        reason: code,
      },
    });
  };
}

/**
 * Records reads of the routes that set `config.personalData`, before they run: one for each caller,
 * operation, record and hour.
 */
export function recordReads(app: FastifyInstance, audit: BoundedAudit): void {
  app.addHook('onRoute', (route) => {
    const recordType = route.config?.personalData;
    if (recordType === undefined) return;
    const handler = async (request: FastifyRequest): Promise<void> => {
      const operation = operationOf(request);
      const actor = auditActorOf(request);
      const isExport = flagged(request.query, 'export');
      const recordId = idOf(request.params);
      const key = `read:${actor.id}:${operation}:${recordId ?? ''}:${isExport}`;
      const sellerId = recordType === 'seller' ? recordId : null;
      const after = { operation, export: isExport };
      const entry = { action: 'personal-data.read', recordType, recordId, sellerId, after } as const;
      await audit.record(key, actor, entry);
    };
    route.preHandler = [route.preHandler ?? [], handler].flat();
  });
}

const flagged = (query: unknown, name: string): boolean =>
  typeof query === 'object' && query !== null && Reflect.get(query, name) === true;

/** Other values name no record. */
function idOf(params: unknown): string | null {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined;
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null;
}
