import { List } from './list.ts';
import type { RequestOptions, Send } from './request.ts';
import type { operations } from './schema.gen.ts';

type Id = keyof operations;
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never;
type Responses<I extends Id> = operations[I]['responses'];
type ResponseBody<I extends Id> = Json<Responses<I>[Extract<keyof Responses<I>, 200 | 201 | 202>]>;

/** The body of a request. */
export type Body<I extends Id> = Json<NonNullable<operations[I]['requestBody']>>;

/** The filters of a request. */
export type Query<I extends Id> = NonNullable<operations[I]['parameters']['query']>;

/** The result of a request: the `data` field of the response. */
export type Data<I extends Id> = ResponseBody<I> extends { data: infer D } ? D : ResponseBody<I>;

/** A record of a list. */
export type Item<I extends Id> =
  Data<I> extends readonly (infer T)[] ? T : Data<I> extends { data: readonly (infer T)[] } ? T : never;

type Method = 'POST' | 'PATCH';

/**
 * Creates functions that call operations of the document. Each names its operation as a type
 * argument, from which its parameters and its result follow. `{id}` in a path is the first
 * argument of the function.
 */
export interface Operations {
  read<I extends Id>(path: string): (query?: Query<I>, options?: RequestOptions) => Promise<Data<I>>;
  /** Returns the whole response, for responses that have fields other than `data`. */
  readWhole<I extends Id>(
    path: string,
  ): (query?: Query<I>, options?: RequestOptions) => Promise<ResponseBody<I>>;
  list<I extends Id>(path: string): (query?: Query<I>, options?: RequestOptions) => List<Item<I>>;
  listOf<I extends Id>(
    path: string,
  ): (id: string, query?: Query<I>, options?: RequestOptions) => List<Item<I>>;
  get<I extends Id>(path: string): (id: string, options?: RequestOptions) => Promise<Data<I>>;
  delete<I extends Id>(path: string): (id: string, options?: RequestOptions) => Promise<Data<I>>;
  /** Sends a body. `keyed` operations require an idempotency key. */
  send<I extends Id>(
    path: string,
    keyed?: 'keyed',
  ): (body: Body<I>, options?: RequestOptions) => Promise<Data<I>>;
  /** Changes a record of which each seller has one. */
  change<I extends Id>(path: string): (body: Body<I>, options?: RequestOptions) => Promise<Data<I>>;
  /** Changes a record. */
  update<I extends Id>(
    path: string,
    method?: Method,
  ): (id: string, body: Body<I>, options?: RequestOptions) => Promise<Data<I>>;
  /** Acts on a record; the body is optional. */
  act<I extends Id>(
    path: string,
    keyed?: 'keyed',
  ): (id: string, body?: Body<I>, options?: RequestOptions) => Promise<Data<I>>;
  /** Acts on a numbered part of a record. */
  actOnPart<I extends Id>(
    path: string,
  ): (id: string, number: number, options?: RequestOptions) => Promise<Data<I>>;
  /** Uploads a file to a record. */
  upload<I extends Id>(path: string): (id: string, file: File, options?: RequestOptions) => Promise<Data<I>>;
  /** Downloads a file of a record. */
  download(path: string): (id: string, fileId: string, options?: RequestOptions) => Promise<Uint8Array>;
  /** Sends neither filters nor a body. */
  call<I extends Id>(path: string, method: 'GET' | 'POST'): (options?: RequestOptions) => Promise<Data<I>>;
}

export function createOperations(send: Send): Operations {
  const unwrap = async <I extends Id>(...request: Parameters<Send>): Promise<Data<I>> => {
    const response = await send(...request);
    const isWrapped = typeof response === 'object' && response !== null && 'data' in response;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests check it
    return (isWrapped ? response.data : response) as Data<I>;
  };
  return {
    read: (path) => (query, options) => unwrap({ method: 'GET', path, query }, options),
    readWhole:
      <I extends Id>(path: string) =>
      async (query?: Query<I>, options?: RequestOptions) =>
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tests check it
        (await send({ method: 'GET', path, query }, options)) as ResponseBody<I>,
    list: (path) => (query, options) => new List(send, path, query, options),
    listOf: (path) => (id, query, options) => new List(send, withId(path, id), query, options),
    get: (path) => async (id, options) => unwrap({ method: 'GET', path: withId(path, id) }, options),
    delete: (path) => async (id, options) => unwrap({ method: 'DELETE', path: withId(path, id) }, options),
    send: (path, keyed) => (body, options) =>
      unwrap({ method: 'POST', path, body, keyed: keyed === 'keyed' }, options),
    change: (path) => (body, options) => unwrap({ method: 'PATCH', path, body }, options),
    update:
      (path, method = 'PATCH') =>
      async (id, body, options) =>
        unwrap({ method, path: withId(path, id), body }, options),
    act: (path, keyed) => async (id, body, options) =>
      unwrap({ method: 'POST', path: withId(path, id), body, keyed: keyed === 'keyed' }, options),
    actOnPart: (path) => async (id, number, options) =>
      unwrap({ method: 'POST', path: withId(path, id, String(number)) }, options),
    upload: (path) => async (id, file, options) =>
      unwrap({ method: 'POST', path: withId(path, id), file }, options),
    download: (path) => async (id, fileId, options) => {
      const request = { method: 'GET', path: withId(path, id, fileId), as: 'bytes' } as const;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a request for bytes
      return (await send(request, options)) as Uint8Array;
    },
    call: (path, method) => (options) => unwrap({ method, path }, options),
  };
}

/** Replaces the parameters of a path by ids, in their order. */
function withId(path: string, ...ids: readonly string[]): string {
  return ids.reduce((filled, id) => {
    // An empty id would name the list.
    if (typeof id !== 'string' || id === '') throw new TypeError('the id must be a non-empty string');
    return filled.replace(/\{\w+\}/, encodeURIComponent(id));
  }, path);
}
