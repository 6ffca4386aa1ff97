import { isRecord } from '#platform/kit/records.ts';

import type { Random } from './random.ts';
import type { Kind } from './fixtures.ts';

/** The operations of an OpenAPI document, reduced to what requests need. */

type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly needsKey: boolean;
  /** Valid bodies by content type. */
  readonly bodies: readonly { readonly type: string; readonly examples: readonly unknown[] }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function operationsOf(document: Json): readonly Operation[] {
  const paths = isRecord(document['paths']) ? document['paths'] : {};
  return Object.entries(paths).flatMap(([path, operations]) =>
    !isRecord(operations)
      ? []
      : Object.entries(operations).flatMap(([method, operation]) =>
          METHODS.includes(method) && isRecord(operation) ? [operationOf(path, method, operation)] : [],
        ),
  );
}

function operationOf(path: string, method: string, operation: Json): Operation {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(isRecord);
  const body = isRecord(operation['requestBody']) ? operation['requestBody']['content'] : undefined;
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    query: parameters
      .filter((one) => one['in'] === 'query')
      .map((one) => ({
        name: String(one['name']),
        required: one['required'] === true,
        schema: isRecord(one['schema']) ? one['schema'] : {},
      })),
    needsKey: parameters.some((one) => one['name'] === 'idempotency-key'),
    bodies: Object.entries(isRecord(body) ? body : {}).map(([type, media]) => ({
      type,
      examples: Object.values(isRecord(media) && isRecord(media['examples']) ? media['examples'] : {}).map(
        (one) => (isRecord(one) ? one['value'] : undefined),
      ),
    })),
  };
}

/** The kind of record of a path parameter, derived from the segment before it. */
const KIND_OF: readonly (readonly [RegExp, Kind])[] = [
  [/\/transactions\/$/, 'transaction'],
  [/\/withdrawals\/$/, 'withdrawal'],
  [/\/disputes\/$/, 'dispute'],
  [/\/webhooks\/deliveries\/$/, 'delivery'],
  [/\/webhooks\/$/, 'webhook'],
  [/\/admin\/users\/$/, 'operatorUser'],
  [/\/users\/$/, 'user'],
  [/\/api-keys\/$/, 'apiKey'],
  [/\/sessions\/$/, 'session'],
  [/\/passkeys\/$/, 'passkey'],
  [/\/sellers\/$/, 'seller'],
  [/\/shipments\/$/, 'shipment'],
  [/\/cnab\/returns\/$/, 'returnFile'],
  [/\/cnab\/returns\/x\/lines\/$/, 'returnLine'],
  [/\/approvals\/$/, 'approval'],
  [/\/(risk-rules|risk-lists(\/x)?)\/$/, 'transaction'],
  [/\/reversals\/$/, 'return'],
  // The fixtures create no such records, so that these ids are not found.
  [/\/(invitations|card-tokens|customers|refunds)\/$/, 'transaction'],
  [/\/(subscriptions|invoices|mails|attachments)\/$/, 'transaction'],
  [/\/(applications|documents|applications\/x\/documents)\/$/, 'transaction'],
  [/\/(payment-links(\/x)?|payments|provider-routes)\/$/, 'transaction'],
];

/** The literal parts of a path template between its parameters, and the kind of each parameter. */
export function partsOf(path: string): readonly (string | { readonly kind: Kind })[] {
  return path.split(/(\{\w+\})/).map((part, at, all) => {
    if (!part.startsWith('{')) return part;
    const before = all
      .slice(0, at)
      .join('')
      .replaceAll(/\{\w+\}/g, 'x');
    const kind = KIND_OF.find(([pattern]) => pattern.test(before))?.[1];
    if (kind === undefined) throw new Error(`unknown parameter in ${path}`);
    return { kind };
  });
}

/** A value that is valid for the schema of a query parameter. */
export function goodValue(
  { name, schema }: Parameter,
  random: Random,
  idOf: (name: string) => string,
): string {
  const { enum: values, type, format, minimum, maximum } = schema;
  if (Array.isArray(values)) return String(random.pick(values));
  if (name === 'wait') return random.pick(['0', '1']);
  if (type === 'boolean') return String(random.chance(0.5));
  if (type === 'integer') {
    const low = typeof minimum === 'number' ? minimum : 0;
    const high = typeof maximum === 'number' ? maximum : low + 100;
    return String(
      random.pick([low, high, Math.min(high, low + 1), random.between(low, Math.min(high, low + 20))]),
    );
  }
  if (format === 'uuid' || name === 'recordId') return idOf(name);
  if (/date|day|since/i.test(name)) return random.pick(['2026-11-01', '2026-11-22', '2027-12-31']);
  if (name === 'status') return random.pick(['PENDING', 'PAID', 'PENDING,PAID']);
  return random.pick(['order', 'loja', 'sandbox', '1', 'transaction.paid']);
}
