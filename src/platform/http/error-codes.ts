/**
 * Every error of the API. A code is stable: clients switch on it. `/docs/errors` and the OpenAPI
 * documents are generated from these tables.
 */
import { AUTHENTICATION_ERRORS, REQUEST_ERRORS, AVAILABILITY_ERRORS } from './error-codes/requests.ts';
import { PAYMENT_ERRORS, PAYOUT_ERRORS } from './error-codes/payments.ts';
import { CUSTOMER_ERRORS, WEBHOOK_ERRORS } from './error-codes/customers.ts';
import { ACCOUNT_ERRORS, OPERATOR_ERRORS } from './error-codes/accounts.ts';
import type { ErrorDescription } from './error-codes/description.ts';
import { FIELD_ERRORS } from './error-codes/fields.ts';

/** The errors by subject, in the order of `/docs/errors`. */
export const ERROR_GROUPS = {
  Authentication: AUTHENTICATION_ERRORS,
  Requests: REQUEST_ERRORS,
  'Limits and failures': AVAILABILITY_ERRORS,
  'Transactions and disputes': PAYMENT_ERRORS,
  Withdrawals: PAYOUT_ERRORS,
  'Customers and payment links': CUSTOMER_ERRORS,
  Webhooks: WEBHOOK_ERRORS,
  'Users and API keys': ACCOUNT_ERRORS,
  Operator: OPERATOR_ERRORS,
} as const satisfies Record<string, Record<string, ErrorDescription>>;

export const ERRORS = {
  ...AUTHENTICATION_ERRORS,
  ...REQUEST_ERRORS,
  ...AVAILABILITY_ERRORS,
  ...PAYMENT_ERRORS,
  ...PAYOUT_ERRORS,
  ...CUSTOMER_ERRORS,
  ...WEBHOOK_ERRORS,
  ...ACCOUNT_ERRORS,
  ...OPERATOR_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

function keysOf<Table extends object>(table: Table): readonly (keyof Table & string)[];
function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}

export const ERROR_CODES: readonly ErrorCode[] = keysOf(ERRORS);
export const FIELD_ERROR_CODES: readonly FieldErrorCode[] = keysOf(FIELD_ERRORS);
