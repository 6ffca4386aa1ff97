import type { AdapterFactory } from '#providers/adapter.ts';
import { callbackRoutes } from './callbacks.ts';
import { createBacenClient } from './client.ts';
import { findTransactionByTxid, createPixPaymentHandler } from './pix-payments.ts';
import { createMedHandler } from './med.ts';
import { Pix, parseAs } from './messages.ts';
import { createBacenPixProvider } from './pix-provider.ts';
import { reconciliationJobs } from './reconciliation.ts';
import { webhookRegistrationJob } from './webhook-registration.ts';
import { createBacenReverser } from './reverser.ts';
import { readBacenSettings } from './settings.ts';

/** How long the answer to a notice waits for what its payment was for. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** PIX through any PSP that offers the Central Bank's PIX API, version 2.9. */
export const bacenAdapterFactory: AdapterFactory = (reader, prefix) => {
  const settings = readBacenSettings(reader, prefix);
  return async ({ name, clock, log, publicUrl }) => {
    const client = createBacenClient(settings);
    return {
      name,
      pix: createBacenPixProvider({ name, client, settings, clock }),
      reverser: createBacenReverser(name, client),
      attach(context) {
        const medHandler = createMedHandler(name, context, async (endToEndId) => {
          const path = `/pix/${endToEndId}`;
          const response = await client.request(
            { method: 'GET', path },
            AbortSignal.timeout(LOOKUP_TIMEOUT_MS),
          );
          return findTransactionByTxid(context, parseAs(Pix, response.body)?.txid);
        });
        const paymentHandler = createPixPaymentHandler(name, context, medHandler);
        const { webhookSecret: secret } = settings;
        const jobs = [...reconciliationJobs(name, client, context, paymentHandler)];
        // A PSP calls HTTPS only. On a developer's machine payments are found by their list.
        if (publicUrl.startsWith('https://')) {
          jobs.push(webhookRegistrationJob({ name, client, settings, publicUrl, log }));
        }
        return { routes: (app) => callbackRoutes(app, { name, secret, paymentHandler, medHandler }), jobs };
      },
      close: () => client.close(),
    };
  };
};
