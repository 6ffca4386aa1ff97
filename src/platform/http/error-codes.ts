/**
 * Every error of the API. A code is stable: clients switch on it. `/docs/errors` and the OpenAPI
 * documents are generated from these tables.
 */

export interface ErrorDescription {
  readonly status: number;
  /**
   * The `message` of the response. An example, where the code that throws the error sets another.
   */
  readonly message: string;
  readonly cause: string;
  readonly remedy: string;
}

/** What is wrong with one field. */
export interface FieldErrorDescription {
  readonly cause: string;
  readonly remedy: string;
}

const AUTHENTICATION_ERRORS = {
  missing_credentials: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The request has neither an API key nor an access token.',
    remedy: 'Send the API key in `x-api-key`, or the access token in `Authorization: Bearer`.',
  },
  malformed_api_key: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The value of `x-api-key` is not an API key. It may be incomplete or contain a typo.',
    remedy: 'Copy the whole key, from `sk_` to the last character.',
  },
  revoked_api_key: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The API key was deleted, or belongs to another gateway or environment.',
    remedy: 'Create an API key, and use it instead of the old one.',
  },
  invalid_access_token: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The access token is malformed or expired, or its session has ended.',
    remedy: 'Get a new access token with `POST /v1/auth/refresh`, or sign in again.',
  },
  invalid_refresh_token: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The refresh token is unknown, expired or revoked, or was used before.',
    remedy: 'Sign in again with `POST /v1/login`. Use each refresh token once.',
  },
  invalid_challenge: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The challenge of the sign-in is unknown or has expired.',
    remedy: 'Start the sign-in again with `POST /v1/login`.',
  },
  invalid_credentials: {
    status: 401,
    message: 'Invalid credentials',
    cause: 'The email, the password, the code or the passkey is wrong.',
    remedy: 'Correct them and sign in again. After ten failures in 15 minutes, sign-in is rate limited.',
  },
  invalid_metrics_token: {
    status: 401,
    message: 'Unauthorized',
    cause: 'The token for `GET /metrics` is missing or wrong.',
    remedy: 'Send the value of the setting `METRICS_TOKEN` in `Authorization: Bearer`.',
  },
  invalid_notification: {
    status: 401,
    message: 'Unauthorized',
    cause: "A provider's notification has wrong credentials or a wrong signature.",
    remedy: "Compare the credentials in the provider's console with the settings of the gateway.",
  },
  permission_denied: {
    status: 403,
    message: 'Forbidden resource',
    cause: 'The role of the user or API key does not allow this operation, or API keys may not call it.',
    remedy: 'Use a user or API key whose role allows the operation.',
  },
  second_factor_required: {
    status: 403,
    message: 'Second factor required',
    cause: 'Outside the sandbox, operator users must have a second factor.',
    remedy:
      'Add a passkey with `POST /v1/users/me/passkeys`, or set up an authenticator app with ' +
      '`POST /v1/users/me/two-factor` and `POST /v1/users/me/two-factor/confirm`.',
  },
  step_up_required: {
    status: 403,
    message: 'Step-up required: verify your identity, then repeat the request',
    cause:
      'The operation requires a sign-in or step-up within the last five minutes. This ' +
      'applies to browser sessions only.',
    remedy: 'Call `POST /v1/auth/step-up`, then send the request again.',
  },
  seller_not_active: {
    status: 403,
    message: 'Seller is not active',
    cause: 'The seller is pending, suspended or closed.',
    remedy:
      'Complete the application of a pending seller with `PATCH /v1/application`, and submit it with ' +
      '`POST /v1/application/submit`. Otherwise, ask the operator of the gateway to activate the seller.',
  },
  signup_closed: {
    status: 403,
    message: 'Sign-up is closed',
    cause: 'The gateway does not accept applications: the setting `SIGNUP` is not `open`.',
    remedy: 'Ask the operator of the gateway for an account.',
  },
} as const satisfies Record<string, ErrorDescription>;

