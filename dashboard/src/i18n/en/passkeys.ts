import type { Text } from '../texts.ts';
import type { passkeys as texts } from '../pt/passkeys.ts';

export const passkeys: Text<typeof texts> = {
  passkeys: {
    title: 'Passkeys',
    intro: 'Sign in with your fingerprint, face or device PIN. No password or code needed.',
    none: 'No passkeys yet.',
    add: 'Add passkey',
    name: 'Name',
    nameHint: 'To recognize it later, such as “Ana’s phone”. The browser asks for confirmation next.',
    created: 'Passkey added',
    exists: 'This device already has a passkey for your account.',
    rename: 'Rename',
    synced: 'Synced',
    added: 'added',
    used: 'last used',
    unused: 'never used',
    deleteTitle: 'Delete the passkey {{name}}?',
    deleteMeans:
      'You can no longer sign in with it. If it is your only second factor, your password alone will be ' +
      'enough. Also delete it on the device.',
    deleted: 'Passkey deleted',
    unsupported: 'This browser does not support passkeys at this address. They require HTTPS or localhost.',
    or: 'or',
    withCode: 'Use a code',
    withPassword: 'Use password',
    reset: 'Reset two-factor authentication',
    resetTitle: 'Reset two-factor authentication for {{name}}?',
    resetMeans:
      'For a user who lost their device and recovery codes. After a waiting period, their authenticator ' +
      'app and passkeys are removed and their sessions end. Everyone involved gets an email, and the ' +
      'reset can be canceled until then.',
    resetRequested: 'Reset requested',
    resetAt: 'Two-factor authentication will be removed',
    cancelReset: 'Cancel reset',
    resetCanceled: 'Reset canceled',
    ownReset: 'Your two-factor authentication will be removed',
    ownResetMeans:
      'Someone requested the removal of your authenticator app and passkeys. If you still have them, ' +
      'cancel the reset. They will be removed on',
  },
};
