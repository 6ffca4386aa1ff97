/** What the reference shows of signing in. A test holds each against its schema. */

/** The shape of a token, and no token: it has no signature. */
const accessToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMWExZmI2MCJ9.c2lnbmF0dXJl';
const refreshToken = '01a1fb60-aaaa-4bbb-8ccc-0123456789ab';

export const CREDENTIALS = {
  'A user': { email: 'seller@example.com', password: 'five words are long enough' },
};
export const SIGNED_IN = {
  'Signed in': {
    accessToken,
    refreshToken,
    user: {
      id: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
      name: 'Dona da Loja',
      email: 'seller@example.com',
      role: 'OWNER',
    },
  },
};
export const REFRESH = { 'The token of the last answer': { refreshToken } };
export const REFRESHED = {
  'Both are new': { token: accessToken, refreshToken: '01a1fb61-bbbb-4ccc-8ddd-0123456789ab' },
};
export const SIGNED_OUT = { 'Signed out': { status: true, data: {} } };
