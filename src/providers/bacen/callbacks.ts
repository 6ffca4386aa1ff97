import { createHash, timingSafeEqual } from 'node:crypto';

import { Type } from 'typebox';

import { routeNotFound, serviceUnavailable } from '#platform/http/errors.ts';
import type { App } from '#platform/http/server.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { handleEach, type PaymentsHandler } from './pix-payments.ts';
import type { MedHandler } from './med.ts';
import { parseAs } from './messages.ts';
import { CobRNotification, RecNotification } from './pix-automatico-messages.ts';

const BODY_LIMIT = 1024 * 1024;
/** Bounds the share of the database pool that callbacks use. The PSP retries refused ones. */
const MAX_CONCURRENT = 16;

// The API lets a PSP group any number of items; the body limit bounds them.
const Body = Type.Object({ pix: Type.Array(Type.Unknown()) });
const RecBody = Type.Object({ recs: Type.Array(Type.Unknown()) });
const CobRBody = Type.Object({ cobsr: Type.Array(Type.Unknown()) });
const Params = Type.Object({ secret: Type.String() });

export interface CallbackDeps {
  readonly name: string;
  readonly secret: string;
  /** Of MED notices, which are applied without reading them from the PSP. */
  readonly medSecret: string;
  readonly handlePayments: PaymentsHandler;
  readonly medHandler: MedHandler;
  /** A recurrence may have changed. */
  readonly handleRecurrence: (idRec: string) => Promise<void>;
  /** Charges of recurrences may have changed. */
  readonly handleRecurringCharges: (txids: readonly string[]) => Promise<void>;
}

/**
 * Registers the callbacks of the PSP, which authenticates by the secret in the path, beside the
 * mutual TLS that a proxy may require. The status is 200 only after all effects are committed, or
 * what needs the PSP's confirmation is stored: the PSP repeats any other callback.
 */
export function callbackRoutes(app: App, deps: CallbackDeps): void {
  const { name, secret, medSecret, handlePayments, medHandler } = deps;
  const withLimit = createConcurrencyLimit(MAX_CONCURRENT);
  const options = {
    config: { access: 'public', unlimited: true },
    schema: { hide: true },
    bodyLimit: BODY_LIMIT,
    onRequest: requireSecret(secret),
  } as const;
  // The API has the PSP append `/pix` to the registered URL, but not every PSP does.
  for (const path of ['', '/pix']) {
    app.post(`/providers/${name}/:secret${path}`, options, async ({ body }) =>
      // A body without payments is a test call, which PSPs make when the URL is registered.
      withLimit(() => handlePayments(parseAs(Body, body)?.pix ?? [])),
    );
  }
  const medOptions = { ...options, onRequest: requireSecret(medSecret) };
  app.post(`/providers/${name}/:secret/med`, medOptions, async ({ body }) =>
    withLimit(() => medHandler.handleNotice(body)),
  );
  // These callbacks are hints: their records are read from the PSP.
  app.post(`/providers/${name}/:secret/rec`, options, async ({ body }) => {
    const ids = (parseAs(RecBody, body)?.recs ?? []).map((item) => parseAs(RecNotification, item)?.idRec);
    return withLimit(() => handleEach(distinct(ids), deps.handleRecurrence));
  });
  app.post(`/providers/${name}/:secret/cobr`, options, async ({ body }) => {
    const ids = (parseAs(CobRBody, body)?.cobsr ?? []).map((item) => parseAs(CobRNotification, item)?.txid);
    return withLimit(() => deps.handleRecurringCharges(distinct(ids)));
  });
}

/** Each id once, so that no record is changed twice at once. Malformed items have none. */
const distinct = (ids: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(ids)].filter((id) => id !== undefined);

/** Without the secret, a request gets the same 404 as an unknown route. */
function requireSecret(secret: string) {
  const expected = digest(secret);
  return async ({ params }: { readonly params: unknown }): Promise<void> => {
    const received = parseAs(Params, params)?.secret ?? '';
    if (!timingSafeEqual(digest(received), expected)) throw routeNotFound();
  };
}

/** Answers 503 beyond the limit, and if the PSP cannot be reached for a lookup. */
function createConcurrencyLimit(limit: number) {
  let inFlight = 0;
  return async (work: () => Promise<void>): Promise<Record<string, never>> => {
    if (inFlight >= limit) throw serviceUnavailable();
    inFlight += 1;
    try {
      await work();
      return {};
    } catch (error) {
      const isUnreachable =
        error instanceof NotExecutedError || (error instanceof Error && error.name === 'TimeoutError');
      throw isUnreachable ? serviceUnavailable() : error;
    } finally {
      inFlight -= 1;
    }
  };
}

/** Gives both sides of the comparison the same length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
