import { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js';
import { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import { AuthenticationData } from '@adyen/api-library/lib/src/typings/checkout/authenticationData.js';
import { ThreeDSecureData } from '@adyen/api-library/lib/src/typings/checkout/threeDSecureData.js';

import type { Reason } from '#payments/transactions/reasons.ts';
import { toAscii } from '#formats/text.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import type { Clock } from '#platform/kit/clock.ts';
import type { CardCodes, ThreeDSecure } from '#payments/transactions/card.ts';
import type {
  CardAuthorizationResponse,
  CardAuthorizationRequest,
  CardProvider,
  OperationRequest,
  OperationResponse,
} from '#payments/operations/payment-provider.ts';
import { AdyenRejectedError, requestOptions, type AdyenClient } from './client.ts';
import type { AdyenSettings } from './settings.ts';

/** Validity of an authorization. Adyen recommends five days for most card schemes. */
const AUTHORIZATION_VALIDITY_MS = 5 * 24 * 3_600_000;
const CURRENCY = 'BRL';
/** Card schemes truncate longer statements. */
const MAX_STATEMENT_LENGTH = 22;

const AUTHENTICATION_REQUIRED = "the card's bank asks for authentication";

/** Refusal reasons by Adyen's code and text, with our message. All others are "declined". */
const REFUSAL_REASONS: Readonly<Record<string, { readonly adyen: string; readonly message: Reason }>> = {
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

/** Messages for the error codes of invalid requests. */
const INVALID_REQUEST_REASONS: Readonly<Record<string, Reason>> = {
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
  /** Without a trailing slash. */
  readonly publicUrl: string;
}

/** Card payments through Adyen's Checkout API. Card data is passed on and never stored. */
export function createAdyenCardProvider(deps: AdyenCardProviderDeps): CardProvider {
  return {
    name: deps.name,
    ...bindDeps(deps, { authorize, voidByTransactionId, capture, void: voidPayment, refund }),
  };
}

async function authorize(
  { client, settings, clock, publicUrl }: AdyenCardProviderDeps,
  authorization: CardAuthorizationRequest,
  deadline: AbortSignal,
): Promise<CardAuthorizationResponse> {
  const request = requestOf(authorization, settings.merchantAccount, `${publicUrl}/`);
  const options = requestOptions(authorization.transactionId, deadline);
  try {
    return outcomeOf(await client.payments.payments(request, options), authorization, clock.now());
  } catch (error) {
    if (!(error instanceof AdyenRejectedError)) throw error;
    const { errorCode } = error;
    const reason: Reason =
      INVALID_REQUEST_REASONS[errorCode ?? ''] ??
      `refused by the card provider (${errorCode ?? 'no reason'})`;
    return { kind: 'decided', event: { kind: 'FAILURE', reason }, reference: null };
  }
}

async function voidByTransactionId(
  { client, settings: { merchantAccount } }: AdyenCardProviderDeps,
  transactionId: string,
  deadline: AbortSignal,
): Promise<OperationResponse> {
  const request = { merchantAccount, paymentReference: transactionId, reference: transactionId };
  // The authorization uses the transaction id as its key, and a key cannot be reused for another
  // request.
  const options = requestOptions(`abandon-${transactionId}`, deadline);
  return sendModification(() => client.modifications.cancelAuthorisedPayment(request, options));
}

async function capture(
  { client, settings: { merchantAccount } }: AdyenCardProviderDeps,
  { id, paymentReference, amountCents }: OperationRequest,
  deadline: AbortSignal,
): Promise<OperationResponse> {
  const request = { merchantAccount, reference: id, amount: amountOf(amountCents) };
  return sendModification(() =>
    client.modifications.captureAuthorisedPayment(paymentReference, request, requestOptions(id, deadline)),
  );
}

async function voidPayment(
  { client, settings: { merchantAccount } }: AdyenCardProviderDeps,
  { id, paymentReference }: OperationRequest,
  deadline: AbortSignal,
): Promise<OperationResponse> {
  const request = { merchantAccount, reference: id };
  const options = requestOptions(id, deadline);
  return sendModification(() =>
    client.modifications.cancelAuthorisedPaymentByPspReference(paymentReference, request, options),
  );
}

async function refund(
  { client, settings: { merchantAccount } }: AdyenCardProviderDeps,
  { id, paymentReference, amountCents }: OperationRequest,
  deadline: AbortSignal,
): Promise<OperationResponse> {
  const request = { merchantAccount, reference: id, amount: amountOf(amountCents) };
  return sendModification(() =>
    client.modifications.refundCapturedPayment(paymentReference, request, requestOptions(id, deadline)),
  );
}

/** Sends a modification. Adyen accepts it and reports the result in a notification. */
async function sendModification(
  call: () => Promise<{ readonly pspReference?: string }>,
): Promise<OperationResponse> {
  try {
    const { pspReference } = await call();
    if (pspReference === undefined)
      throw new Error('the provider accepted a modification without returning its id');
    return { kind: 'accepted', reference: pspReference };
  } catch (error) {
    if (error instanceof AdyenRejectedError) return { kind: 'refused', reason: error.reason };
    throw error;
  }
}

const amountOf = (amountCents: number) => ({ currency: CURRENCY, value: amountCents });

function requestOf(
  authorization: CardAuthorizationRequest,
  merchantAccount: string,
  returnUrl: string,
): PaymentRequest {
  const { card, payer, threeDS, payerIp, recurring } = authorization;
  const { ShopperInteractionEnum, RecurringProcessingModelEnum } = PaymentRequest;
  const networkTxReference = recurring?.networkReference ?? null;
  const isPayerAbsent = recurring?.isPayerPresent === false;
  const [firstName = '', ...lastNames] = payer.name.trim().split(/\s+/);
  const mpiData = threeDS === null ? undefined : mpiDataOf(threeDS);
  const { AttemptAuthenticationEnum } = AuthenticationData;
  return {
    merchantAccount,
    reference: authorization.transactionId,
    amount: amountOf(authorization.amountCents),
    paymentMethod: {
      type: CardDetails.TypeEnum.Scheme,
      number: card.number,
      expiryMonth: String(card.expirationMonth).padStart(2, '0'),
      expiryYear: String(card.expirationYear),
      holderName: card.holderName,
      ...(card.cvv === null ? {} : { cvc: card.cvv }),
    },
    installments: { value: authorization.installments },
    additionalData: {
      manualCapture: authorization.capture ? 'false' : 'true',
      ...(networkTxReference !== null && { networkTxReference }),
    },
    ...(authorization.capture ? { captureDelayHours: 0 } : {}),
    // The authentication that the seller ran, or none: the gateway has no page to run one.
    ...(mpiData === undefined
      ? { authenticationData: { attemptAuthentication: AttemptAuthenticationEnum.Never } }
      : { mpiData }),
    shopperInteraction: isPayerAbsent ? ShopperInteractionEnum.ContAuth : ShopperInteractionEnum.Ecommerce,
    ...(recurring !== null && { recurringProcessingModel: RecurringProcessingModelEnum.Subscription }),
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

/** Statement text: letters, digits and the punctuation that card schemes accept. */
function statementOf(sellerName: string): string {
  const plain = toAscii(sellerName).replaceAll(/[^a-zA-Z0-9.,'_?+* /-]/g, '');
  return plain.slice(0, MAX_STATEMENT_LENGTH).trim() || 'LOJA';
}

/** Result of the 3-D Secure authentication that the seller ran; undefined if it holds no proof. */
function mpiDataOf({ cavv, xid, eci, version, referenceId }: ThreeDSecure): ThreeDSecureData | undefined {
  if (cavv === null && eci === null) return undefined;
  const isVersion2 = !(version ?? '2').startsWith('1');
  const transactionId = isVersion2 ? (xid ?? referenceId) : xid;
  // 05 and 02: the payer was authenticated. Other values: authentication was attempted.
  const isAuthenticated = eci === null || eci === '05' || eci === '02';
  const { AuthenticationResponseEnum, DirectoryResponseEnum } = ThreeDSecureData;
  return {
    authenticationResponse: isAuthenticated ? AuthenticationResponseEnum.Y : AuthenticationResponseEnum.A,
    directoryResponse: isAuthenticated ? DirectoryResponseEnum.Y : DirectoryResponseEnum.A,
    ...(cavv === null ? {} : { cavv }),
    ...(eci === null ? {} : { eci }),
    ...(version === null ? {} : { threeDSVersion: version }),
    ...(transactionId === null ? {} : isVersion2 ? { dsTransID: transactionId } : { xid: transactionId }),
  };
}

function outcomeOf(
  { resultCode, refusalReasonCode, pspReference, additionalData }: PaymentResponse,
  authorization: CardAuthorizationRequest,
  now: Date,
): CardAuthorizationResponse {
  const reference = pspReference ?? null;
  const failed = (reason: Reason): CardAuthorizationResponse => ({
    kind: 'decided',
    event: { kind: 'FAILURE', reason },
    reference,
  });
  switch (resultCode?.toString()) {
    case 'Authorised':
      if (reference === null) throw new Error('the provider authorized a payment without returning its id');
      return {
        kind: 'decided',
        event: authorizationEvent(authorization, now),
        reference,
        codes: cardCodesOf(additionalData),
      };
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
      throw new Error('the provider returned an unknown result code');
  }
}

/** Sent where the account is configured to return them. */
export function cardCodesOf(data: Readonly<Record<string, unknown>> | undefined): CardCodes {
  const { authCode, acquirerReference, networkTxReference } = data ?? {};
  return {
    authorizationCode: codeOf(authCode),
    nsu: codeOf(acquirerReference),
    networkReference: codeOf(networkTxReference),
  };
}

const codeOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : null;

const refusalMessageByCode = (code: string | undefined): Reason =>
  REFUSAL_REASONS[code ?? '']?.message ?? 'declined';

/** The message for a notification, which carries Adyen's text of the reason instead of its code. */
export const refusalMessageByText = (text: string): Reason =>
  Object.values(REFUSAL_REASONS).find(({ adyen }) => adyen.toLowerCase() === text.trim().toLowerCase())
    ?.message ?? 'declined';

/** Maps an authorization to an event. Adyen captures at once unless capture is manual. */
export function authorizationEvent(
  authorization: { readonly amountCents: number; readonly capture: boolean },
  now: Date,
): Extract<CardAuthorizationResponse, { kind: 'decided' }>['event'] {
  return authorization.capture
    ? { kind: 'PAYMENT', amount: authorization.amountCents, paidAt: now }
    : { kind: 'AUTHORIZATION', lapsesAt: new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS) };
}