const REQUEST_ERRORS = {
  validation_failed: {
    status: 400,
    message: 'amount must not be less than 100',
    cause: 'Fields of the body or query string are invalid. `message` and `errors` list all of them.',
    remedy: 'Correct the fields in `errors` and send the request again.',
  },
  invalid_file: {
    status: 400,
    message: 'line 2: must have 6 values separated by commas',
    cause: 'The imported file has invalid lines. Nothing was imported.',
    remedy: 'Correct the lines in `errors` and import the whole file again.',
  },
  malformed_json: {
    status: 400,
    message: 'Body must be valid JSON',
    cause: 'The body is not valid JSON in UTF-8.',
    remedy: 'Serialize the body with a JSON library.',
  },
  incomplete_body: {
    status: 400,
    message: 'Body length does not match Content-Length',
    cause: 'The connection ended before the whole body arrived.',
    remedy: 'Send the request again, with the same Idempotency-Key if it has one.',
  },
  malformed_url: {
    status: 400,
    message: 'URL is malformed',
    cause: 'The path contains invalid percent-encoding.',
    remedy: 'Encode path segments with a URL library.',
  },
  malformed_request: {
    status: 400,
    message: 'Request is not valid HTTP',
    cause: 'The request is not valid HTTP. For example, the `Host` header is missing, invalid or duplicated.',
    remedy: 'Use an HTTP client library, and check any proxies between it and the gateway.',
  },
  bad_request: {
    status: 400,
    message: 'Bad Request',
    cause: 'The request is invalid for a reason that has no specific code.',
    remedy: 'Compare the request with the API reference.',
  },
  idempotency_key_required: {
    status: 400,
    message: 'Idempotency-Key header is required',
    cause: 'The operation requires an `Idempotency-Key`.',
    remedy: 'Send a new UUID v4 with each request, and the same one when you repeat it.',
  },
  idempotency_key_invalid: {
    status: 400,
    message: 'Idempotency-Key must be a UUID',
    cause: 'The `Idempotency-Key` is not a UUID v4.',
    remedy: 'Generate the key with a UUID v4 library.',
  },
  route_not_found: {
    status: 404,
    message: 'Route not found',
    cause: 'No operation has this method and path. The sandbox operations do not exist in production.',
    remedy: 'Compare the method and the path, including `/v1`, with the API reference.',
  },
  request_timeout: {
    status: 408,
    message: 'Request did not arrive in time',
    cause: 'The headers or the body did not arrive within the time limit.',
    remedy: 'Send the request again, with the same Idempotency-Key if it has one.',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'Idempotency-Key already used with a different body',
    cause: 'The `Idempotency-Key` belongs to another request of the last 30 days.',
    remedy: 'Use a new key for a new request. Repeat a request with exactly the same body.',
  },
  body_too_large: {
    status: 413,
    message: 'Body must not be larger than 256 KiB',
    cause: 'The body exceeds the limit of the operation.',
    remedy: 'Send less data, or split it into several requests.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Content-Type must be application/json',
    cause: 'The operation does not accept the media type of the body.',
    remedy: 'Send the `Content-Type` that `message` names.',
  },
  unsupported_content_encoding: {
    status: 415,
    message: 'Body must not be compressed',
    cause: 'The request has a `Content-Encoding` such as `gzip`.',
    remedy: 'Send the body uncompressed, without `Content-Encoding`.',
  },
  expectation_failed: {
    status: 417,
    message: 'Expectation cannot be met',
    cause: 'The `Expect` header has a value other than `100-continue`.',
    remedy: 'Remove the header.',
  },
  headers_too_large: {
    status: 431,
    message: 'Header fields are too large',
    cause: 'The URL and the headers exceed 16 KiB.',
    remedy: 'Shorten the query string, or remove headers and cookies.',
  },
} as const satisfies Record<string, ErrorDescription>;

