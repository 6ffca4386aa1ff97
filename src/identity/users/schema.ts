import { Type } from 'typebox';

import { nonEmptyString } from '#platform/http/validation.ts';

/** Not blank: signing in rejects an empty password. */
export const NewPassword = Type.String({ format: 'filled', minLength: 8, maxLength: 128 });

/** An existing password, whatever the rules were when it was set. */
export const Password = nonEmptyString(128);

/** The members of a request that creates a user. */
export const newUserProperties = {
  name: nonEmptyString(255),
  email: Type.String({ format: 'email', maxLength: 320 }),
  password: NewPassword,
};

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
const user = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  email: Type.String(),
  role: Type.String(),
});

const BodyTokenSignInSchema = Type.Object(
  {
    accessToken,
    refreshToken: Type.String({ description: 'UUID, valid for seven days, for one use.' }),
    user,
  },
  { title: 'SignedIn' },
);

/** Without the refresh token, which is in a cookie. */
const CookieSignInSchema = Type.Object({ accessToken, user }, { title: 'SignedInByCookie' });

export const SIGN_IN_SCHEMAS = [BodyTokenSignInSchema, CookieSignInSchema] as const;

export const TwoFactorChallengeSchema = Type.Object(
  {
    twoFactorRequired: Type.Literal(true),
    challenge: Type.String({
      description: 'Send it with the code to `POST /login/two-factor` within five minutes.',
    }),
  },
  { title: 'TwoFactorChallenge' },
);

export const TotpCode = Type.String({
  pattern: '^\\d{6}$',
  'x-rule': 'must be 6 digits',
  description: 'The code that the authenticator shows. Each code works once.',
});

export const RecoveryCode = Type.String({
  format: 'filled',
  maxLength: 40,
  description:
    'One of the recovery codes, instead of `code`. Each works once. Case and hyphens do not matter.',
});
