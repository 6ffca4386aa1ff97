import type { Transaction } from '#payments/transactions/service.ts';
import type { AdapterFactory, AdapterIntegration, ProviderContext } from '#providers/adapter.ts';
import { callbackRoutes } from './callbacks.ts';
import { createBacenClient, type BacenClient } from './client.ts';
import { createCallbackVerification } from './callback-verification.ts';
import { applyPayment, findTransactionByTxid, forEachPayment, type PaymentsHandler } from './pix-payments.ts';
import { createMedHandler } from './med.ts';
import { Pix, parseAs } from './messages.ts';
import { createBacenPixProvider } from './pix-provider.ts';
import { createBacenPixAutomatico } from './pix-automatico.ts';
import { readReportedCharges, recurringChargesJob } from './recurring-charges.ts';
import { reconciliationJobs } from './reconciliation.ts';
import { webhookRegistrationJob } from './webhook-registration.ts';
import { createBacenReverser } from './reverser.ts';
import { readBacenSettings, type BacenSettings } from './settings.ts';

/** Deadline of the lookup of a notice's payment, which delays the response to the notice. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** Pix through any PSP that offers the Central Bank's Pix API, version 2.9. */
export const bacenAdapterFactory: AdapterFactory = (reader, prefix, mode) => {
  const settings = readBacenSettings(reader, prefix, mode);
  return {
    addresses: [
      { name: `${prefix}_PIX_URL`, value: settings.url },
      { name: `${prefix}_PIX_TOKEN_URL`, value: settings.tokenUrl },
    ],
    async open({ name, clock, publicUrl }) {
      const client = createBacenClient(settings);
      return {
        name,
        pix: createBacenPixProvider({ name, client, settings, clock }),
        ...(settings.receiver !== undefined && {
          pixAutomatico: createBacenPixAutomatico({ name, client, settings, clock }),
        }),
        reverser: createBacenReverser(name, client),
        attach: (context) => attach({ ...context, name, client, settings, publicUrl }),
        close: () => client.close(),
      };
    },
  };
};

interface AttachDeps extends ProviderContext {
  readonly name: string;
  readonly client: BacenClient;
  readonly settings: BacenSettings;
  readonly publicUrl: string;
}

function attach(deps: AttachDeps): AdapterIntegration {
  const { name, settings, publicUrl } = deps;
  const medHandler = createMedHandler({
    ...deps,
    findTransactionByEndToEndId: (endToEndId) => findTransactionByEndToEndId(deps, endToEndId),
  });
  const paymentDeps = { ...deps, medHandler };
  const applyTrusted: PaymentsHandler = (items) =>
    forEachPayment(paymentDeps, items, (pix) => applyPayment(paymentDeps, pix));
  const verification = createCallbackVerification(paymentDeps);
  const listed = { ...deps, handlePayments: verification.applyListed };
  const jobs = [...reconciliationJobs(listed), verification.job];
  // PSPs call HTTPS only. Without it, on a developer's machine, payments are found by
  // reconciliation.
  if (publicUrl.startsWith('https://')) jobs.push(webhookRegistrationJob(deps));
  const handleReported = settings.trustCallbacks ? applyTrusted : verification.verifyPayments;
  const recurring = { ...deps, handlePayments: verification.verifyPayments };
  if (settings.receiver !== undefined) jobs.push(recurringChargesJob(recurring));
  const callbacks = {
    name,
    secret: settings.webhookSecret,
    medSecret: settings.medSecret,
    handlePayments: handleReported,
    medHandler,
    handleRecurrence: async (idRec: string) => {
      await deps.subscriptions.handleAuthorizationHint(idRec);
    },
    handleRecurringCharges: (txids: readonly string[]) => readReportedCharges(recurring, txids),
  };
  return { routes: (app) => callbackRoutes(app, callbacks), jobs };
}

/** Looks up the payment's txid at the PSP: a notice carries the end-to-end id only. */
async function findTransactionByEndToEndId(
  deps: AttachDeps,
  endToEndId: string,
): Promise<Transaction | undefined> {
  const request = { method: 'GET', path: `/pix/${endToEndId}` } as const;
  const response = await deps.client.request(request, AbortSignal.timeout(LOOKUP_TIMEOUT_MS));
  return findTransactionByTxid(deps, parseAs(Pix, response.body)?.txid);
}
