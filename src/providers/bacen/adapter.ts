import type { AdapterKind } from '#providers/adapter.ts';
import { callbackRoutes } from './callbacks.ts';
import { createBacenClient } from './client.ts';
import { chargeOf, createIntake } from './intake.ts';
import { createMedIntake } from './med.ts';
import { Pix, shaped } from './messages.ts';
import { bacenRail } from './pix-provider.ts';
import { reconciliationChores } from './reconciliation.ts';
import { registrationChore } from './registration.ts';
import { bacenReturns } from './reverser.ts';
import { readBacenSettings } from './settings.ts';

/** How long the answer to a notice waits for what its payment was for. */
const LOOK_UP_MS = 5_000;

/** PIX through any PSP that offers the Central Bank's PIX API, version 2.9. */
export const bacenPix: AdapterKind = (reader, prefix) => {
  const settings = readBacenSettings(reader, prefix);
  return async ({ name, clock, log, publicUrl }) => {
    const client = createBacenClient(settings);
    return {
      name,
      pix: bacenRail({ name, client, settings, clock }),
      returns: bacenReturns(name, client),
      attach(doors) {
        const med = createMedIntake(name, doors, async (endToEndId) => {
          const path = `/pix/${endToEndId}`;
          const answer = await client.ask({ method: 'GET', path }, AbortSignal.timeout(LOOK_UP_MS));
          return chargeOf(doors, shaped(Pix, answer.body)?.txid);
        });
        const intake = createIntake(name, doors, med);
        const { webhookSecret: secret } = settings;
        const chores = [...reconciliationChores(name, client, doors, intake)];
        // A PSP calls HTTPS only. On a developer's machine payments are found by their list.
        if (publicUrl.startsWith('https://')) {
          chores.push(registrationChore({ name, client, settings, publicUrl, log }));
        }
        return { routes: (app) => callbackRoutes(app, { name, secret, intake, med }), chores };
      },
      close: () => client.close(),
    };
  };
};
