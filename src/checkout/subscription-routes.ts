import { Type } from 'typebox';

import { envelope, ok } from '#platform/http/envelope.ts';
import type { App } from '#platform/http/server.ts';
import { invalidTransition } from '#subscriptions/errors.ts';
import type { SubscriptionRecord } from '#subscriptions/subscription.ts';
import * as examples from './subscription-examples.ts';
import { brandOf, type CheckoutRouteDeps } from './routes.ts';
import { payerCardBody, PublicSubscriptionSchema } from './subscription-schema.ts';
import {
  cancelSubscription,
  changeCard,
  findPayerSubscription,
  requireSubscription,
  type PayerSubscriptionDeps,
} from './subscription.ts';
import { viewPublicSubscription } from './subscription-views.ts';

export type SubscriptionPageDeps = PayerSubscriptionDeps & CheckoutRouteDeps;

const Params = Type.Object({
  subscriptionToken: Type.String({ description: 'The last part of the `payerUrl` of the subscription.' }),
});
const response = { 200: envelope(PublicSubscriptionSchema) };
const tags = ['Subscriptions'];

/** What the page of a subscription's payer calls. Public: the token is the authorization. */
export function payerSubscriptionRoutes(app: App, deps: SubscriptionPageDeps): void {
  registerGet(app, deps);
  registerChangeCard(app, deps);
  registerCancel(app, deps);
}

async function view(deps: SubscriptionPageDeps, subscription: SubscriptionRecord) {
  const [found, seller] = await Promise.all([
    findPayerSubscription(deps, subscription),
    brandOf(deps, subscription.sellerId),
  ]);
  return ok(viewPublicSubscription(found, seller, deps.clock.now()));
}

function registerGet(app: App, deps: SubscriptionPageDeps): void {
  app.get(
    '/public/subscriptions/:subscriptionToken',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getPublicSubscription',
        summary: "Retrieve a payer's subscription",
        description: 'Returns a subscription as its payer sees it. Requires no credential.',
        errors: ['subscription_not_found'],
        examples: { response: examples.SUBSCRIPTION },
        params: Params,
        tags,
        response,
      },
    },
    async (request) => view(deps, await requireSubscription(deps, request.params.subscriptionToken)),
  );
}

function registerChangeCard(app: App, deps: SubscriptionPageDeps): void {
  app.put(
    '/public/subscriptions/:subscriptionToken/card',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'changePublicSubscriptionCard',
        summary: "Change a payer's card",
        description:
          'Replaces the card of a CREDIT_CARD subscription, and charges an unpaid invoice ' +
          'immediately. Requires no credential. Responds with 429 after too many cards for a ' +
          'subscription or from an IP address.',
        errors: [
          'subscription_not_found',
          invalidTransition('CANCELLED', 'ACTIVE'),
          'too_many_declined_cards',
        ],
        examples: {
          body: examples.CARDS,
          response: examples.SUBSCRIPTION,
        },
        params: Params,
        body: payerCardBody,
        tags,
        response,
      },
    },
    async (request) => {
      const { params, ip: address, id: requestId, body } = request;
      return view(
        deps,
        await changeCard(deps, { token: params.subscriptionToken, address, requestId }, body),
      );
    },
  );
}

function registerCancel(app: App, deps: SubscriptionPageDeps): void {
  app.post(
    '/public/subscriptions/:subscriptionToken/cancel',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'cancelPublicSubscription',
        summary: "Cancel a payer's subscription",
        description: 'Ends a subscription for its payer: nothing more is charged. Requires no credential.',
        errors: ['subscription_not_found', invalidTransition('COMPLETED', 'CANCELLED')],
        examples: { response: examples.SUBSCRIPTION },
        params: Params,
        tags,
        response,
      },
    },
    async (request) => {
      const { params, ip: address, id: requestId } = request;
      return view(
        deps,
        await cancelSubscription(deps, { token: params.subscriptionToken, address, requestId }),
      );
    },
  );
}
