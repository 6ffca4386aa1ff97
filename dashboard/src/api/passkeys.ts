import { PasskeyExistsError, PasskeyNotUsedError } from './errors.ts';
import type { components } from './schema.gen.ts';

type CreationOptions = components['schemas']['PasskeyCreationOptions'];
type Creation = components['schemas']['PasskeyCreation'];
type RequestOptions = components['schemas']['PasskeyRequestOptions'];
type Assertion = components['schemas']['PasskeyAssertion'];

/** WebAuthn knows no IP addresses. */
const isIpAddress = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname);

/** Whether the browser can use passkeys at this address: at a name over TLS, or at localhost. */
export const hasPasskeys = (): boolean =>
  isSecureContext &&
  !isIpAddress(location.hostname) &&
  typeof PublicKeyCredential !== 'undefined' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** The request for a passkey that waits in the autofill of the sign-in page, if any. */
let autofill: AbortController | undefined;

/** Lets the user pick a passkey and signs the options. Throws PasskeyNotUsedError. */
export async function signWithPasskey(options: RequestOptions): Promise<Assertion> {
  // A browser takes one request at a time.
  autofill?.abort();
  return sign({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/** Signs with the passkey that the user picks from the suggestions of a field, if that happens. */
export async function signByAutofill(options: RequestOptions, stop: AbortController): Promise<Assertion> {
  autofill = stop;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return sign({ publicKey, mediation: 'conditional', signal: stop.signal });
}

async function sign(request: CredentialRequestOptions): Promise<Assertion> {
  const credential = await navigator.credentials.get(request).catch(() => null);
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyNotUsedError();
  const { id, rawId, response } = credential.toJSON();
  if (!('signature' in response)) throw new PasskeyNotUsedError();
  return { id, rawId, type: 'public-key', response };
}

/** Whether the browser can suggest passkeys in the email field. */
export const canSuggestPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable());

/** Lets the browser create a passkey. Throws PasskeyExistsError or PasskeyNotUsedError. */
export async function createPasskey(options: CreationOptions): Promise<Creation> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    const exists = error instanceof DOMException && error.name === 'InvalidStateError';
    throw exists ? new PasskeyExistsError() : new PasskeyNotUsedError();
  });
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyNotUsedError();
  const { id, rawId, response } = credential.toJSON();
  if (!('attestationObject' in response)) throw new PasskeyNotUsedError();
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } };
}

/**
 * Marks in localStorage that a passkey was used or added in this browser, which then offers it
 * first.
 */
const PASSKEY_HINT_KEY = 'vereda-passkey';

export const rememberPasskey = (): void => localStorage.setItem(PASSKEY_HINT_KEY, '1');
export const isPasskeyRemembered = (): boolean =>
  hasPasskeys() && localStorage.getItem(PASSKEY_HINT_KEY) !== null;
