import { Type, type Static } from 'typebox';

import { ASSERTION, REQUEST_OPTIONS } from '#identity/passkeys/examples.ts';
import {
  PasskeyAssertionSchema,
  RequestOptionsSchema,
  viewRequestOptions,
} from '#identity/passkeys/schema.ts';
import type { CurrentSession } from '#identity/users/credentials.ts';
import { reauthenticate, type ReauthenticationDeps } from '#identity/users/reauthentication.ts';
import { Password, TotpCode } from '#identity/users/schema.ts';
import type { UsersService } from '#identity/users/service.ts';
import { described, envelope, ok, timestamp } from '#platform/http/envelope.ts';
import { auditActorOf, callingSession } from '#platform/http/guard.ts';
import type { App } from '#platform/http/server.ts';
import { withCrossFieldRules, type CrossFieldRule } from '#platform/http/validation.ts';
import { stepUpIn, type StepUpProof } from './service.ts';

interface StepUpRouteDeps extends ReauthenticationDeps {
  readonly users: UsersService;
}

const exactlyOneProof: CrossFieldRule = ({ password, code, passkey }) =>
  [password, code, passkey].filter((proof) => proof !== undefined).length === 1
    ? []
    : [{ path: ['password'], rule: 'or code or passkey must be sent', code: 'invalid_combination' }];

const StepUpBody = withCrossFieldRules(
  Type.Object({
    password: Type.Optional(described(Password, 'The password of the user.')),
    code: Type.Optional(TotpCode),
    passkey: Type.Optional(PasskeyAssertionSchema),
  }),
  [exactlyOneProof],
);

const StepUpSchema = Type.Object(
  { validUntil: timestamp('When the session needs another step-up.') },
  { title: 'StepUp', description: 'A session whose user has verified again.' },
);

const tags = ['Authentication'];
const config = {
  access: 'account:own',
  anySellerStatus: true,
  peopleOnly: true,
  withoutSecondFactor: true,
} as const;

/** Verifying the user of a session again, before what matters most. */
export function stepUpRoutes(app: App, deps: StepUpRouteDeps): void {
  registerOptions(app, deps);
  registerStepUp(app, deps);
}

function registerOptions(app: App, { users }: StepUpRouteDeps): void {
  app.post(
    '/auth/step-up/options',
    {
      config,
      schema: {
        operationId: 'createStepUpOptions',
        summary: 'Create options for a step-up',
        description:
          'Returns the options with which the browser asks for a passkey of the signed-in user. Send the ' +
          'result to `POST /v1/auth/step-up`. The options are valid for five minutes, in this session ' +
          'only.',
        tags,
        examples: { response: REQUEST_OPTIONS },
        response: { 200: envelope(RequestOptionsSchema) },
      },
    },
    async (request) => ok(viewRequestOptions(await users.issueStepUpOptions(callingSession(request)))),
  );
}

function registerStepUp(app: App, deps: StepUpRouteDeps): void {
  app.post(
    '/auth/step-up',
    {
      config,
      schema: {
        operationId: 'stepUp',
        summary: 'Step up a session',
        description:
          'Verifies the signed-in user again, with the password, a code from the authenticator ' +
          'app or a passkey. Use it when an operation responds with 403 `step_up_required`. For ' +
          'five minutes, the browser session may then call the operations that list `step_up_required` ' +
          'among their errors, such as creating API keys and users, changing second factors, and ' +
          'creating or approving withdrawals. A sign-in counts as a step-up. API keys, and sessions that ' +
          'began without `session: "cookie"`, need none. After ten failures of a session in 15 ' +
          'minutes, or thirty in a day, responds with 429.',
        tags,
        errors: ['wrong_password', 'wrong_code', 'wrong_passkey'],
        examples: {
          body: {
            'With the password': { password: 'five words are long enough' },
            'With a code': { code: '492039' },
            'With a passkey': { passkey: ASSERTION },
          },
          response: { 'Stepped up': ok({ validUntil: '2026-03-02T12:05:00.000Z' }) },
        },
        body: StepUpBody,
        response: { 200: envelope(StepUpSchema) },
      },
    },
    async (request) => {
      const session = callingSession(request);
      const proof = proofOf(request.body, session);
      const validUntil = await reauthenticate(deps, request, WRONG[proof.kind], () =>
        deps.users.stepUp(session, proof, auditActorOf(request)),
      );
      return ok({ validUntil: validUntil.toISOString() });
    },
  );
}

const WRONG = { password: 'wrong_password', code: 'wrong_code', passkey: 'wrong_passkey' } as const;

function proofOf(
  { password = '', code, passkey: assertion }: Static<typeof StepUpBody>,
  session: CurrentSession,
): StepUpProof {
  if (assertion !== undefined) return { kind: 'passkey', proof: { assertion, ...stepUpIn(session) } };
  return code === undefined ? { kind: 'password', password } : { kind: 'code', code };
}
