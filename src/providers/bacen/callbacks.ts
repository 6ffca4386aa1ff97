import { createHash, timingSafeEqual } from 'node:crypto';

import { Type } from 'typebox';

import { HttpError } from '#http/errors.ts';
import type { App } from '#http/server.ts';
import type { ProviderDoors } from '../adapter.ts';
import type { Intake } from './intake.ts';
import type { MedIntake } from './med.ts';
import { Pix, shaped } from './messages.ts';
import { takeAll } from './reconciliation.ts';

const BODY_LIMIT = 1024 * 1024;
/** More at once would take the pool away from everybody else. The PSP calls again. */
const MOST_AT_ONCE = 16;

const Body = Type.Object({ pix: Type.Array(Type.Unknown()) });
const Params = Type.Object({ secret: Type.String() });

export interface CallbackDeps {
  readonly name: string;
  readonly secret: string;
  readonly doors: ProviderDoors;
  readonly intake: Intake;
  readonly med: MedIntake;
}

/**
 * What the PSP calls. The secret in the address is what it is known by, beside the mutual TLS of whatever stands before the
 * gateway. Answered with 200 after all of it is committed, and never otherwise: the PSP then calls again.
 */
export function callbackRoutes(app: App, { name, secret, doors, intake, med }: CallbackDeps): void {
  const expected = digest(secret);
  let underWay = 0;

  /** Outside of it nothing is told apart from an address that does not exist. */
  const onlyWithSecret = async ({ params }: { readonly params: unknown }): Promise<void> => {
    const given = shaped(Params, params)?.secret ?? '';
    if (!timingSafeEqual(digest(given), expected)) throw new HttpError(404, 'Route not found');
  };

  async function bounded(work: () => Promise<void>): Promise<Record<string, never>> {
    if (underWay >= MOST_AT_ONCE) throw new HttpError(503, 'Service unavailable', { 'retry-after': '1' });
    underWay += 1;
    try {
      await work();
      return {};
    } finally {
      underWay -= 1;
    }
  }

  async function takePayments(body: unknown): Promise<void> {
    // Without payments it is a trial: PSPs make one when the address is registered.
    const items = shaped(Body, body)?.pix ?? [];
    const known = items.flatMap((item) => shaped(Pix, item) ?? []);
    for (const item of items) if (shaped(Pix, item) === undefined) await keepStrange(item);
    await takeAll(known, intake);
  }

  /** Nothing that may be money is thrown away because of its form; neither may it keep the others back. */
  async function keepStrange(item: unknown): Promise<void> {
    doors.log.error({ provider: name }, 'a provider told of a payment in a form that is not known');
    const reportId = shaped(Type.Object({ endToEndId: Type.String({ maxLength: 64 }) }), item)?.endToEndId;
    const text = JSON.stringify(item);
    await doors.transactions.keepUnmatched(
      { sellerId: '', id: '' },
      {
        provider: name,
        reportId: reportId ?? createHash('sha256').update(text).digest('hex'),
        kind: 'PAYMENT',
        amount: null,
        occurredAt: doors.clock.now(),
      },
      'in a form that is not known: ask the provider what it is',
    );
  }

  const options = {
    config: { access: 'public', unlimited: true },
    schema: { hide: true },
    bodyLimit: BODY_LIMIT,
    onRequest: onlyWithSecret,
  } as const;
  // The API has the PSP add `/pix` to the registered address, and not every PSP does.
  for (const path of ['', '/pix']) {
    app.post(`/providers/${name}/:secret${path}`, options, async ({ body }) =>
      bounded(() => takePayments(body)),
    );
  }
  app.post(`/providers/${name}/:secret/med`, options, async ({ body }) => bounded(() => med.take(body)));
}

/** Of one length, whatever is compared. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
