import { Type } from 'typebox';

import { loadPasswordEstimator } from '#identity/users/password-policy.ts';
import type { DocumentRules } from '#payments/transactions/creation-schema.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { envelope, ok } from '#platform/http/envelope.ts';
import { HttpError } from '#platform/http/errors.ts';
import { rateLimitExceeded } from '#platform/http/guard.ts';
import { rateLimitAddress, type RateLimiter } from '#platform/http/rate-limiter.ts';
import type { App } from '#platform/http/server.ts';
import { nonEmptyString } from '#platform/http/validation.ts';
import { hashCredential } from '#platform/kit/ids.ts';
import * as examples from './examples.ts';
import { ConfirmedSchema, SignedUpSchema, SignUpBody, SignupSettingsSchema } from './schema.ts';
import type { SignupService } from './signup.ts';

const HOUR_SECONDS = 3_600;
/** Each sign-up mails its address. */
const SIGNUPS_PER_EMAIL = 5;

export interface SignupRouteDeps {
  readonly signups: SignupService;
  readonly rates: RateLimiter;
  readonly documents: DocumentRules;
  readonly signup: {
    readonly open: boolean;
    readonly confirmEmail: boolean;
    /** For each IP address. */
    readonly getPerHour: () => Promise<number>;
  };
}

const tags = ['Applications'];

/** How a seller without an account applies for one. Public. */
export function signupRoutes(app: App, deps: SignupRouteDeps): void {
  registerSettings(app, deps);
  registerSignUp(app, deps);
  registerConfirm(app, deps);
}

function registerSettings(app: App, { signup: { open, confirmEmail } }: SignupRouteDeps): void {
  app.get(
    '/signup',
    {
      config: { access: 'public' },
      schema: {
        operationId: 'getSignup',
        summary: 'Retrieve the sign-up status',
        description: 'Returns whether sellers can apply for an account themselves.',
        tags,
        examples: { response: examples.SIGNUP_SETTINGS },
        response: { 200: envelope(SignupSettingsSchema) },
      },
    },
    async () => ok({ open, confirmEmail }),
  );
}

function registerSignUp(app: App, deps: SignupRouteDeps): void {
  const { signups, signup, documents } = deps;
  app.post(
    '/signup',
    {
      config: { access: 'public' },
      preValidation: async () => {
        if (!signup.open) throw new HttpError('signup_closed');
        await loadPasswordEstimator();
      },
      schema: {
        operationId: 'signUp',
        summary: 'Apply for an account',
        description:
          'Creates a seller with its owner and a wallet. The seller is PENDING until the operator ' +
          'approves its application. Until then, its owner can only complete the application. If ' +
          '`confirmEmail` of `GET /v1/signup` is true, the seller is created only when the owner confirms ' +
          'the address with the emailed link. The response is the same for an address that already has an ' +
          'account; its owner is informed by email. Limited by IP address and by email. 403 unless the ' +
          'operator has opened the sign-up.',
        tags,
        errors: ['signup_closed', 'rate_limited'],
        examples: { body: examples.SIGN_UP, response: examples.SIGNED_UP },
        body: SignUpBody(documents),
        response: { 201: envelope(SignedUpSchema) },
      },
    },
    async (request, reply) => {
      const { name, documentType, document, ownerName, ownerEmail, ownerPassword } = request.body;
      await countSignup(deps, request.ip, ownerEmail);
      const locale = preferredLanguage(request.headers['accept-language']);
      const applicant = { name, documentType, document, ownerName, ownerEmail, ownerPassword, locale };
      const id = await signups.signUp(applicant, request.id);
      const { confirmEmail } = signup;
      return reply.code(201).send(ok({ id, name, status: 'PENDING' as const, confirmEmail }));
    },
  );
}

/** @throws HttpError 429 above the limit of the address or of the email. */
async function countSignup(
  { rates, signup }: SignupRouteDeps,
  address: string,
  email: string,
): Promise<void> {
  // Hashed, so that a shared rate limiter does not store emails.
  const emailKey = `signup-email:${hashCredential(email.toLowerCase()).toString('base64url')}`;
  for (const [key, limit] of [
    [`signup-address:${rateLimitAddress(address)}`, await signup.getPerHour()],
    [emailKey, SIGNUPS_PER_EMAIL],
  ] as const) {
    const rate = await rates.consume(key, limit, HOUR_SECONDS);
    if (rate.exceeded) throw rateLimitExceeded(rate);
  }
}

function registerConfirm(app: App, { signups, signup }: SignupRouteDeps): void {
  app.post(
    '/signup/confirm',
    {
      config: { access: 'public' },
      preValidation: async () => {
        if (!signup.open) throw new HttpError('signup_closed');
      },
      schema: {
        operationId: 'confirmSignup',
        summary: 'Confirm the email of a sign-up',
        description:
          'Creates the seller with the token of the link that was emailed to its owner, who can then sign ' +
          'in. The link is valid for 24 hours and for one use.',
        tags,
        errors: ['signup_closed', 'invalid_link', 'email_taken'],
        examples: { body: examples.CONFIRMATION, response: examples.CONFIRMED },
        body: Type.Object({ token: nonEmptyString(200, 'The `token` of the link in the email.') }),
        response: { 200: envelope(ConfirmedSchema) },
      },
    },
    async (request) => {
      const confirmed = await signups.confirm(request.body.token, request.id);
      if (confirmed === undefined) throw new HttpError('invalid_link');
      if (confirmed === 'EMAIL_TAKEN') throw new HttpError('email_taken');
      return ok({ ...confirmed });
    },
  );
}
