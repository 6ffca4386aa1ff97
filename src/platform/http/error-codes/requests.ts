import type { ErrorDescription } from './description.ts';

export const AUTHENTICATION_ERRORS = {
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

export const REQUEST_ERRORS = {
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

export const AVAILABILITY_ERRORS = {
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
