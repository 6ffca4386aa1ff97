import { Type } from 'typebox';

import type { Rule } from '#platform/http/rules.ts';
import { nullable, recordId, timestamp } from '#platform/http/envelope.ts';
import { nonEmptyString, withCrossFieldRules } from '#platform/http/validation.ts';
import { OPERATOR_ROLES, SELLER_ROLES } from '#platform/kit/permissions.ts';
import {
  MAX_PASSWORD_LENGTH,
  MIN_OPERATOR_PASSWORD_LENGTH,
  MIN_SELLER_PASSWORD_LENGTH,
  passwordRule,
} from './password-policy.ts';

const GUESSED_PASSWORDS = 'Common and easily guessed passwords are refused.';

/** Not blank: signing in rejects an empty password. */
const newPassword = (minLength: number, remark = '') =>
  Type.String({
    format: 'filled',
    minLength,
    maxLength: MAX_PASSWORD_LENGTH,
    description: `At least ${minLength} characters. ${GUESSED_PASSWORDS}${remark}`,
  });

export const NewSellerPassword = newPassword(MIN_SELLER_PASSWORD_LENGTH);
const OF_OPERATORS = ` Operator users need at least ${MIN_OPERATOR_PASSWORD_LENGTH} characters.`;
/** A password that a user chooses. A longer one is required of operator users. */
export const ChosenPassword = newPassword(MIN_SELLER_PASSWORD_LENGTH, OF_OPERATORS);
const OR_INVITED = ' Without it, the person is invited by email.';
/** A password that the operator may set for another user. */
export const InitialSellerPassword = Type.Optional(newPassword(MIN_SELLER_PASSWORD_LENGTH, OR_INVITED));

/** An existing password, whatever the rules were when it was set. */
export const Password = nonEmptyString(MAX_PASSWORD_LENGTH);

export const emailString = Type.String({
  format: 'email',
  maxLength: 320,
  description: 'Email address, used to sign in.',
});

const identityProperties = { name: nonEmptyString(255, 'Full name.'), email: emailString };

export const sellerRole = Type.Enum([...SELLER_ROLES], {
  description:
    'What the user may do besides reading. OWNER: everything. FINANCE: withdrawals, refunds, appeals and ' +
    "customers. DEVELOPER: everything except withdrawals, refunds, appeals, users and the seller's " +
    'application. VIEWER: nothing.',
});
export const operatorRole = Type.Enum([...OPERATOR_ROLES], {
  description: 'ADMIN: everything. SUPPORT: read only.',
});

export const secondFactorResetAt = nullable(
  timestamp('When a pending reset will remove the second factors of the user; null if no reset is pending.'),
);

/** The members of a request that creates a user of a seller. */
export const newSellerUserProperties = { ...identityProperties, password: NewSellerPassword };

/** The body of a request by which the operator creates a user of a seller. */
export const OperatedSellerUserBody = withCrossFieldRules(
  Type.Object({
    ...identityProperties,
    password: InitialSellerPassword,
    role: sellerRole,
  }),
  [passwordRule('password', MIN_SELLER_PASSWORD_LENGTH, ['name', 'email'])],
);

/** The query of a request that deletes a user of a seller. */
export const UserRemovalQuery = Type.Object({
  endKeys: Type.Optional(
    Type.Boolean({
      description: 'Also deletes the API keys that the user created. Default: false, and they keep working.',
    }),
  ),
});

/** The body of a request that creates a user of a seller. */
export const NewSellerUserBody = withCrossFieldRules(
  Type.Object({ ...newSellerUserProperties, role: sellerRole }),
  [passwordRule('password', MIN_SELLER_PASSWORD_LENGTH, ['name', 'email'])],
);

/** The body of a request that creates a user of the operator. */
export const NewOperatorUserBody = withCrossFieldRules(
  Type.Object({
    ...identityProperties,
    password: Type.Optional(newPassword(MIN_OPERATOR_PASSWORD_LENGTH, OR_INVITED)),
    role: operatorRole,
  }),
  [passwordRule('password', MIN_OPERATOR_PASSWORD_LENGTH, ['name', 'email'])],
);

/** Selects the transport of the refresh token. */
export const sessionProperty = {
  session: Type.Optional(
    Type.Enum(['cookie'], {
      description:
        '`cookie` sets the refresh token as an HttpOnly cookie of the browser instead of returning it.',
    }),
  ),
};

const accessToken = Type.String({ description: 'JWT, valid for one hour.' });
const user = Type.Object(
  {
    id: recordId('The id of the user.'),
    name: Type.String({ description: 'Full name.' }),
    email: Type.String({ description: 'Email address.' }),
    role: Type.String({ description: 'Role of the user.' }),
  },
  { title: 'SignedInUser', description: 'The user who signed in.' },
);

const BodyTokenSignInSchema = Type.Object(
  {
    accessToken,
    refreshToken: Type.String({
      description: 'UUID. Works once. Valid for seven days, or until the session ends if that is earlier.',
    }),
    user,
  },
  { title: 'SignIn', description: 'Tokens of a new session.' },
);

/** Without the refresh token, which is in a cookie. */
const CookieSignInSchema = Type.Object(
  { accessToken, user },
  { title: 'CookieSignIn', description: 'A new session. Its refresh token is in a cookie.' },
);

export const SIGN_IN_SCHEMAS = [BodyTokenSignInSchema, CookieSignInSchema] as const;

export const TwoFactorChallengeSchema = Type.Object(
  {
    twoFactorRequired: Type.Literal(true, { description: 'Always true.' }),
    challenge: Type.String({
      description: 'Send it with the second factor to `POST /v1/login/two-factor` within five minutes.',
    }),
    methods: Type.Array(Type.Enum(['code', 'passkey', 'recoveryCode']), {
      description: 'The second factors that the user can present.',
    }),
  },
  { title: 'TwoFactorChallenge', description: 'A challenge to present a second factor.' },
);

export const TotpCode = Type.String({
  pattern: '^\\d{6}$',
  'x-rule': 'must be 6 digits' satisfies Rule,
  description: 'The code that the authenticator app shows. Each code works once.',
});

export const RecoveryCode = Type.String({
  format: 'filled',
  maxLength: 40,
  description:
    'One of the recovery codes, instead of `code`. Each works once. Case and hyphens do not matter.',
});