const AVAILABILITY_ERRORS = {
  unsupported_transfer_encoding: {
    status: 501,
    message: 'Transfer-Encoding must be chunked',
    cause: 'The body has a transfer encoding other than `chunked`, such as `gzip`.',
    remedy: 'Send the body with `Content-Length`, or with `Transfer-Encoding: chunked` alone.',
  },
  rate_limited: {
    status: 429,
    message: 'Rate limit exceeded',
    cause:
      'Too many requests in a minute, failed sign-ins, wrong passwords or codes, sign-ups, or attempts to ' +
      'add a user whose email is taken; or too many exports or other long reads at the same time.',
    remedy: 'Wait the number of seconds in `Retry-After`, then send the request again.',
  },
  internal_error: {
    status: 500,
    message: 'Internal server error',
    cause: 'The gateway failed unexpectedly.',
    remedy:
      'Repeat the request with the same Idempotency-Key. If it fails again, report the `requestId` to ' +
      'the operator of the gateway.',
  },
  service_unavailable: {
    status: 503,
    message: 'Service unavailable',
    cause: 'The gateway is overloaded or stopping, or its database or a provider is unavailable.',
    remedy:
      'Wait the number of seconds in `Retry-After`, then repeat the request with the same ' +
      'Idempotency-Key. The first attempt may have been processed.',
  },
} as const satisfies Record<string, ErrorDescription>;

