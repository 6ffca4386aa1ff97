import { createHash, timingSafeEqual } from 'node:crypto';

import { Type } from 'typebox';

import { HttpError } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import type { PixPaymentHandler } from './pix-payments.ts';
import type { MedHandler } from './med.ts';
import { parseAs } from './messages.ts';

const BODY_LIMIT = 1024 * 1024;
/** More at once would take the pool away from everybody else. The PSP calls again. */
const MAX_CONCURRENT = 16;

const Body = Type.Object({ pix: Type.Array(Type.Unknown()) });
const Params = Type.Object({ secret: Type.String() });

export interface CallbackDeps {
  readonly name: string;
  readonly secret: string;
  readonly paymentHandler: PixPaymentHandler;
  readonly medHandler: MedHandler;
}

/**
 * What the PSP calls. The secret in the address is what it is known by, beside the mutual TLS of whatever stands before the
 * gateway. Answered with 200 after all of it is committed, and never otherwise: the PSP then calls again.
 */
export function callbackRoutes(app: App, { name, secret, paymentHandler, medHandler }: CallbackDeps): void {
  const expected = digest(secret);
  let inFlight = 0;

  /** Outside of it nothing is told apart from an address that does not exist. */
  const requireSecret = async ({ params }: { readonly params: unknown }): Promise<void> => {
    const given = parseAs(Params, params)?.secret ?? '';
    if (!timingSafeEqual(digest(given), expected)) throw new HttpError(404, 'Route not found');
  };

  async function withConcurrencyLimit(work: () => Promise<void>): Promise<Record<string, never>> {
    if (inFlight >= MAX_CONCURRENT) throw unavailable();
    inFlight += 1;
    try {
      await work();
      return {};
    } catch (error) {
      // What is told may need a look at the PSP itself, which is not always there when it calls.
      if (error instanceof NotExecutedError || (error instanceof Error && error.name === 'TimeoutError'))
        throw unavailable();
      throw error;
    } finally {
      inFlight -= 1;
    }
  }

  // Without payments it is a trial: PSPs make one when the address is registered.
  const handlePayments = async (body: unknown): Promise<void> =>
    paymentHandler.handleAll(parseAs(Body, body)?.pix ?? []);

  const options = {
    config: { access: 'public', unlimited: true },
    schema: { hide: true },
    bodyLimit: BODY_LIMIT,
    onRequest: requireSecret,
  } as const;
  // The API has the PSP add `/pix` to the registered address, and not every PSP does.
  for (const path of ['', '/pix']) {
    app.post(`/providers/${name}/:secret${path}`, options, async ({ body }) =>
      withConcurrencyLimit(() => handlePayments(body)),
    );
  }
  app.post(`/providers/${name}/:secret/med`, options, async ({ body }) =>
    withConcurrencyLimit(() => medHandler.handleNotice(body)),
  );
}

const unavailable = (): HttpError => new HttpError(503, 'Service unavailable', { 'retry-after': '1' });

/** Of one length, whatever is compared. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
