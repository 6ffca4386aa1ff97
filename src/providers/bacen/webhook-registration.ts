import type { ProviderJob } from '#providers/adapter.ts';
import type { Logger } from '#platform/kit/log.ts';
import type { BacenClient } from './client.ts';
import { parseAs, WebhookConfig } from './messages.ts';
import type { BacenSettings } from './settings.ts';

const POLL_INTERVAL_MS = 5_000;
const TIMEOUT_MS = 10_000;
const RETRY_MS = 60_000;
/** Interval between checks of a registered webhook. */
const CHECK_INTERVAL_MS = 3_600_000;

export interface WebhookRegistrationDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave' | 'webhookSecret' | 'receiver'>;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** Registers the callback URL at the PSP, and checks hourly that the PSP has not dropped it. */
export function webhookRegistrationJob(deps: WebhookRegistrationDeps): ProviderJob {
  const { name, log } = deps;
  let dueAtMs = 0;
  let problem: Error | undefined;
  return {
    name: `registration of callbacks at ${name}`,
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      if (performance.now() >= dueAtMs) {
        problem = await findRegistrationProblem(deps);
        dueAtMs = performance.now() + (problem === undefined ? CHECK_INTERVAL_MS : RETRY_MS);
        const message = 'webhook not registered at the provider; payments are found by reconciliation';
        if (problem !== undefined) log.warn({ err: problem, provider: name }, message);
      }
      // The job counts as failing until the next attempt succeeds.
      if (problem !== undefined) throw problem;
      return false;
    },
  };
}

const findRegistrationProblem = (deps: WebhookRegistrationDeps): Promise<Error | undefined> =>
  registerWebhook(deps).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error('unknown')),
  );

async function registerWebhook(deps: WebhookRegistrationDeps): Promise<void> {
  const { settings } = deps;
  await registerAt(deps, `/webhook/${encodeURIComponent(settings.chave)}`);
  if (settings.receiver === undefined) return;
  await registerAt(deps, '/webhookrec');
  await registerAt(deps, '/webhookcobr');
}

async function registerAt(
  { name, client, settings, publicUrl, log }: WebhookRegistrationDeps,
  path: string,
): Promise<void> {
  // The PSP appends `/pix`, `/rec` or `/cobr` to this URL.
  const webhookUrl = `${publicUrl}/providers/${name}/${settings.webhookSecret}`;
  const current = await client.request({ method: 'GET', path }, AbortSignal.timeout(TIMEOUT_MS));
  if (current.status < 300 && parseAs(WebhookConfig, current.body)?.webhookUrl === webhookUrl) return;
  const response = await client.request(
    { method: 'PUT', path, body: { webhookUrl } },
    AbortSignal.timeout(TIMEOUT_MS),
  );
  if (response.status >= 300) throw new Error(`the provider responded with HTTP ${response.status}`);
  log.info({ provider: name }, 'webhook registered at the provider');
}
