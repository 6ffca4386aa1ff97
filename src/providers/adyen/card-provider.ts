import { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js';
import { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import { AuthenticationData } from '@adyen/api-library/lib/src/typings/checkout/authenticationData.js';
import { ThreeDSecureData } from '@adyen/api-library/lib/src/typings/checkout/threeDSecureData.js';

import type { Clock } from '#platform/kit/clock.ts';
import type { ThreeDSecure } from '#payments/transactions/card.ts';
import type {
  CardAuthorizationResponse,
  CardAuthorizationRequest,
  CardProvider,
  OperationRequest,
  OperationResponse,
} from '#payments/operations/payment-provider.ts';
import { AdyenRejectedError, requestOptions, type AdyenClient } from './client.ts';
import type { AdyenSettings } from './settings.ts';

/** How long an authorization is held before it is given back: what Adyen advises for most card schemes. */
export const AUTHORIZATION_VALIDITY_MS = 5 * 24 * 3_600_000;
const CURRENCY = 'BRL';
/** Longer names are cut off by the schemes. */
const MAX_STATEMENT_LENGTH = 22;

export const AUTHENTICATION_REQUIRED = "the card's bank asks for authentication";

/** Why a card was refused, by Adyen's number and text, in words for the seller; every other one is just declined. */
const REFUSAL_REASONS: Readonly<Record<string, { readonly adyen: string; readonly message: string }>> = {
  '5': { adyen: 'Blocked Card', message: 'blocked card' },
  '6': { adyen: 'Expired Card', message: 'expired card' },
  '8': { adyen: 'Invalid Card Number', message: 'invalid card number' },
  '11': { adyen: '3D Not Authenticated', message: AUTHENTICATION_REQUIRED },
  '12': { adyen: 'Not enough balance', message: 'insufficient funds' },
  '14': { adyen: 'Acquirer Fraud', message: 'suspected fraud' },
  '20': { adyen: 'FRAUD', message: 'suspected fraud' },
  '24': { adyen: 'CVC Declined', message: 'wrong security code' },
  '31': { adyen: 'Issuer Suspected Fraud', message: 'suspected fraud' },
};

/** Of requests that Adyen does not take as they stand. */
const INVALID_REQUEST_REASONS: Readonly<Record<string, string>> = {
  '101': 'invalid card number',
  '103': 'wrong security code',
  '105': 'invalid expiry date',
  '129': 'invalid expiry date',
  '140': 'invalid expiry date',
};

export interface AdyenCardProviderDeps {
  readonly name: string;
  readonly client: AdyenClient;
  readonly settings: AdyenSettings;
  readonly clock: Clock;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}

/** Cards through Adyen's Checkout API. The card is passed on and kept nowhere. */
export function createAdyenCardProvider({
  name,
  client,
  settings,
  clock,
  publicUrl,
}: AdyenCardProviderDeps): CardProvider {
  const { merchantAccount } = settings;
  const { modifications } = client;
  const modificationOf = (operation: OperationRequest, deadline: AbortSignal) => ({
    body: { merchantAccount, reference: operation.id },
    money: { currency: CURRENCY, value: operation.amountCents },
    options: requestOptions(operation.id, deadline),
  });
  return {
    name,

    async authorize(authorization, deadline) {
      const request = requestOf(authorization, merchantAccount, `${publicUrl}/`);
      try {
        const response = await client.payments.payments(
          request,
          requestOptions(authorization.transactionId, deadline),
        );
        return outcomeOf(response, authorization, clock.now());
      } catch (error) {
        if (!(error instanceof AdyenRejectedError)) throw error;
        const { errorCode } = error;
        const reason =
          INVALID_REQUEST_REASONS[errorCode ?? ''] ??
          `refused by the card provider (${errorCode ?? 'no reason'})`;
        return { kind: 'decided', event: { kind: 'FAILURE', reason }, reference: null };
      }
    },

    // The key of the authorization is taken: the same key for something else would be refused.
    voidByTransactionId: (transactionId, deadline) =>
      sendModification(() =>
        modifications.cancelAuthorisedPayment(
          { merchantAccount, paymentReference: transactionId, reference: transactionId },
          requestOptions(`abandon-${transactionId}`, deadline),
        ),
      ),

    capture: (operation, deadline) =>
      sendModification(() => {
        const { body, money, options } = modificationOf(operation, deadline);
        const request = { ...body, amount: money };
        return modifications.captureAuthorisedPayment(operation.paymentReference, request, options);
      }),

    void: (operation, deadline) =>
      sendModification(() => {
        const { body, options } = modificationOf(operation, deadline);
        return modifications.cancelAuthorisedPaymentByPspReference(operation.paymentReference, body, options);
      }),

    refund: (operation, deadline) =>
      sendModification(() => {
        const { body, money, options } = modificationOf(operation, deadline);
        const request = { ...body, amount: money };
        return modifications.refundCapturedPayment(operation.paymentReference, request, options);
      }),
  };
}

/** Adyen takes modifications and tells by a notification what came of them. */
async function sendModification(
  call: () => Promise<{ readonly pspReference?: string }>,
): Promise<OperationResponse> {
  try {
    const { pspReference } = await call();
    if (pspReference === undefined) throw new Error('the provider took something and gave it no id');
    return { kind: 'accepted', reference: pspReference };
  } catch (error) {
    if (error instanceof AdyenRejectedError) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

function requestOf(
  authorization: CardAuthorizationRequest,
  merchantAccount: string,
  returnUrl: string,
): PaymentRequest {
  const { card, payer, threeDS, payerIp } = authorization;
  const [firstName = '', ...lastNames] = payer.name.trim().split(/\s+/);
  const mpiData = threeDS === null ? undefined : mpiDataOf(threeDS);
  const { AttemptAuthenticationEnum } = AuthenticationData;
  return {
    merchantAccount,
    reference: authorization.transactionId,
    amount: { currency: CURRENCY, value: authorization.amountCents },
    paymentMethod: {
      type: CardDetails.TypeEnum.Scheme,
      number: card.number,
      expiryMonth: String(card.expirationMonth).padStart(2, '0'),
      expiryYear: String(card.expirationYear),
      holderName: card.holderName,
      ...(card.cvv === null ? {} : { cvc: card.cvv }),
    },
    installments: { value: authorization.installments },
    additionalData: { manualCapture: authorization.capture ? 'false' : 'true' },
    ...(authorization.capture ? { captureDelayHours: 0 } : {}),
    // What the seller had asked the payer's bank; without it the gateway has no page on which it could be asked.
    ...(mpiData === undefined
      ? { authenticationData: { attemptAuthentication: AttemptAuthenticationEnum.Never } }
      : { mpiData }),
    shopperInteraction: PaymentRequest.ShopperInteractionEnum.Ecommerce,
    shopperReference: authorization.sellerId,
    shopperStatement: statementOf(authorization.sellerName),
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
  return plain.slice(0, MAX_STATEMENT_LENGTH).trim() || 'LOJA';
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

function outcomeOf(
  { resultCode, refusalReasonCode, pspReference }: PaymentResponse,
  authorization: CardAuthorizationRequest,
  now: Date,
): CardAuthorizationResponse {
  const reference = pspReference ?? null;
  const failed = (reason: string): CardAuthorizationResponse => ({
    kind: 'decided',
    event: { kind: 'FAILURE', reason },
    reference,
  });
  switch (resultCode?.toString()) {
    case 'Authorised':
      if (reference === null) throw new Error('the provider authorized something and gave it no id');
      return { kind: 'decided', event: authorizationEvent(authorization, now), reference };
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return failed(refusalMessageByCode(refusalReasonCode));
    case 'RedirectShopper':
    case 'ChallengeShopper':
    case 'IdentifyShopper':
      return failed(AUTHENTICATION_REQUIRED);
    case 'Received':
    case 'Pending':
      return { kind: 'pending', reference };
    case undefined:
    default:
      throw new Error('the provider answered neither yes nor no');
  }
}

const refusalMessageByCode = (code: string | undefined): string =>
  REFUSAL_REASONS[code ?? '']?.message ?? 'declined';

/** The same of a notification, which names the reason by Adyen's text of it. */
export const refusalMessageByText = (text: string): string =>
  Object.values(REFUSAL_REASONS).find(({ adyen }) => adyen.toLowerCase() === text.trim().toLowerCase())
    ?.message ?? 'declined';

/** What an authorization is to the charge. Adyen captures at once what is not to be captured by hand. */
export function authorizationEvent(
  authorization: { readonly amountCents: number; readonly capture: boolean },
  now: Date,
): Extract<CardAuthorizationResponse, { kind: 'decided' }>['event'] {
  return authorization.capture
    ? { kind: 'PAYMENT', amount: authorization.amountCents, paidAt: now }
    : { kind: 'AUTHORIZATION', lapsesAt: new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS) };
}
