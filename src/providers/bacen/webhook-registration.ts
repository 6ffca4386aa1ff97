import type { Logger } from '#platform/kit/log.ts';
import type { Job } from '#platform/jobs/loop.ts';
import type { BacenClient } from './client.ts';
import { parseAs, WebhookConfig } from './messages.ts';
import type { BacenSettings } from './settings.ts';

const POLL_INTERVAL_MS = 5_000;
const TIMEOUT_MS = 10_000;
/** Until the next attempt after one that failed, and until the next look after one that did not. */
const RETRY_MS = 60_000;
const CHECK_INTERVAL_MS = 3_600_000;

/** What PSPs are given to call; the API lets them add `/pix` to it. */
export const callbackUrl = (publicUrl: string, name: string, secret: string): string =>
  `${publicUrl}/providers/${name}/${secret}`;

export interface WebhookRegistrationDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave' | 'webhookSecret'>;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** Tells the PSP where to call back, and looks every hour whether it still does: it may take a registration back by itself. */
export function webhookRegistrationJob({
  name,
  client,
  settings,
  publicUrl,
  log,
}: WebhookRegistrationDeps): Job {
  const webhookUrl = callbackUrl(publicUrl, name, settings.webhookSecret);
  const path = `/webhook/${encodeURIComponent(settings.chave)}`;
  let dueAt = 0;

  async function register(): Promise<void> {
    const known = await client.request({ method: 'GET', path }, AbortSignal.timeout(TIMEOUT_MS));
    if (known.status < 300 && parseAs(WebhookConfig, known.body)?.webhookUrl === webhookUrl) return;
    const response = await client.request(
      { method: 'PUT', path, body: { webhookUrl } },
      AbortSignal.timeout(TIMEOUT_MS),
    );
    if (response.status >= 300) throw new Error(`the provider answered HTTP ${response.status}`);
    log.info({ provider: name }, 'callbacks are registered');
  }

  return {
    name: `registration of callbacks at ${name}`,
    intervalMs: POLL_INTERVAL_MS,
    async run() {
      if (performance.now() < dueAt) return false;
      try {
        await register();
        dueAt = performance.now() + CHECK_INTERVAL_MS;
      } catch (error) {
        dueAt = performance.now() + RETRY_MS;
        log.warn(
          { err: error, provider: name },
          'callbacks are not registered; payments are read from lists',
        );
      }
      return false;
    },
  };
}
