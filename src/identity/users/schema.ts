import { Type } from 'typebox';

import { nonEmptyString } from '#platform/http/validation.ts';

/** Not of white space alone: signing in refuses an empty password. */
export const NewPassword = Type.String({ format: 'filled', minLength: 8, maxLength: 128 });

/** A password that is known already, whatever the rule was when it was set. */
export const Password = nonEmptyString(128);

/** A way to be signed in, as it is asked for. */
export const sessionProperty = {
  session: Type.Optional(
    Type.Enum(['cookie'], {
      description:
        '`cookie` keeps the refresh token in a cookie of the browser that no script can read, instead of answering it.',
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
    refreshToken: Type.String({ description: 'UUID, valid for seven days, once.' }),
    user,
  },
  { title: 'SignedIn' },
);

/** Without the refresh token, which a cookie holds. */
const CookieSignInSchema = Type.Object({ accessToken, user }, { title: 'SignedInByCookie' });

export const SIGN_IN_SCHEMAS = [BodyTokenSignInSchema, CookieSignInSchema] as const;

export const TwoFactorChallengeSchema = Type.Object(
  {
    twoFactorRequired: Type.Literal(true),
    challenge: Type.String({
      description: 'Goes with the code to `POST /login/two-factor`, within five minutes.',
    }),
  },
  { title: 'TwoFactorChallenge' },
);

const totpCode = Type.String({
  pattern: '^\\d{6}$',
  'x-rule': 'must be 6 digits',
  description: 'What the authenticator shows. Each code counts once.',
});
export const TotpCode = totpCode;

/** What stands in for a code; its hyphens and its case do not matter. */
export const RecoveryCode = Type.String({
  format: 'filled',
  maxLength: 40,
  description: 'One of the recovery codes, instead of `code`. Each counts once.',
});
