import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

import type { RelyingParty } from './relying-party.ts';

/** The protocol between the gateway, the browser and the authenticator (WebAuthn level 3). */

/** Extensions are not used. */
export type PasskeyCreation = Omit<RegistrationResponseJSON, 'clientExtensionResults'>;
export type PasskeyAssertion = Omit<AuthenticationResponseJSON, 'clientExtensionResults'>;

/** ES256, RS256 and Ed25519, in the order of preference. */
const ALGORITHMS = [-7, -257, -8];
const TIMEOUT_MS = 5 * 60_000;

export interface KnownCredential {
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly transports: readonly string[];
}

export interface VerifiedCreation {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** What the browser signed, before its signature is verified. */
interface ClientData {
  readonly challenge: string;
  readonly origin: string;
}

/** Loaded when the first passkey is used: it takes a tenth of a second of CPU. */
const load = () => import('@simplewebauthn/server');

interface CreationRequest {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly challenge: string;
  readonly existing: readonly KnownCredential[];
}

/** The options of a new passkey: discoverable, with user verification, without attestation. */
export async function creationOptions(
  { id: rpID, name: rpName }: RelyingParty,
  { user, challenge, existing }: CreationRequest,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName,
    rpID,
    userID: userHandleOf(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: existing.map(describeCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The options of a signature. Without credentials, the user picks a passkey of the host. */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  challenge: string,
  credentials: readonly KnownCredential[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID,
    challenge,
    timeout: TIMEOUT_MS,
    allowCredentials: credentials.map(describeCredential),
    userVerification: 'required',
  });
}

/** The challenge that a response answers, in base64url. Undefined if the response is malformed. */
export const challengeOf = (response: PasskeyCreation | PasskeyAssertion): string | undefined =>
  clientDataOf(response)?.challenge;

/** Returns undefined if the response is not from a new passkey of the relying party. */
export async function verifyCreation(
  { id: expectedRPID, accepts }: RelyingParty,
  response: PasskeyCreation,
): Promise<VerifiedCreation | undefined> {
  const clientData = clientDataOf(response);
  if (clientData === undefined || !accepts(clientData.origin)) return undefined;
  const { verifyRegistrationResponse } = await load();
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: clientData.challenge,
    expectedOrigin: clientData.origin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(notVerified);
  if (info === undefined) return undefined;
  const { credential } = info;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: credential.transports ?? [],
    backupEligible: info.credentialDeviceType === 'multiDevice',
    backedUp: info.credentialBackedUp,
  };
}

/**
 * Returns undefined if the signature is not of the passkey, without user verification, or of a
 * counter that does not exceed the last one.
 */
export async function verifyAssertion(
  { id: expectedRPID, accepts }: RelyingParty,
  response: PasskeyAssertion,
  known: KnownCredential,
): Promise<{ readonly signCount: number; readonly backedUp: boolean } | undefined> {
  const clientData = clientDataOf(response);
  if (clientData === undefined || !accepts(clientData.origin)) return undefined;
  const { verifyAuthenticationResponse } = await load();
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: clientData.challenge,
    expectedOrigin: clientData.origin,
    expectedRPID,
    credential: {
      id: known.credential_id.toString('base64url'),
      publicKey: new Uint8Array(known.public_key),
      counter: known.sign_count,
    },
    requireUserVerification: true,
  }).catch(notVerified);
  if (!verified || info === undefined) return undefined;
  return { signCount: info.newCounter, backedUp: info.credentialBackedUp };
}

/** Whether the authenticator says that the passkey is of this user, or does not say whose it is. */
export const isPasskeyOf = ({ response: { userHandle } }: PasskeyAssertion, userId: string): boolean =>
  userHandle === undefined || userHandle === Buffer.from(userHandleOf(userId)).toString('base64url');

/** The library throws for whatever is wrong with a response. */
const notVerified = () => ({ verified: false, registrationInfo: undefined, authenticationInfo: undefined });

const userHandleOf = (userId: string) => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

const describeCredential = ({ credential_id: id, transports }: KnownCredential) => ({
  id: id.toString('base64url'),
  transports: [...transports],
});

function clientDataOf({ response }: PasskeyCreation | PasskeyAssertion): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    return isClientData(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

const isClientData = (data: unknown): data is ClientData =>
  typeof data === 'object' &&
  data !== null &&
  'challenge' in data &&
  typeof data.challenge === 'string' &&
  'origin' in data &&
  typeof data.origin === 'string';
