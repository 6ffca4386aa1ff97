import { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js';
import { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import { AuthenticationData } from '@adyen/api-library/lib/src/typings/checkout/authenticationData.js';
import { ThreeDSecureData } from '@adyen/api-library/lib/src/typings/checkout/threeDSecureData.js';

import type { Clock } from '#platform/kit/clock.ts';
import type { ThreeDSecure } from '#payments/transactions/card.ts';
import type {
  CardAnswer,
  CardPlacement,
  CardRail,
  FollowUp,
  FollowUpAnswer,
} from '#payments/operations/payment-provider.ts';
import { AdyenRefusal, calledAs, type AdyenClient } from './client.ts';
import type { AdyenSettings } from './settings.ts';

/** How long an authorization is held before it is given back: what Adyen advises for most card schemes. */
export const AUTHORIZATION_LIFE_MS = 5 * 24 * 3_600_000;
const CURRENCY = 'BRL';
/** Longer names are cut off by the schemes. */
const STATEMENT_LENGTH = 22;

export const ASKS_FOR_AUTHENTICATION = "the card's bank asks for authentication";

/** Why a card was refused, by Adyen's number and text, in words for the seller; every other one is just declined. */
const REFUSALS: Readonly<Record<string, { readonly adyen: string; readonly words: string }>> = {
  '5': { adyen: 'Blocked Card', words: 'blocked card' },
  '6': { adyen: 'Expired Card', words: 'expired card' },
  '8': { adyen: 'Invalid Card Number', words: 'invalid card number' },
  '11': { adyen: '3D Not Authenticated', words: ASKS_FOR_AUTHENTICATION },
  '12': { adyen: 'Not enough balance', words: 'insufficient funds' },
  '14': { adyen: 'Acquirer Fraud', words: 'suspected fraud' },
  '20': { adyen: 'FRAUD', words: 'suspected fraud' },
  '24': { adyen: 'CVC Declined', words: 'wrong security code' },
  '31': { adyen: 'Issuer Suspected Fraud', words: 'suspected fraud' },
};

/** Of requests that Adyen does not take as they stand. */
const INVALID: Readonly<Record<string, string>> = {
  '101': 'invalid card number',
  '103': 'wrong security code',
  '105': 'invalid expiry date',
  '129': 'invalid expiry date',
  '140': 'invalid expiry date',
};

export interface AdyenRailDeps {
  readonly name: string;
  readonly client: AdyenClient;
  readonly settings: AdyenSettings;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/** Cards through Adyen's Checkout API. The card is passed on and kept nowhere. */
export function adyenRail({ name, client, settings, clock, publicUrl }: AdyenRailDeps): CardRail {
  const { merchantAccount } = settings;
  const { modifications } = client;
  const ask = (order: FollowUp, deadline: AbortSignal) => ({
    body: { merchantAccount, reference: order.id },
    money: { currency: CURRENCY, value: order.amountCents },
    options: calledAs(order.id, deadline),
  });
  return {
    name,

    async authorize(order, deadline) {
      const request = requestOf(order, merchantAccount, `${publicUrl}/`);
      try {
        const answer = await client.payments.payments(request, calledAs(order.transactionId, deadline));
        return decided(answer, order, clock.now());
      } catch (error) {
        if (!(error instanceof AdyenRefusal)) throw error;
        const { errorCode } = error;
        const reason =
          INVALID[errorCode ?? ''] ?? `refused by the card provider (${errorCode ?? 'no reason'})`;
        return { kind: 'decided', happening: { kind: 'FAILURE', reason }, reference: null };
      }
    },

    // The key of the authorization is taken: the same key for something else would be refused.
    abandon: (transactionId, deadline) =>
      orRefused(() =>
        modifications.cancelAuthorisedPayment(
          { merchantAccount, paymentReference: transactionId, reference: transactionId },
          calledAs(`abandon-${transactionId}`, deadline),
        ),
      ),

    capture: (order, deadline) =>
      orRefused(() => {
        const { body, money, options } = ask(order, deadline);
        const request = { ...body, amount: money };
        return modifications.captureAuthorisedPayment(order.paymentReference, request, options);
      }),

    void: (order, deadline) =>
      orRefused(() => {
        const { body, options } = ask(order, deadline);
        return modifications.cancelAuthorisedPaymentByPspReference(order.paymentReference, body, options);
      }),

    refund: (order, deadline) =>
      orRefused(() => {
        const { body, money, options } = ask(order, deadline);
        const request = { ...body, amount: money };
        return modifications.refundCapturedPayment(order.paymentReference, request, options);
      }),
  };
}

/** Adyen takes modifications and tells by a notification what came of them. */
async function orRefused(call: () => Promise<{ readonly pspReference?: string }>): Promise<FollowUpAnswer> {
  try {
    const { pspReference } = await call();
    if (pspReference === undefined) throw new Error('the provider took something and gave it no id');
    return { kind: 'accepted', reference: pspReference };
  } catch (error) {
    if (error instanceof AdyenRefusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

function requestOf(order: CardPlacement, merchantAccount: string, returnUrl: string): PaymentRequest {
  const { card, payer, threeDS, payerIp } = order;
  const [firstName = '', ...lastNames] = payer.name.trim().split(/\s+/);
  const mpiData = threeDS === null ? undefined : mpiDataOf(threeDS);
  const { AttemptAuthenticationEnum } = AuthenticationData;
  return {
    merchantAccount,
    reference: order.transactionId,
    amount: { currency: CURRENCY, value: order.amountCents },
    paymentMethod: {
      type: CardDetails.TypeEnum.Scheme,
      number: card.number,
      expiryMonth: String(card.expirationMonth).padStart(2, '0'),
      expiryYear: String(card.expirationYear),
      holderName: card.holderName,
      ...(card.cvv === null ? {} : { cvc: card.cvv }),
    },
    installments: { value: order.installments },
    additionalData: { manualCapture: order.capture ? 'false' : 'true' },
    ...(order.capture ? { captureDelayHours: 0 } : {}),
    // What the seller had asked the payer's bank; without it the gateway has no page on which it could be asked.
    ...(mpiData === undefined
      ? { authenticationData: { attemptAuthentication: AttemptAuthenticationEnum.Never } }
      : { mpiData }),
    shopperInteraction: PaymentRequest.ShopperInteractionEnum.Ecommerce,
    shopperReference: order.sellerId,
    shopperStatement: statementOf(order.sellerName),
    shopperEmail: payer.email,
    shopperName: { firstName, lastName: lastNames.join(' ') || firstName },
    telephoneNumber: payer.phone,
    socialSecurityNumber: payer.document,
    countryCode: 'BR',
    returnUrl,
    ...(payerIp === null ? {} : { shopperIP: payerIp }),
  };
}

/** What the schemes print on the payer's bill: letters, digits and few signs. */
function statementOf(sellerName: string): string {
  const plain = sellerName.normalize('NFD').replaceAll(/[^a-zA-Z0-9.,'_?+* /-]/g, '');
  return plain.slice(0, STATEMENT_LENGTH).trim() || 'LOJA';
}

/** The outcome of an authentication that the seller ran. Undefined where it says nothing that a bank could check. */
function mpiDataOf({ cavv, xid, eci, version, referenceId }: ThreeDSecure): ThreeDSecureData | undefined {
  if (cavv === null && eci === null) return undefined;
  const second = !(version ?? '2').startsWith('1');
  const transaction = second ? (xid ?? referenceId) : xid;
  // 05 and 02 say that the payer was authenticated, the others that it was attempted.
  const full = eci === null || eci === '05' || eci === '02';
  const { AuthenticationResponseEnum, DirectoryResponseEnum } = ThreeDSecureData;
  return {
    authenticationResponse: full ? AuthenticationResponseEnum.Y : AuthenticationResponseEnum.A,
    directoryResponse: full ? DirectoryResponseEnum.Y : DirectoryResponseEnum.A,
    ...(cavv === null ? {} : { cavv }),
    ...(eci === null ? {} : { eci }),
    ...(version === null ? {} : { threeDSVersion: version }),
    ...(transaction === null ? {} : second ? { dsTransID: transaction } : { xid: transaction }),
  };
}

function decided(
  { resultCode, refusalReasonCode, pspReference }: PaymentResponse,
  order: CardPlacement,
  now: Date,
): CardAnswer {
  const reference = pspReference ?? null;
  const failed = (reason: string): CardAnswer => ({
    kind: 'decided',
    happening: { kind: 'FAILURE', reason },
    reference,
  });
  switch (resultCode?.toString()) {
    case 'Authorised':
      if (reference === null) throw new Error('the provider authorized something and gave it no id');
      return { kind: 'decided', happening: authorized(order, now), reference };
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return failed(refusalWords(refusalReasonCode));
    case 'RedirectShopper':
    case 'ChallengeShopper':
    case 'IdentifyShopper':
      return failed(ASKS_FOR_AUTHENTICATION);
    case 'Received':
    case 'Pending':
      return { kind: 'pending', reference };
    case undefined:
    default:
      throw new Error('the provider answered neither yes nor no');
  }
}

const refusalWords = (code: string | undefined): string => REFUSALS[code ?? '']?.words ?? 'declined';

/** The same of a notification, which names the reason by Adyen's text of it. */
export const reasonWords = (text: string): string =>
  Object.values(REFUSALS).find(({ adyen }) => adyen.toLowerCase() === text.trim().toLowerCase())?.words ??
  'declined';

/** What an authorization is to the charge. Adyen captures at once what is not to be captured by hand. */
export function authorized(
  order: { readonly amountCents: number; readonly capture: boolean },
  now: Date,
): Extract<CardAnswer, { kind: 'decided' }>['happening'] {
  return order.capture
    ? { kind: 'PAYMENT', amount: order.amountCents, paidAt: now }
    : { kind: 'AUTHORIZATION', lapsesAt: new Date(now.getTime() + AUTHORIZATION_LIFE_MS) };
}
