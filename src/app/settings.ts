import {
  booleanSetting,
  choiceSetting,
  customSetting,
  doc,
  integerSetting,
  textSetting,
  type Mode,
  type SettingDoc,
} from '#platform/config/settings.ts';
import { MAX_PASSWORD_LENGTH, MIN_OPERATOR_PASSWORD_LENGTH } from '#identity/users/password-policy.ts';
import { findUrlProblem } from '#platform/database/server-urls.ts';
import { LOG_LEVELS } from '#platform/kit/log.ts';
import { SAMPLERS } from '#platform/telemetry/tracing.ts';
import { readProviderSelections } from '#providers/selection.ts';
import { ADJUSTABLE } from '#sellers/settings/adjustable.ts';
import {
  emailProblem,
  jwtSecretProblem,
  MAX_PUBLIC_HOST_LENGTH,
  publicUrlProblem,
  readBoletoAgreement,
  readBoletoProvider,
  readFailPoint,
  readLedgerHeads,
  readMailSettings,
  readMasterKeys,
  readPayoutProviders,
  readTracing,
  readTrustedProxies,
  redisUrlProblem,
} from './setting-readers.ts';

/**
 * The settings of the gateway. docs/configuration.md is generated from these tables. The settings
 * of single providers are read by their modules and documented in docs/provider-*.md.
 */

const listOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The settings that decide which defaults the others have. */
export const MODE_SETTINGS = {
  databaseUrl: textSetting('DATABASE_URL', {
    default: undefined,
    meaning:
      'The URL of a PostgreSQL server, 15 or later. Without it, the gateway starts an ' +
      'embedded server and stops it on exit. Several servers can be listed, as in ' +
      '`postgresql://user:password@one:5432,two:5432/name`: the gateway uses the one that ' +
      'accepts writes, even after a failover.',
    problemOf: findUrlProblem,
  }),
  mode: customSetting(
    [
      doc(
        'MODE',
        '`sandbox` with the embedded database, `production` with `DATABASE_URL`',
        '`sandbox` or `production` (alias: `live`). The sandbox operations, the demo seller ' +
          'and the sandbox clock exist in the sandbox only. A database keeps the mode in which ' +
          'it was first used; the gateway does not start in the other mode.',
      ),
    ],
    (reader, fallback): Mode =>
      reader.choice('MODE', fallback, ['sandbox', 'production', 'live']) === 'sandbox'
        ? 'sandbox'
        : 'production',
  ),
} as const;

