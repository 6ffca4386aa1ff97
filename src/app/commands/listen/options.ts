import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Type } from 'typebox';
import { Value } from 'typebox/value';

import type { Environment } from '#platform/config/settings-reader.ts';

export interface ListenOptions {
  /** The address that events are posted to. */
  readonly forwardTo: string;
  /** Base URL of the gateway without a trailing slash and without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

const USAGE =
  'listen --forward-to http://localhost:3000/hook [--url http://127.0.0.1:8080] [--api-key sk_test_…]';
const DEFAULT_URL = 'http://127.0.0.1:8080';

const DemoFile = Type.Object({ baseUrl: Type.String(), apiKey: Type.String() });

/**
 * Parses the arguments. The API key may be in the environment, because other users of the machine
 * can see arguments. Defaults to the sandbox's demo seller if the data folder has its key. Throws
 * an Error with a message for the user.
 */
export async function readListenOptions(
  args: readonly string[],
  environment: Environment,
): Promise<ListenOptions> {
  const given = readArguments(args);
  const forwardTo = parseUrl('--forward-to', given.forwardTo);
  const url = given.url ?? nonEmpty(environment['VEREDA_URL']);
  const apiKey = given.apiKey ?? nonEmpty(environment['VEREDA_API_KEY']);
  if (apiKey !== undefined) return { forwardTo, baseUrl: parseBaseUrl(url ?? DEFAULT_URL), apiKey };
  const dataDir = resolve(nonEmpty(environment['DATA_DIR']) ?? '.data');
  const demo = await readDemo(join(dataDir, 'demo.json'));
  if (demo === undefined) {
    throw new Error(
      `VEREDA_API_KEY is required: there is no demo seller in ${dataDir}; set it, or start a sandbox first`,
    );
  }
  return { forwardTo, baseUrl: parseBaseUrl(url ?? demo.baseUrl), apiKey: demo.apiKey };
}

function readArguments(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { 'forward-to': { type: 'string' }, url: { type: 'string' }, 'api-key': { type: 'string' } },
    });
    return { forwardTo: values['forward-to'], url: values.url, apiKey: values['api-key'] };
  } catch {
    // The argument may be a key, so the message does not repeat it.
    throw new Error(`unknown argument. Usage: ${USAGE}`);
  }
}

function parseUrl(name: string, text: string | undefined): string {
  if (text === undefined) throw new Error(`${name} is required. Usage: ${USAGE}`);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new Error(`${name} must be a URL such as http://localhost:3000/hook`);
  }
  return url.href;
}

function parseBaseUrl(text: string): string {
  return parseUrl('--url', text)
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v1$/, '');
}

const nonEmpty = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
};

async function readDemo(
  file: string,
): Promise<{ readonly baseUrl: string; readonly apiKey: string } | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    return Value.Check(DemoFile, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
