import type { Reason } from '#payments/transactions/reasons.ts';
import type { LocalDate } from '#formats/calendar/local-date.ts';
import type { AuthorizationStatus, Interval, Journey, PayerAccount } from './subscription.ts';

/**
 * The port of banks that offer Pix Automático, modeled on the Central Bank's Pix API. Like the
 * ports of payments: a response is known, `NotExecutedError` means certainly not executed, and any
 * other error an unknown outcome, after which the call is repeated. Every method can be repeated.
 * None is called inside a database transaction. The sandbox's bank implements it, too.
 */
export interface PixAutomaticoProvider {
  readonly name: string;
  /** Issues the authorization without a network call. Only the sandbox's bank can. */
  issue?(request: AuthorizationRequest): BankAuthorization;
  /** Creates the authorization of a contract, or finds the one that an earlier call has created. */
  authorize(request: AuthorizationRequest, deadline: AbortSignal): Promise<BankAuthorization>;
  readAuthorization(
    request: AuthorizationRequest,
    idRec: string,
    deadline: AbortSignal,
  ): Promise<BankAuthorization>;
  /** Ends an authorization. Succeeds as well if it has ended. */
  cancelAuthorization(idRec: string, deadline: AbortSignal): Promise<AuthorizationStatus>;
  /** Sends the charge of a cycle, or finds the one with this txid. */
  charge(request: RecurringCharge, deadline: AbortSignal): Promise<ChargeResponse>;
  /** Asks for a retry of a charge on a day. */
  retry(request: ChargeRetry, deadline: AbortSignal): Promise<ChargeResponse>;
  /** Cancels a charge that is not paid. Succeeds as well if it has ended or is paid. */
  cancelCharge(request: ChargeKey, deadline: AbortSignal): Promise<void>;
}

export interface AuthorizationRequest {
  readonly subscriptionId: string;
  /** Identifies the subscription at the bank: its id without hyphens. */
  readonly contract: string;
  readonly journey: Journey;
  readonly payer: PayerOfRequest;
  /** Of journey 1. */
  readonly payerAccount: PayerAccount | null;
  readonly description: string;
  readonly interval: Interval;
  readonly startDate: LocalDate;
  /** The date of the last cycle; null: no end. */
  readonly endDate: LocalDate | null;
  /** Null: VARIABLE. */
  readonly fixedAmountCents: number | null;
  readonly minimumAmountCents: number | null;
  readonly allowsRetries: boolean;
  /** The first payment of journeys 3 and 4. */
  readonly firstPayment: {
    readonly txid: string;
    readonly amountCents: number;
    readonly dueDate: LocalDate;
  } | null;
  /** When the subscription was created. */
  readonly createdAt: Date;
  readonly now: Date;
}

export interface PayerOfRequest {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
}

export interface BankAuthorization {
  readonly idRec: string;
  readonly status: AuthorizationStatus;
  readonly code: string | null;
}

interface ChargeKey {
  readonly sellerId: string;
  readonly transactionId: string;
  /** Our id at the bank: the transaction id without hyphens. */
  readonly txid: string;
}

export interface RecurringCharge extends ChargeKey {
  readonly idRec: string;
  readonly amountCents: number;
  readonly date: LocalDate;
  readonly payer: PayerOfRequest;
  readonly description: string;
}

interface ChargeRetry extends ChargeKey {
  readonly date: LocalDate;
}

export type ChargeResponse =
  /** Debits the payer on that day, the earliest that the bank allows, and reports the outcome. */
  | { readonly kind: 'accepted'; readonly date: LocalDate }
  | { readonly kind: 'refused'; readonly reason: Reason };