const PAYMENT_ERRORS = {
  transaction_not_found: {
    status: 404,
    message: 'Transaction not found',
    cause: 'No transaction of the seller has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the transaction.',
  },
  transaction_not_in_review: {
    status: 422,
    message: 'Transaction is not in review',
    cause:
      'The review was already decided, the transaction has ended, or the card provider has ' +
      'not responded yet.',
    remedy: 'Retrieve the transaction and check its `riskStatus` and `status`.',
  },
  risk_rule_not_found: {
    status: 404,
    message: 'Risk rule not found',
    cause: 'No risk rule has this id.',
    remedy: 'List the risk rules.',
  },
  risk_list_not_found: {
    status: 404,
    message: 'Risk list not found',
    cause: 'No risk list has this name.',
    remedy: 'Use one of the names in the API reference, such as `blocked-documents`.',
  },
  risk_list_entry_not_found: {
    status: 404,
    message: 'Risk list entry not found',
    cause: 'This value is not on the list.',
    remedy: 'List the values. Cards are listed by their fingerprint.',
  },
  risk_list_entry_exists: {
    status: 409,
    message: 'Risk list entry already exists',
    cause: 'This value is already on the list.',
    remedy: 'To change its note, delete the value and add it again.',
  },
  too_many_risk_rules: {
    status: 422,
    message: 'There are too many risk rules',
    cause: 'The gateway already has the maximum of 500 risk rules.',
    remedy: 'Delete rules that you no longer need.',
  },
  too_many_risk_list_entries: {
    status: 422,
    message: 'There are too many risk list entries',
    cause: 'The risk lists already have the maximum of 20,000 values in total.',
    remedy: 'Delete values that you no longer need.',
  },
  refund_not_found: {
    status: 404,
    message: 'Refund not found',
    cause: 'No refund of the seller has this id.',
    remedy: 'Use an id from the timeline of the transaction, `GET /v1/transactions/{id}/timeline`.',
  },
  dispute_not_found: {
    status: 404,
    message: 'Record Not Found',
    cause: 'No dispute of the seller has this id.',
    remedy: 'Check the id, and use a credential of the seller that has the dispute.',
  },
  attachment_not_found: {
    status: 404,
    message: 'Attachment not found',
    cause:
      "The dispute has no attachment with this id. Attachments are deleted when the payer's " +
      'data is erased.',
    remedy: 'List the attachments with `GET /v1/disputes/{id}/attachments`.',
  },
  application_not_found: {
    status: 404,
    message: 'Application not found',
    cause: 'No seller with this id has applied. A seller that the operator created has no application.',
    remedy: 'List the applications with `GET /v1/admin/applications`.',
  },
  document_not_found: {
    status: 404,
    message: 'Document not found',
    cause: 'The application has no document with this id, or it was deleted.',
    remedy: 'Retrieve the application, which lists its documents.',
  },
  invalid_transition: {
    status: 422,
    message: 'Transaction cannot go from PAID to FAILED',
    cause: 'The status of the record does not allow the action.',
    remedy:
      'Retrieve the record and check its `status`. It may have changed since you read it. Only a PAID ' +
      'transaction can be refunded: cancel an unpaid one, and void an authorized one.',
  },
  dispute_not_appealable: {
    status: 422,
    message: 'Dispute cannot be appealed',
    cause: 'The dispute is not OPEN: it was already appealed, its deadline has passed, or it has ended.',
    remedy: 'Retrieve the dispute and check its `status`.',
  },
  med_claim_open: {
    status: 422,
    message: 'Transaction cannot go from DISPUTE to REFUNDED',
    cause: 'A MED claim on the payment is open. An ordinary refund could return the payment twice.',
    remedy: 'Wait until the claim is decided. To accept it, let the deadline pass without an appeal.',
  },
  med_requires_pix: {
    status: 422,
    message: 'MED applies to Pix payments only',
    cause: 'The transaction is not a Pix payment.',
    remedy: 'Open an ordinary dispute.',
  },
  dispute_evidence_closed: {
    status: 422,
    message: 'Dispute no longer accepts evidence',
    cause: 'The deadline of the dispute has passed, or it has ended.',
    remedy: 'Retrieve the dispute and check its `status` and `appealUntil`.',
  },
  application_closed: {
    status: 422,
    message: 'The status of the application does not allow this',
    cause:
      'The applicant can change an application while it is DRAFT or QUESTION. The operator can decide ' +
      'until it is APPROVED, REJECTED or EXPIRED.',
    remedy: 'Retrieve the application and check its `status`.',
  },
  application_full: {
    status: 422,
    message: 'Application must have at most 10 documents',
    cause: 'The application has reached its limit of documents or messages.',
    remedy:
      'If there are too many documents, delete one, or combine pages or pictures into one PDF file. If ' +
      'there are too many messages, submit the application without `message`, or decide on it.',
  },
  too_much_evidence: {
    status: 422,
    message: 'Dispute must have at most 10 attachments',
    cause: 'The dispute has reached its limit of attachments or messages.',
    remedy: 'Combine several documents into one PDF file, and several remarks into one message.',
  },
  method_unavailable: {
    status: 422,
    message: 'No provider is configured for this method',
    cause: 'The operator of the gateway has not configured a provider for the method.',
    remedy: 'Use another method, or ask the operator to enable this one.',
  },
  method_paused: {
    status: 422,
    message: 'This payment method is temporarily unavailable',
    cause: 'The operator of the gateway has paused the providers of the method.',
    remedy: 'Use another method, or try again later.',
  },
  international_not_enabled: {
    status: 422,
    message: 'International transactions are not enabled',
    cause: 'The payment is international, and no provider settles currencies other than BRL.',
    remedy: 'Charge in BRL: omit `global` and `card.currency`.',
  },
  amount_below_fee: {
    status: 422,
    message: 'Amount does not cover the fee',
    cause: "The seller's fee is greater than or equal to the amount.",
    remedy: 'Use a higher amount. `GET /v1/sellers/me/fees` returns the fees of payments and withdrawals.',
  },
  amount_not_allowed: {
    status: 422,
    message: 'Amount must not be more than what is left to refund',
    cause: 'The amount of a refund, capture, dispute or simulated payment is outside its limits.',
    remedy:
      'Retrieve the transaction, and send at most the amount that is left. A simulated payment must ' +
      'have the amount of the transaction.',
  },
  refund_period_ended: {
    status: 422,
    message: 'Pix payments can be refunded for up to 90 days',
    cause: 'The payment is too old to be refunded with its payment method.',
    remedy: 'Return the money outside the gateway, for example by Pix from your bank account.',
  },
  insufficient_balance: {
    status: 422,
    message: 'Insufficient balance',
    cause:
      'The available balance is too low. For a withdrawal, it can also be the balance of its source ' +
      '(`withdrawFrom`).',
    remedy:
      'Retrieve the balance with `GET /v1/seller-wallet/gestao`. Use a lower amount or another ' +
      'balance source, or wait for the next release.',
  },
  event_already_used: {
    status: 422,
    message: 'The event was already reported for another transaction',
    cause:
      'The `reportId` of the simulated payment was used for another transaction. Each id can ' +
      'be used once.',
    remedy: 'Send a new `reportId`, or omit it.',
  },
} as const satisfies Record<string, ErrorDescription>;

