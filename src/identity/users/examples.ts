/** Examples of the OpenAPI document. A test validates each against its schema. */

/** Not a valid token: it has no signature. */
const accessToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMWExZmI2MCJ9.c2lnbmF0dXJl';
const refreshToken = '01a1fb60-aaaa-4bbb-8ccc-0123456789ab';

const challenge = 'eyJhbGciOiJIUzI1NiIsInR5cCI6ImNoYWxsZW5nZStqd3QifQ.eyJzdWIiOiIwMWExZmI2MCJ9.c2lnbmF0dXJl';
const email = 'seller@example.com';
const password = 'five words are long enough';

export const CREDENTIALS = {
  'A user': { email, password },
  'A user in a browser': { email, password, session: 'cookie' },
};
export const SIGN_IN_RESULT = {
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
export const SIGN_IN_RESULT_OR_CHALLENGE = {
  ...SIGN_IN_RESULT,
  'A second factor is required': {
    twoFactorRequired: true,
    challenge,
    methods: ['code', 'passkey', 'recoveryCode'],
  },
};
export const TWO_FACTOR_LOGIN = {
  'A code': { challenge, code: '492039' },
  'A recovery code': { challenge, recoveryCode: 'MFRG-GZDF-MZTW-Q2LK-NBUW-G23F-PE', session: 'cookie' },
};
export const REFRESH = { 'The token of the last response': { refreshToken }, 'The token in the cookie': {} };
export const REFRESHED = {
  'New tokens': { token: accessToken, refreshToken: '01a1fb61-bbbb-4ccc-8ddd-0123456789ab' },
  'A new cookie': { token: accessToken },
};
export const SIGNED_OUT = { 'Signed out': { status: true, data: {} } };

const me = {
  id: '01a1fb60-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  name: 'Dona da Loja',
  email,
  role: 'OWNER',
  createdAt: '2026-03-01T12:00:00.000Z',
};

export const ME = {
  "A seller's user": {
    status: true,
    data: {
      ...me,
      seller: { id: '01a1fb60-1111-4222-8333-0123456789ab', name: 'Loja', status: 'ACTIVE' },
      twoFactor: { active: true, passkeys: 1, recoveryCodesLeft: 9 },
      secondFactorResetAt: null,
    },
  },
};
export const PROFILE_CHANGES = { 'Another name': { name: 'Dona da Loja' } };
export const PASSWORDS = {
  'The current and the new password': {
    currentPassword: password,
    newPassword: 'six other words are longer still',
  },
};
export const EMPTY_RESULT = { Done: { status: true, data: {} } };
export const PASSWORD_CONFIRMATION = { 'The password': { password } };
export const TWO_FACTOR_SETUP = {
  'A new secret': {
    status: true,
    data: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri:
        'otpauth://totp/Vereda:seller%40example.com?issuer=Vereda&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' +
        '&algorithm=SHA1&digits=6&period=30',
    },
  },
};
export const TOTP_CODE = { 'The code of the authenticator': { code: '492039' } };
export const RECOVERY_CODES = {
  'Recovery codes': {
    status: true,
    data: {
      recoveryCodes: Array.from(
        { length: 10 },
        (_, n) => `MFRG-GZDF-MZTW-Q2LK-NBUW-G23F-P${'ABCDEFGHIJ'.charAt(n)}`,
      ),
    },
  },
};
export const PASSWORD_AND_CODE = { 'Password and code': { password, code: '492039' } };
export const SESSIONS = {
  'A browser and a program': {
    status: true,
    data: [
      {
        id: '01a1fb62-2222-4333-8444-0123456789ab',
        createdAt: '2026-03-02T12:00:00.000Z',
        lastUsedAt: '2026-03-02T15:30:00.000Z',
        browser: 'Firefox on Linux',
        address: '203.0.*.*',
        current: true,
      },
      {
        id: '01a1fb61-2222-4333-8444-0123456789ab',
        createdAt: '2026-03-01T12:00:00.000Z',
        lastUsedAt: '2026-03-01T12:00:00.000Z',
        browser: 'curl',
        address: '2001:db8:*',
        current: false,
      },
    ],
    count: 2,
  },
};
export const DEVICES = {
  'One device': {
    status: true,
    data: [
      {
        browser: 'Firefox on Linux',
        address: '203.0.*.*',
        firstSeenAt: '2026-03-01T12:00:00.000Z',
        lastSeenAt: '2026-03-02T12:00:00.000Z',
      },
    ],
    count: 1,
  },
};
export const SESSION_ENDED = {
  Ended: { status: true, data: { id: '01a1fb61-2222-4333-8444-0123456789ab' } },
};

const member = {
  id: '01a1fb63-7c2d-4e3f-8a9b-0c1d2e3f4a5b',
  name: 'Bia',
  email: 'bia@example.com',
  role: 'FINANCE',
  secondFactorResetAt: null,
  createdAt: '2026-03-03T12:00:00.000Z',
};
export const TEAM = {
  'One page': {
    status: true,
    data: [member, { ...me, secondFactorResetAt: null }],
    count: 2,
    nextCursor: null,
  },
};
export const NEW_MEMBER = {
  'A user for finances': { name: member.name, email: member.email, password, role: member.role },
};
export const MEMBER_CHANGES = { 'Another role': { role: 'FINANCE' } };
export const MEMBER = { 'The user': { status: true, data: member } };
export const MEMBER_DELETED = { Deleted: { status: true, data: { id: member.id } } };
