import type { Text } from '../texts.ts';
import type { passkeys as texts } from '../pt/passkeys.ts';

export const passkeys: Text<typeof texts> = {
  passkeys: {
    title: 'Passkeys',
    intro: 'Sign in with the fingerprint, face or PIN of your device, without password and code.',
    none: 'No passkeys yet.',
    add: 'Add passkey',
    name: 'Name',
    nameHint: 'To recognize it later, such as “Ana’s phone”. The browser asks for confirmation next.',
    created: 'Passkey added',
    exists: 'This device has a passkey of your account already.',
    rename: 'Rename',
    synced: 'Synced',
    added: 'added',
    used: 'last used',
    unused: 'never used',
    deleteTitle: 'Delete the passkey {{name}}?',
    deleteMeans:
      'You can no longer sign in with it. Without another second factor, your password alone is ' +
      'enough. Delete it on the device, too.',
    deleted: 'Passkey deleted',
    unsupported: 'This browser has no passkeys at this address. They need HTTPS or localhost.',
    or: 'or',
    withCode: 'Use a code',
    withPassword: 'Use password',
    reset: 'Reset second factor',
    resetTitle: 'Reset the second factor of {{name}}?',
    resetMeans:
      'For a person who lost device and recovery codes. After the waiting time, authenticator and ' +
      'passkeys are removed and sessions end. Everybody concerned gets an email, and it can be ' +
      'canceled until then.',
    resetRequested: 'Reset requested',
    resetAt: 'The second factor will be removed',
    cancelReset: 'Cancel reset',
    resetCanceled: 'Reset canceled',
    ownReset: 'Your second factor will be removed',
    ownResetMeans:
      'Somebody requested to remove your authenticator and passkeys. If you have not lost them, cancel it.',
  },
};