export const SETTINGS = {
  port: integerSetting('PORT', {
    default: 8080,
    min: 1,
    max: 65_535,
    meaning: 'The port of the HTTP server.',
  }),
  host: textSetting('HOST', {
    default: { sandbox: '127.0.0.1', production: '0.0.0.0' },
    meaning: 'The IP address that the HTTP server listens on.',
  }),
  publicUrl: textSetting('PUBLIC_URL', {
    default: undefined,
    documentedDefault: '`http://HOST:PORT` in the sandbox, else none',
    meaning:
      'The URL at which payers, sellers and providers reach the gateway. At most ' +
      `${MAX_PUBLIC_HOST_LENGTH} characters after the scheme, since the Pix codes of the sandbox contain ` +
      'it. Required outside the sandbox, with https. With https, session cookies are sent over TLS only, ' +
      'and browsers are required to use TLS for a year (HSTS).',
    required: 'a URL such as https://pay.example.com',
    problemOf: publicUrlProblem,
  }),
  dataDir: textSetting('DATA_DIR', {
    default: '.data',
    meaning: 'The directory of the embedded database, the generated secrets of the sandbox and `demo.json`.',
  }),
  databasePool: integerSetting('DATABASE_POOL', {
    default: 10,
    min: 2,
    max: 200,
    meaning:
      'Connections for ordinary statements of a process. Batched writes, health checks and ' +
      'long-running reads have additional connections: ' +
      '[operations.md](operations.md#database).',
  }),
  databaseAllowPlaintext: booleanSetting('DATABASE_ALLOW_PLAINTEXT', {
    default: false,
    meaning:
      'Allows a `DATABASE_URL` without TLS to a server on the network. By default, it is refused outside ' +
      'the sandbox: use `sslmode=verify-full`, loopback, or a Unix socket.',
  }),
  trustedProxies: customSetting(
    [
      doc(
        'TRUSTED_PROXIES',
        'none',
        'Addresses or networks (`10.0.0.7`, `10.0.0.0/8`), separated by commas, of the reverse proxies ' +
          'whose `X-Forwarded-For` is trusted. Without it, all clients behind a proxy share the rate ' +
          "limits and failed sign-ins of the proxy's address.",
      ),
    ],
    readTrustedProxies,
  ),
  redisUrl: textSetting('REDIS_URL', {
    default: undefined,
    meaning:
      'The URL of a Redis (6 or later) or Valkey server, in which processes count rate limits ' +
      'and failed sign-ins together: `redis://user:password@host:6379/0`, or `rediss://` for ' +
      'TLS. Without it, and while it is down, each process counts separately.',
    problemOf: redisUrlProblem,
  }),
  redisAllowPlaintext: booleanSetting('REDIS_ALLOW_PLAINTEXT', {
    default: false,
    meaning:
      'Allows a `REDIS_URL` without TLS to a server on the network. By default, it is refused outside the ' +
      'sandbox: use `rediss://` or loopback.',
  }),
  operatorRequestsPerMinute: integerSetting('OPERATOR_REQUESTS_PER_MINUTE', {
    default: 1_200,
    min: 1,
    max: 1_000_000,
    meaning: 'The rate limit for each operator user.',
    unit: 'requests a minute',
  }),
  jwtSecret: textSetting('JWT_SECRET', {
    default: undefined,
    documentedDefault: 'generated at the first start in the sandbox, else none',
    meaning:
      'The secret that signs access tokens and derives the refresh tokens of browsers. It ' +
      'must be the same in every process, and have 32 characters or more. Required outside the ' +
      'sandbox.',
    required: '32 characters or more',
    problemOf: jwtSecretProblem,
    secret: true,
  }),
  jwtSecretPrevious: textSetting('JWT_SECRET_PREVIOUS', {
    default: undefined,
    meaning:
      'A second secret that is accepted for verification, so that nobody is signed out while ' +
      'you replace `JWT_SECRET`: [key-rotation.md](key-rotation.md).',
    problemOf: jwtSecretProblem,
    secret: true,
  }),
  masterKeys: customSetting(
    [
      doc(
        'ENCRYPTION_KEY',
        'generated at the first start in the sandbox, else none',
        'The master key: it wraps the data keys in the database, which encrypt secrets at ' +
          'rest. 32 bytes in base64 or hex. Several keys can be separated by commas: the first ' +
          'wraps, and all unwrap: [key-rotation.md](key-rotation.md). Outside the sandbox ' +
          'exactly one of `ENCRYPTION_KEY`, `ENCRYPTION_KEY_FILE` and `ENCRYPTION_KEY_COMMAND` ' +
          'is required. The gateway does not start if the master key cannot unwrap the data keys.',
      ),
      doc(
        'ENCRYPTION_KEY_FILE',
        'none',
        'A file that contains the master key, in the format of `ENCRYPTION_KEY`. It is read at startup.',
      ),
      doc(
        'ENCRYPTION_KEY_COMMAND',
        'none',
        'A program that wraps and unwraps data keys with a key management service, so that the ' +
          'master key never enters the gateway. Separate its arguments with spaces. It runs ' +
          'without a shell, for at most 10 seconds. ' +
          '[key-rotation.md](key-rotation.md#a-key-management-service) describes what it reads ' +
          'and prints.',
      ),
    ],
    readMasterKeys,
  ),
  stepUpWithdrawalAbove: integerSetting('STEP_UP_WITHDRAWAL_ABOVE', {
    default: 100_000,
    min: 0,
    max: 9_999_999_999,
    meaning:
      'In a browser, a withdrawal of more than this amount, its approval by an operator, and a ' +
      'withdrawal to a new destination require a sign-in or step-up within the last five minutes. ' +
      'With 0, every withdrawal and approval does.',
    unit: 'cents',
  }),
  secondFactorResetHours: integerSetting('SECOND_FACTOR_RESET_HOURS', {
    default: 24,
    min: 1,
    max: 720,
    meaning:
      'The delay between the request of a second-factor reset and the reset. Until then, the ' +
      'user can cancel it: [sign-in-security.md](sign-in-security.md#a-lost-second-factor).',
    unit: 'hours',
  }),
  adminEmail: textSetting('ADMIN_EMAIL', {
    default: undefined,
    documentedDefault: '`admin@example.com` in the sandbox, else none',
    meaning:
      'The email address of the first operator user, an ADMIN, who is created at startup if there is none.',
    problemOf: emailProblem,
  }),
  adminPassword: textSetting('ADMIN_PASSWORD', {
    default: undefined,
    documentedDefault: 'generated at the first start in the sandbox, else none',
    meaning:
      'The password of the first operator user, 12 to 200 characters (8 to 200 in the ' +
      'sandbox). Outside the sandbox, common passwords are refused.',
    problemOf: ({ length }, mode) => {
      const minLength = mode === 'sandbox' ? 8 : MIN_OPERATOR_PASSWORD_LENGTH;
      const isValid = length >= minLength && length <= MAX_PASSWORD_LENGTH;
      return isValid ? undefined : `must have ${minLength} to ${MAX_PASSWORD_LENGTH} characters`;
    },
    secret: true,
  }),
  providers: customSetting(
    [
      doc(
        'PIX_PROVIDER CARD_PROVIDER',
        '`sandbox` in the sandbox, else none',
        'The payment providers in the order in which they are tried, such as `bacen,bacen2` ' +
          'and `adyen`. Without a provider, the payment method is unavailable. Providers and ' +
          'their settings: [providers.md](providers.md).',
      ),
    ],
    readProviderSelections,
  ),
  mail: customSetting(
    [
      doc(
        'SMTP_URL',
        'none',
        'The server that sends email: `smtp://user:password@host:587` (STARTTLS) or ' +
          '`smtps://user:password@host:465` (TLS). Outside the sandbox, TLS is required, except ' +
          'on loopback. Without it, the sandbox stores emails for `GET /v1/sandbox/mails`; ' +
          'outside the sandbox, no email is sent, and users cannot be invited. See ' +
          '[email.md](email.md).',
      ),
      doc(
        'MAIL_FROM',
        '`no-reply@` and the host of `PUBLIC_URL`',
        'The sender address of emails. The server must be allowed to send for its domain.',
      ),
    ],
    readMailSettings,
  ),
  drainSeconds: integerSetting('DRAIN_SECONDS', {
    default: { sandbox: 0, production: 5 },
    min: 0,
    max: 300,
    meaning:
      'How long a process continues to serve after SIGTERM. During this time, `GET ' +
      '/v1/health` returns 503 with `stopping`, and every response closes its connection, so ' +
      'that load balancers send requests to other processes. Ctrl-C does not wait.',
    unit: 'seconds',
  }),
  metricsToken: textSetting('METRICS_TOKEN', {
    default: undefined,
    meaning: 'The bearer token of `/metrics`. Without it, only clients on the same machine have access.',
  }),
  metricsPort: integerSetting('METRICS_PORT', {
    default: undefined,
    min: 1,
    max: 65_535,
    meaning:
      'The port on which a worker without an API (`npm run worker`) serves `/metrics` and `/v1/health`. ' +
      'The API serves them on its own port.',
  }),
  ledgerHeads: customSetting(
    [
      doc(
        'LEDGER_HEAD_URL LEDGER_HEAD_SECRET',
        'none',
        'An `https://` URL to which the worker posts the changed heads of the ledger chains every ' +
          'minute, in addition to the log line, and the secret (`whsec_` and 24 to 64 bytes in base64) ' +
          'that signs the requests as webhooks are signed.',
      ),
    ],
    readLedgerHeads,
  ),
  signup: choiceSetting('SIGNUP', {
    default: 'closed',
    choices: ['closed', 'open'],
    meaning:
      '`open` lets sellers apply for an account at `/dashboard/signup`: [onboarding.md](onboarding.md). ' +
      'Outside the sandbox it requires `SMTP_URL`, unless `SIGNUP_CONFIRM_EMAIL=false`.',
  }),
  signupConfirmEmail: booleanSetting('SIGNUP_CONFIRM_EMAIL', {
    default: { sandbox: false, production: true },
    meaning:
      'Whether an account is created only once the link that is emailed to its owner is opened. With ' +
      '`false`, a person who signs up and then cannot sign in learns that the email already has an account.',
  }),
  signupsPerHour: integerSetting('SIGNUPS_PER_HOUR', {
    default: 20,
    ...ADJUSTABLE.signupsPerHour,
    meaning:
      'Maximum number of sign-ups from one IP address in an hour. An IPv6 address counts as its /64 ' +
      'network. Each email address can be used for five sign-ups an hour.',
  }),
  applicationRetentionDays: integerSetting('APPLICATION_RETENTION_DAYS', {
    default: 90,
    ...ADJUSTABLE.applicationRetentionDays,
    meaning:
      'How long the application of a seller is stored after it was rejected or, while it is DRAFT or ' +
      'QUESTION, after its last change. Then its documents, details and users are deleted. Documents of ' +
      'approved sellers are kept until ten years after the year of their closure.',
    unit: 'days',
  }),
  checkoutUnpaidPerHour: integerSetting('CHECKOUT_UNPAID_PER_HOUR', {
    default: 30,
    ...ADJUSTABLE.checkoutUnpaidPerHour,
    meaning:
      'Unpaid transactions that one IP address may create in an hour on one payment link. An ' +
      'IPv6 address counts as its /64 network.',
  }),
  checkoutDeclinesPerAddress: integerSetting('CHECKOUT_DECLINES_PER_ADDRESS', {
    default: 5,
    ...ADJUSTABLE.checkoutDeclinesPerAddress,
    meaning:
      'Declined cards in an hour after which the payment page refuses further cards from an IP address.',
  }),
  checkoutDeclinesPerLink: integerSetting('CHECKOUT_DECLINES_PER_LINK', {
    default: 50,
    ...ADJUSTABLE.checkoutDeclinesPerLink,
    meaning: 'Declined cards in an hour after which a payment link refuses further cards.',
  }),
  ledgerCheckHours: integerSetting('LEDGER_CHECK_HOURS', {
    default: 24,
    min: 0,
    max: 8_760,
    meaning:
      'How often the worker checks the whole ledger. All workers share the schedule. 0 ' +
      'disables the check, and also the check of new entries every ten minutes. The result ' +
      'is in `/metrics`, and discrepancies are logged.',
    unit: 'hours',
  }),
  tracing: customSetting(
    [
      doc(
        'OTEL_EXPORTER_OTLP_ENDPOINT',
        'none',
        'The base URL of an OpenTelemetry collector for OTLP over HTTP, such as ' +
          '`http://127.0.0.1:4318`. Without it, no traces are recorded. What traces contain: ' +
          '[monitoring.md](monitoring.md#traces).',
      ),
      doc(
        'OTEL_TRACES_SAMPLER OTEL_TRACES_SAMPLER_ARG',
        '`parentbased_always_on`, `1`',
        `The sampler (${listOf(SAMPLERS)}), and the ratio of the ratio-based ones, 0 to 1.`,
      ),
      doc(
        'OTEL_BSP_SCHEDULE_DELAY OTEL_EXPORTER_OTLP_TIMEOUT',
        '`1000`, `5000`',
        'The interval between exports and the timeout of one export, in milliseconds.',
      ),
      doc(
        'OTEL_SERVICE_NAME',
        '`vereda`',
        'The name of the gateway in traces. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, ' +
          '`…_COMPRESSION`, `…_CERTIFICATE`, `…_CLIENT_CERTIFICATE` and `…_CLIENT_KEY`.',
      ),
    ],
    readTracing,
  ),
  logLevel: choiceSetting('LOG_LEVEL', {
    default: 'info',
    choices: LOG_LEVELS,
    meaning: `The log level: ${listOf(LOG_LEVELS)}. \`debug\` logs one line for each request.`,
  }),
  verifyDocuments: booleanSetting('VERIFY_DOCUMENTS', {
    default: { sandbox: false, production: true },
    meaning: 'Whether the check digits of CPF and CNPJ are verified.',
  }),
  alphanumericCnpj: booleanSetting('ALPHANUMERIC_CNPJ', {
    default: true,
    meaning:
      'Whether a CNPJ may contain letters, as CNPJs issued since July 2026 can. `false` ' +
      'accepts digits only.',
  }),
  webhookAllowPrivate: booleanSetting('WEBHOOK_ALLOW_PRIVATE', {
    default: { sandbox: true, production: false },
    meaning:
      'Whether webhooks may be sent to private and loopback addresses. If not, their host names are ' +
      'resolved by the name servers only, without `/etc/hosts`.',
  }),
  webhookLogDays: integerSetting('WEBHOOK_LOG_DAYS', {
    default: 90,
    ...ADJUSTABLE.webhookLogDays,
    meaning:
      'How long events, deliveries and their attempts are stored. Deliveries that are still ' +
      'being retried are kept. Deliveries that are held for a disabled webhook are deleted ' +
      'after this time.',
    unit: 'days',
  }),
  boletoAgreement: customSetting(
    [
      doc(
        'BOLETO_BANK BOLETO_AGENCY BOLETO_ACCOUNT BOLETO_AGREEMENT BOLETO_WALLET',
        'a test agreement, which no bank accepts; none with `BOLETO_PROVIDER=cnab` or `PAYOUT_PROVIDER=cnab`',
        'The collection agreement of boletos: bank (`001`, `033`, `104`, `237` or `341`), branch ' +
          '(agência) and account (a check digit may follow a hyphen), agreement (convênio) number, ' +
          'collection portfolio (carteira).',
      ),
    ],
    readBoletoAgreement,
  ),
  boletoProvider: customSetting(
    [
      doc(
        'BOLETO_PROVIDER',
        '`sandbox` in the sandbox, else none',
        'The provider that registers boletos: `sandbox`, or `cnab` for files exchanged with the bank. ' +
          'Without one, boletos are unavailable.',
      ),
    ],
    readBoletoProvider,
  ),
  payoutProviders: customSetting(
    [
      doc(
        'PAYOUT_PROVIDER',
        '`sandbox` in the sandbox, else none',
        'The providers that pay withdrawals, in the order in which they are tried: `cnab` (Pix ' +
          'by key, and TED) and, in the sandbox, `sandbox` (Pix and crypto). With ' +
          '`cnab,sandbox`, the sandbox pays what files do not support. The next provider is ' +
          'tried only if the previous one certainly did not execute the payout.',
      ),
      doc(
        'BOLETO_WALLET_VARIATION CNAB_PAYMENT_AGREEMENT CNAB_TEST',
        'none',
        'What bank files require in addition to the agreement: ' +
          '[provider-cnab.md](provider-cnab.md#settings).',
      ),
      doc(
        'CNAB_COMPANY_NAME CNAB_COMPANY_DOCUMENT CNAB_COMPANY_ADDRESS',
        'none',
        'Name, tax ID (CPF or CNPJ) and address of the operator in bank files: ' +
          '[provider-cnab.md](provider-cnab.md#settings).',
      ),
    ],
    readPayoutProviders,
  ),
  failPoint: customSetting([], readFailPoint),
} as const;

export const SETTING_DOCS: readonly SettingDoc[] = Object.values({ ...MODE_SETTINGS, ...SETTINGS }).flatMap(
  ({ docs }) => docs,
);
