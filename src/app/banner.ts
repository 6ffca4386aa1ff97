import { randomUUID } from 'node:crypto';

import type { Config } from './config.ts';
import { isGenerated, type Demo } from './demo.ts';
import { SAMPLE_TRANSACTION } from '#payments/transactions/sample-request.ts';

/** Text printed to the terminal after a start of the sandbox. It shows the demo's secrets. */
export function banner(
  config: Config,
  roles: { readonly api: boolean; readonly worker: boolean },
  demo: Demo | undefined,
): string {
  const served = roles.api ? addresses(config) : '  The worker is running.\n';
  if (!roles.api) return `\n${served}\n`;
  return `\n${served}\n${demo === undefined ? UNKNOWN_DEMO_NOTICE : demoLines(config, demo)}\n`;
}

function addresses({ mode, publicUrl }: Config): string {
  return [
    `  Vereda is running (${mode}). Ctrl-C stops it.`,
    '',
    `  API        ${publicUrl}/v1`,
    `  Dashboard  ${publicUrl}/dashboard/`,
    `  Docs       ${publicUrl}/docs`,
    `  Guides     ${publicUrl}/docs/guides`,
    '',
  ].join('\n');
}

const UNKNOWN_DEMO_NOTICE =
  '  This database was first used with another data folder; its demo credentials are in the ' +
  'demo.json there.\n';

function demoLines({ adminPassword }: Config, { baseUrl, apiKey, seller, admin }: Demo): string {
  const showsPassword = adminPassword === undefined && isGenerated(admin.password);
  return [
    `  Demo seller's API key  ${apiKey}`,
    `  Demo seller's sign-in  ${seller.email}  ${seller.password}`,
    `  Operator's sign-in     ${admin.email}  ${showsPassword ? admin.password : '(ADMIN_PASSWORD)'}`,
    '',
    '  Run these in order: create a webhook, create a Pix transaction, pay it, retrieve the wallet.',
    '',
    ...exampleCommands(baseUrl, apiKey),
    '',
  ].join('\n');
}

/** Each is a complete one-line command. The third finds the newest transaction and pays it. */
function exampleCommands(baseUrl: string, apiKey: string): readonly string[] {
  const json = `-H 'content-type: application/json'`;
  const curl = `curl -sS -w '\\n' -H 'x-api-key: ${apiKey}'`;
  const webhook = `{"url":"https://example.com/webhook","eventType":"ALL"}`;
  const transaction = JSON.stringify(SAMPLE_TRANSACTION);
  const idempotencyKey = `-H 'idempotency-key: ${randomUUID()}'`;
  const firstUuid = `grep -oE '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | head -n 1`;
  const newest = `$(${curl} '${baseUrl}/transactions?take=1' | ${firstUuid})`;
  return [
    `${curl} ${json} -d '${webhook}' ${baseUrl}/webhooks`,
    `${curl} ${json} ${idempotencyKey} -d '${transaction}' ${baseUrl}/transactions`,
    `${curl} -X POST "${baseUrl}/sandbox/transactions/${newest}/pay"`,
    `${curl} ${baseUrl}/seller-wallet/gestao`,
  ];
}
