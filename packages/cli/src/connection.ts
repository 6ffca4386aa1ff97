import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { Vereda } from '../../sdk/src/index.ts';
import { UsageError, type CommonOptions } from './output.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The gateway and the credential that commands use. */
export interface Connection {
  /** Without a trailing slash and without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Where both were found. */
  readonly source: string;
}

/** What a sandbox writes to its data folder. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

/**
 * Finds the gateway and the API key: options, environment, `vereda login`, then the demo seller of
 * a sandbox in DATA_DIR or `.data`.
 */
export async function findConnection(options: CommonOptions): Promise<Connection> {
  const url = options.url ?? setting('VEREDA_URL');
  const apiKey = options.apiKey ?? setting('VEREDA_API_KEY');
  const at = (fallback: string) => parseBaseUrl(url ?? fallback);
  if (apiKey !== undefined) {
    const source = options.apiKey === undefined ? 'VEREDA_API_KEY' : '--api-key';
    return { baseUrl: at((await readLogin())?.baseUrl ?? DEFAULT_URL), apiKey, source };
  }
  const login = setting('DATA_DIR') === undefined ? await readLogin() : undefined;
  if (login !== undefined && (url === undefined || at(login.baseUrl) === login.baseUrl)) {
    return { ...login, source: loginFile() };
  }
  const demo = await readDemo();
  if (demo !== undefined) return { baseUrl: at(demo.baseUrl), apiKey: demo.apiKey, source: demoFile() };
  throw new UsageError('an API key is required: set VEREDA_API_KEY or run vereda login');
}

export async function connect(options: CommonOptions): Promise<Vereda> {
  return new Vereda(await findConnection(options));
}

export function parseUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UsageError(`${name} must be a URL such as http://localhost:3000/hook`);
  }
  return url.href;
}

export const parseBaseUrl = (text: string): string => parseUrl('--url', text).replace(/\/(v1\/?)?$/, '');

export const setting = (name: string): string | undefined => {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
};

const loginFile = (): string =>
  join(setting('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'vereda', 'config.json');

/** Files of the program that are not settings. */
export const stateFile = (name: string): string =>
  join(setting('XDG_STATE_HOME') ?? join(homedir(), '.local', 'state'), 'vereda', name);

const readLogin = (): Promise<{ baseUrl: string; apiKey: string } | undefined> => readJson(loginFile());

export async function saveLogin(login: {
  readonly baseUrl: string;
  readonly apiKey: string;
}): Promise<string> {
  await writeJson(loginFile(), login);
  return loginFile();
}

const demoFile = (): string => join(resolve(setting('DATA_DIR') ?? '.data'), 'demo.json');

export const readDemo = (): Promise<DemoFile | undefined> => readJson(demoFile());

/** Returns undefined if the file is missing or is not JSON. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this program or the sandbox
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** Replaces a file in one step, so that a kill leaves the old or the new content. */
export async function writeJson(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
  await rename(draft, file);
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Calls an operation that takes no API key. The body is a form or is sent as JSON. Returns the body
 * of the response.
 */
export async function sendJson(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  method: Method = 'POST',
): Promise<Record<string, unknown>> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(method === 'GET' ? {} : { body: isForm ? body : JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, by the API
  const result = (await response.json()) as Record<string, unknown>;
  if (!response.ok)
    throw new Error(`the gateway responded with ${response.status}: ${String(result['message'])}`);
  return result;
}
