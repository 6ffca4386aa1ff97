import { isRecord } from '#platform/kit/records.ts';
import type { SchemaNode } from '#platform/openapi/schemas.ts';
import { query } from './database.ts';
import type { Seller, Server } from './server.ts';

/** A GET of one of the documents, with at most one filter. */
export interface Read {
  readonly name: string;
  readonly path: string;
  /** An API key is not a user. */
  readonly caller: 'operator' | 'owner' | 'apiKey';
}

/** The deepest page that callers of a list skip to. */
const DEEP_SKIP = 3_000;
const IGNORED = new Set(['take', 'cursor', 'export', 'wait', 'limit']);

/** Lists every GET of both documents: by itself, and with each of its filters. */
export async function findReads(server: Server, large: Seller): Promise<readonly Read[]> {
  const samples = await findSamples(server.databaseUrl, large);
  const reads: Read[] = [];
  for (const [file, isOperator] of [
    ['openapi.json', false],
    ['openapi-operator.json', true],
  ] as const) {
    const document: unknown = await (await fetch(`http://127.0.0.1:${server.port}/${file}`)).json();
    for (const [path, item] of entriesOf(isRecord(document) ? document['paths'] : undefined)) {
      const operation = isRecord(item) ? item['get'] : undefined;
      if (!isRecord(operation)) continue;
      reads.push(...readsOf({ path, parameters: parametersOf(operation), samples, isOperator }));
    }
  }
  return reads;
}

interface Operation {
  readonly path: string;
  readonly parameters: readonly SchemaNode[];
  readonly samples: ReadonlyMap<string, string>;
  readonly isOperator: boolean;
}

/** Empty for an operation with a record in its path of which there is no sample. */
function readsOf({ path, parameters, samples, isOperator }: Operation): readonly Read[] {
  const record = path.includes('/deliveries') ? 'deliveries' : (path.split('/').at(-2) ?? '');
  const id = samples.get(record) ?? '';
  const filled = path.replace(/\{\w+\}/, id);
  if (path.includes('{') && (id === '' || filled.includes('{'))) return [];
  const filters = parameters.filter((one) => one['in'] === 'query' && !IGNORED.has(String(one['name'])));
  const values = new Map(filters.map((one) => [one, valueOf(one, samples)]));
  const named = (...names: readonly string[]) => filters.filter((one) => names.includes(String(one['name'])));
  // A list with `day` needs it, or both ends of a period instead.
  const required = filters.filter((one) => one['required'] === true || one['name'] === 'day');
  const period = required.some((one) => one['name'] === 'day') ? named('startDate', 'endDate') : [];
  const sellerCaller = path.startsWith('/v1/users/me') ? 'owner' : 'apiKey';
  const caller = isOperator ? 'operator' : sellerCaller;
  const readWith = (chosen: readonly SchemaNode[]): Read => {
    const search = new URLSearchParams(chosen.map((one) => [String(one['name']), values.get(one) ?? '']));
    const suffix = search.size === 0 ? '' : `?${search.toString()}`;
    const names = chosen.map((one) => String(one['name'])).join(', ');
    return { name: names === '' ? path : `${path} by ${names}`, path: filled + suffix, caller };
  };
  const optional = filters.filter(
    (one) => !required.includes(one) && !period.includes(one) && values.get(one) !== undefined,
  );
  return [
    readWith(required),
    ...(period.length > 0 ? [readWith(period)] : []),
    ...optional.map((one) => readWith([...required, one])),
  ];
}

const entriesOf = (node: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(node) ? Object.entries(node) : [];

const parametersOf = (operation: SchemaNode): readonly SchemaNode[] =>
  Array.isArray(operation['parameters']) ? operation['parameters'].filter(isRecord) : [];

/** A value of a filter: a sample, or what its schema allows. */
function valueOf(parameter: SchemaNode, samples: ReadonlyMap<string, string>): string | undefined {
  const schema = isRecord(parameter['schema']) ? parameter['schema'] : {};
  const candidates: unknown[] = [
    ...['enum', 'examples'].flatMap((name) => {
      const choices: unknown = schema[name];
      return Array.isArray(choices) ? choices.slice(0, 1) : [];
    }),
    samples.get(`?${String(parameter['name'])}`),
    parameter['example'],
    schema['example'],
    schema['default'],
  ];
  const found = candidates.find((value) => ['string', 'number', 'boolean'].includes(typeof value));
  return typeof found === 'string' || found === undefined ? found : JSON.stringify(found);
}

/** Records by the name of their collection, and values by the name of their filter. */
async function findSamples(url: string, { id: sellerId }: Seller): Promise<ReadonlyMap<string, string>> {
  const [row] = await query<{ transaction: string; delivery: string; day: string }>(
    url,
    `SELECT t.id AS transaction, t.id AS delivery,
       to_char(t.created_at AT TIME ZONE 'America/Sao_Paulo', 'YYYY-MM-DD') AS day
     FROM transactions t WHERE t.seller_id = $1 ORDER BY t.id DESC LIMIT 1 OFFSET 100`,
    [sellerId],
  );
  if (row === undefined) throw new Error('the seller has too few charges');
  return new Map([
    ['transactions', row.transaction],
    ['deliveries', row.delivery],
    ['sellers', sellerId],
    ['?transactionId', row.transaction],
    ['?recordId', row.transaction],
    ['?sellerId', sellerId],
    ['?metadataKey', 'order'],
    ['?metadataValue', 'none'],
    ['?event', 'TRANSACTION'],
    ['?amount', '1000'],
    ['?skip', String(DEEP_SKIP)],
    ...['from', 'to', 'day', 'createdFrom', 'createdTo', 'startDate', 'endDate'].map(
      (name): readonly [string, string] => [`?${name}`, row.day],
    ),
  ]);
}