const PAYOUT_ERRORS = {
  withdrawal_not_found: {
    status: 404,
    message: 'Withdrawal not found',
    cause: 'No withdrawal of the seller has this id.',
    remedy: 'Check the id, and that the credential belongs to the seller of the withdrawal.',
  },
  withdrawal_already_approved: {
    status: 422,
    message: 'This user already approved the withdrawal; another ADMIN must approve it',
    cause:
      "The seller's withdrawals in 24 hours exceed `twoPersonApprovalAbove`, so two different ADMINs " +
      'must approve this one.',
    remedy: 'Ask another ADMIN to approve it.',
  },
} as const satisfies Record<string, ErrorDescription>;

const CUSTOMER_ERRORS = {
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

const WEBHOOK_ERRORS = {
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

const ACCOUNT_ERRORS = {
  user_not_found: {
    status: 404,
    message: 'User not found',
    cause: 'No user has this id, or the user belongs to another seller.',
    remedy: 'Check the id. The user may have been deleted.',
  },
  session_not_found: {
    status: 404,
    message: 'Session not found',
    cause: 'The user has no session with this id.',
    remedy: 'Check the id. The session may have ended.',
  },
  api_key_not_found: {
    status: 404,
    message: 'API key not found',
    cause: 'No API key of the seller has this id.',
    remedy: 'Check the id. The key may have been deleted.',
  },
  too_many_api_keys: {
    status: 422,
    message: 'A seller can have at most 50 API keys',
    cause: 'The seller has reached the maximum number of API keys.',
    remedy: 'Delete a key that you no longer use.',
  },
  email_taken: {
    status: 422,
    message: 'Email is already in use',
    cause: 'Another user of the gateway has this email.',
    remedy: 'Use another email.',
  },
  too_many_invitations: {
    status: 422,
    message: 'Too many invitations in seven days, or more than three in a day to one address',
    cause:
      'A seller can send 50 invitations in seven days, and the operator 500. Each can send at most three ' +
      'a day to one address. Revoked and repeated invitations count.',
    remedy: 'Send the invitation on another day.',
  },
  invitation_not_found: {
    status: 404,
    message: 'Invitation not found',
    cause: 'No pending invitation of the team has this id. It may have been accepted.',
    remedy: 'Check the id.',
  },
  invalid_link: {
    status: 400,
    message: 'Link is invalid or has expired',
    cause: 'The token of an emailed link is unknown or expired, or was used before.',
    remedy: 'Request another invitation or another link to reset the password, or sign up again.',
  },
  email_not_configured: {
    status: 422,
    message: 'The gateway cannot send email',
    cause: 'Invitations are sent by email, and the gateway has no SMTP server.',
    remedy: 'Set `SMTP_URL`, or create the user with a password.',
  },
  mail_not_found: {
    status: 404,
    message: 'Email not found',
    cause: 'No email of the last 90 days has this id.',
    remedy: 'Check the id.',
  },
  mail_not_failed: {
    status: 422,
    message: 'Only a FAILED email can be retried',
    cause: 'The email was sent, or waits for its next attempt.',
    remedy: 'Retry emails with the status FAILED only.',
  },
  mail_expired: {
    status: 422,
    message: 'The link of the email has expired',
    cause: 'The email contains a link that is no longer valid.',
    remedy: 'Send another invitation, or have the person request another link to reset the password.',
  },
  last_owner: {
    status: 422,
    message: 'A seller must keep at least one OWNER',
    cause: 'The change would leave the seller without a user with the role OWNER.',
    remedy: 'Give another user the role OWNER first.',
  },
  last_admin: {
    status: 422,
    message: 'The last ADMIN cannot be deleted',
    cause: 'The gateway needs a user with the role ADMIN.',
    remedy: 'Create another ADMIN first.',
  },
  cannot_reset_self: {
    status: 422,
    message: 'You cannot reset your own second factor',
    cause: 'Users cannot reset their own second factor.',
    remedy:
      'Ask another OWNER to do it. For an operator user, ask another ADMIN. To remove a second factor that you ' +
      'still have, delete the passkey, or the authenticator app with `DELETE /v1/users/me/two-factor`.',
  },
  cannot_delete_self: {
    status: 422,
    message: 'You cannot delete yourself',
    cause: 'Users cannot delete themselves.',
    remedy: 'Ask another OWNER to do it. For an operator user, ask another ADMIN.',
  },
  wrong_password: {
    status: 422,
    message: 'Password is wrong',
    cause: "The user's current password does not match.",
    remedy: 'Send the current password.',
  },
  wrong_code: {
    status: 422,
    message: 'Code is wrong',
    cause: 'The code does not match, has expired, or was used before.',
    remedy: 'Send the current code of the authenticator app, and check the clock of the device.',
  },
  wrong_password_or_code: {
    status: 422,
    message: 'Password or code is wrong',
    cause: 'The password or the code does not match.',
    remedy: 'Send the current password, with the current code of the authenticator app or a recovery code.',
  },
  wrong_passkey: {
    status: 422,
    message: 'Passkey could not be verified',
    cause:
      "The response of the passkey's authenticator is malformed, wrong or already " +
      'registered, or its challenge has expired, was used before, or was issued for another ' +
      'purpose or session.',
    remedy: 'Request new options, and send the response within five minutes.',
  },
  passkey_not_found: {
    status: 404,
    message: 'Passkey not found',
    cause: 'The user has no passkey with this id.',
    remedy: 'Check the id with `GET /v1/users/me/passkeys`.',
  },
  too_many_passkeys: {
    status: 422,
    message: 'A user can have at most 20 passkeys',
    cause: 'The user has reached the maximum number of passkeys.',
    remedy: 'Delete a passkey that you no longer use.',
  },
  second_factor_not_active: {
    status: 422,
    message: 'The user has no second factor',
    cause: 'The user has neither an authenticator app nor a passkey, so there is nothing to reset.',
    remedy: 'No action is needed. The user can sign in with the password.',
  },
  second_factor_reset_pending: {
    status: 422,
    message: 'A reset of the second factor is already pending',
    cause: 'The second factor of the user will be reset at `secondFactorResetAt`.',
    remedy: 'Wait until that time, or cancel the reset.',
  },
  second_factor_reset_not_found: {
    status: 404,
    message: 'No reset of the second factor is pending',
    cause: 'The reset was canceled or has been executed, or none was requested.',
    remedy: 'Check `secondFactorResetAt` of the user.',
  },
  two_factor_already_active: {
    status: 422,
    message: 'Two-factor authentication is already active',
    cause: 'The user has an active authenticator app.',
    remedy: 'Remove it with `DELETE /v1/users/me/two-factor` before you set up another.',
  },
} as const satisfies Record<string, ErrorDescription>;

const OPERATOR_ERRORS = {
  seller_not_found: {
    status: 404,
    message: 'Seller not found',
    cause: 'No seller has this id.',
    remedy: 'Check the id.',
  },
  provider_route_not_found: {
    status: 404,
    message: 'Provider route not found',
    cause: 'The path names a method that has no provider.',
    remedy: 'Use a method that `GET /v1/admin/provider-routes` lists.',
  },
  reversal_not_found: {
    status: 404,
    message: 'Reversal not found',
    cause: 'No reversal has this id.',
    remedy: 'Check the id.',
  },
  ledger_check_running: {
    status: 409,
    message: 'Ledger check is still running',
    cause: 'The check takes longer than a request may wait. It continues in the background.',
    remedy: 'Retrieve its progress and result with `GET /v1/admin/ledger/checks/latest`.',
  },
  approval_not_found: {
    status: 404,
    message: 'Approval not found',
    cause: 'No approval request has this id.',
    remedy: 'Check the id.',
  },
  approval_own_request: {
    status: 422,
    message: 'This user made the request; another ADMIN must approve it',
    cause: 'The change must be approved by an ADMIN other than the one who requested it.',
    remedy: 'Ask another ADMIN to approve it.',
  },
  approval_not_pending: {
    status: 422,
    message: 'Request is no longer pending',
    cause:
      'The request was already approved or rejected, has expired (after seven days), or was ' +
      'made by a user who is no longer an ADMIN.',
    remedy: 'Request the change again if it is still needed.',
  },
  approver_too_new: {
    status: 422,
    message: 'ADMINs cannot approve during their first 24 hours',
    cause: 'Another user created this ADMIN less than 24 hours ago.',
    remedy: 'Ask another ADMIN, or wait.',
  },
  shipment_not_found: {
    status: 404,
    message: 'Remittance file not found',
    cause: 'No CNAB remittance file has this id.',
    remedy: 'Check the id.',
  },
  return_file_not_found: {
    status: 404,
    message: 'Return file not found',
    cause: 'No CNAB return file has this id.',
    remedy: 'Check the id.',
  },
  return_line_not_found: {
    status: 404,
    message: 'Return line not found',
    cause: 'The CNAB return file does not exist, or has no line with this number.',
    remedy: 'Check the id and the number with `GET /v1/admin/cnab/returns/{id}/lines`.',
  },
  file_exchange_not_configured: {
    status: 422,
    message: 'File exchange is not configured for this service: set BOLETO_PROVIDER or PAYOUT_PROVIDER',
    cause: 'The gateway is not configured to exchange CNAB files for this service.',
    remedy: 'Set `BOLETO_PROVIDER` or `PAYOUT_PROVIDER` to `cnab`, and restart the gateway.',
  },
  nothing_to_ship: {
    status: 422,
    message: 'No record is waiting for a remittance file',
    cause: 'No boleto or withdrawal is waiting for a remittance file of this service.',
    remedy: 'No action is needed. Create the file after the next boleto or approved withdrawal.',
  },
  payouts_paused: {
    status: 422,
    message: 'Payouts and remittance files are paused after a restore',
    cause:
      'The database was restored to an earlier time. Either nobody has confirmed which payouts were sent ' +
      'after that time, or the number of the last remittance file of this service is missing.',
    remedy:
      'Compare the withdrawals with what the providers received, then run ' +
      '`npm run restored -- --confirm`. If a number is missing, add `--last-file SERVICE=NUMBER`.',
  },
} as const satisfies Record<string, ErrorDescription>;

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

/** The codes in `errors` of `validation_failed` and `invalid_file`. */
export const FIELD_ERRORS = {
  required: {
    cause: 'The field is missing, null or empty.',
    remedy: 'Send a value.',
  },
  invalid_type: {
    cause: 'The value has the wrong JSON type, for example a string instead of a number.',
    remedy: 'Send the type that the API reference states.',
  },
  invalid_option: {
    cause: 'The value is not one of the allowed values.',
    remedy: 'Send one of the values that `message` lists.',
  },
  invalid_format: {
    cause: 'The text does not have the required format.',
    remedy: 'Send the format that `message` names.',
  },
  invalid_value: {
    cause: 'The value has the correct type and format, but violates another rule.',
    remedy: 'Send a value that follows the rule in `message`.',
  },
  invalid_combination: {
    cause: 'The field does not fit the other fields of the request.',
    remedy: 'Change or omit one of the fields that `message` names.',
  },
  too_small: { cause: 'The number is below the minimum.', remedy: 'Send at least the minimum.' },
  too_large: { cause: 'The number is above the maximum.', remedy: 'Send at most the maximum.' },
  too_short: { cause: 'The text has too few characters.', remedy: 'Send a longer text.' },
  too_long: { cause: 'The text has too many characters.', remedy: 'Send a shorter text.' },
  too_common: {
    cause: 'The password is common or easily guessed, for example from the name or the email.',
    remedy: 'Choose another: several unrelated words, or one that a password manager generates.',
  },
  too_many: { cause: 'The array or object has too many elements.', remedy: 'Send fewer elements.' },
  invalid_line: {
    cause: 'A line of an imported file, or the file as a whole, is invalid.',
    remedy: 'Correct the line by the rule in `message`, and import the whole file again.',
  },
} as const satisfies Record<string, FieldErrorDescription>;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;

function keysOf<Table extends object>(table: Table): readonly (keyof Table & string)[];
function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}

export const ERROR_CODES: readonly ErrorCode[] = keysOf(ERRORS);
export const FIELD_ERROR_CODES: readonly FieldErrorCode[] = keysOf(FIELD_ERRORS);
