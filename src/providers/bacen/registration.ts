import type { Logger } from '#platform/kit/log.ts';
import type { Chore } from '#platform/jobs/loop.ts';
import type { BacenClient } from './client.ts';
import { shaped, WebhookSet } from './messages.ts';
import type { BacenSettings } from './settings.ts';

const LOOK_MS = 5_000;
const DEADLINE_MS = 10_000;
/** Until the next attempt after one that failed, and until the next look after one that did not. */
const RETRY_MS = 60_000;
const CHECK_MS = 3_600_000;

/** What PSPs are given to call; the API lets them add `/pix` to it. */
export const callbackUrl = (publicUrl: string, name: string, secret: string): string =>
  `${publicUrl}/providers/${name}/${secret}`;

export interface RegistrationDeps {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: Pick<BacenSettings, 'chave' | 'webhookSecret'>;
  readonly publicUrl: string;
  readonly log: Logger;
}

/** Tells the PSP where to call back, and looks every hour whether it still does: it may take a registration back by itself. */
export function registrationChore({ name, client, settings, publicUrl, log }: RegistrationDeps): Chore {
  const webhookUrl = callbackUrl(publicUrl, name, settings.webhookSecret);
  const path = `/webhook/${encodeURIComponent(settings.chave)}`;
  let dueAt = 0;

  async function register(): Promise<void> {
    const known = await client.ask({ method: 'GET', path }, AbortSignal.timeout(DEADLINE_MS));
    if (known.status < 300 && shaped(WebhookSet, known.body)?.webhookUrl === webhookUrl) return;
    const answer = await client.ask(
      { method: 'PUT', path, body: { webhookUrl } },
      AbortSignal.timeout(DEADLINE_MS),
    );
    if (answer.status >= 300) throw new Error(`the provider answered HTTP ${answer.status}`);
    log.info({ provider: name }, 'callbacks are registered');
  }

  return {
    name: `registration of callbacks at ${name}`,
    everyMs: LOOK_MS,
    async run() {
      if (performance.now() < dueAt) return false;
      try {
        await register();
        dueAt = performance.now() + CHECK_MS;
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
