import type { ErrorDescription } from './description.ts';

export const CUSTOMER_ERRORS = {
  customer_not_found: {
    status: 404,
    message: 'Customer not found',
    cause: 'No customer of the seller has this id.',
    remedy: 'Check the id. `POST /v1/customers/lookup` finds a customer by its tax ID (CPF or CNPJ).',
  },
  customer_exists: {
    status: 409,
    message: 'Customer already exists',
    cause: 'A customer of the seller has this tax ID (CPF or CNPJ).',
    remedy: 'Use the existing customer, whose id is `id` in the response, or update it with `PATCH`.',
  },
  card_token_not_found: {
    status: 404,
    message: 'Card token not found',
    cause: 'No saved card of the seller has this id.',
    remedy: 'List the saved cards of a customer with `GET /v1/customers/{id}/card-tokens`.',
  },
  payment_link_not_found: {
    status: 404,
    message: 'Payment link not found',
    cause: 'No payment link has this id or code.',
    remedy: 'Check the id, and that the credential belongs to the seller of the link.',
  },
  payment_link_not_active: {
    status: 422,
    message: 'Payment link is not active',
    cause: 'The payment link was deactivated, has expired, or has reached `maxPayments`.',
    remedy:
      'Activate it, raise `maxPayments`, or set a later `expiresAt`, with ' +
      '`PATCH /v1/payment-links/{id}`.',
  },
  subscription_not_found: {
    status: 404,
    message: 'Subscription not found',
    cause: 'No subscription has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the subscription.',
  },
  invoice_not_found: {
    status: 404,
    message: 'Invoice not found',
    cause: 'The subscription has no invoice with this number.',
    remedy: 'Use a number that `GET /v1/subscriptions/{id}/invoices` lists.',
  },
  subscription_amount_fixed: {
    status: 422,
    message: 'Amount of a FIXED authorization cannot change',
    cause: 'The payer has authorized this amount for Pix Automático.',
    remedy:
      'Cancel the subscription and create another one, with `amountType` VARIABLE if the ' +
      'amount may change.',
  },
  invoice_not_retryable: {
    status: 422,
    message: 'Invoice cannot be retried',
    cause: 'The invoice is paid, canceled or being charged, or its subscription has ended.',
    remedy: 'Retry only invoices that are FAILED or waiting for their next attempt.',
  },
  outcome_not_simulated: {
    status: 422,
    message: 'Outcomes are simulated for PIX_AUTOMATICO and CREDIT_CARD only',
    cause: 'A boleto or Pix is paid by its payer, so it has no outcome to simulate.',
    remedy: 'Simulate the payment of the transaction instead, with `POST /v1/sandbox/transactions/{id}/pay`.',
  },
  payment_not_found: {
    status: 404,
    message: 'Payment not found',
    cause: 'No payment has this token, or the receipt of an unpaid payment was requested.',
    remedy:
      'Use the token of the `paymentUrl` exactly as it was returned. Request a receipt only after ' +
      'the payment.',
  },
  too_many_unpaid_payments: {
    status: 429,
    message: 'Too many unpaid payments',
    cause: 'The IP address has reached the hourly limit of unpaid payments on this link.',
    remedy: 'Pay one of them, or wait the number of seconds in `Retry-After`.',
  },
  too_many_declined_cards: {
    status: 429,
    message: 'Too many declined cards',
    cause:
      'Too many cards from this IP address, or on this link, were declined in the last hour. On the ' +
      'page of a subscription, every new card counts, even if it is accepted.',
    remedy: 'Wait the number of seconds in `Retry-After`, or pay a payment link by Pix or boleto.',
  },
} as const satisfies Record<string, ErrorDescription>;

export const WEBHOOK_ERRORS = {
  webhook_not_found: {
    status: 404,
    message: 'Webhook not found',
    cause: 'No webhook of the seller has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the webhook.',
  },
  delivery_not_found: {
    status: 404,
    message: 'Delivery not found',
    cause: 'No delivery of the seller has this id. Old deliveries are deleted.',
    remedy: 'Check the id.',
  },
  webhook_disabled: {
    status: 422,
    message: 'Webhook is disabled',
    cause: 'A disabled webhook receives no events.',
    remedy: 'Enable it with `PATCH /v1/webhooks/{id}` first.',
  },
  webhook_deleted: {
    status: 422,
    message: 'Webhook has been deleted',
    cause: 'The webhook of the delivery no longer exists.',
    remedy:
      'Resend the event of the record, for example with `POST /v1/webhooks/resend-transaction-event`. It ' +
      'is sent to the current webhooks.',
  },
  too_many_webhooks: {
    status: 422,
    message: 'A seller can have at most 20 webhooks',
    cause: 'The seller has reached the maximum number of webhooks.',
    remedy: 'Delete a webhook that you no longer use.',
  },
} as const satisfies Record<string, ErrorDescription>;
