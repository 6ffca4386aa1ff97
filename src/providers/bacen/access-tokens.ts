import { parseJson, type ProviderConnections } from '#providers/connections.ts';
import { NotExecutedError } from '#platform/jobs/provider-calls.ts';
import { untilAborted } from '#platform/kit/until-aborted.ts';
import { parseAs, Token } from './messages.ts';
import type { BacenSettings } from './settings.ts';

const TIMEOUT_MS = 4_000;
/** A token is replaced this long before it expires, so that it outlives any call that uses it. */
const EXPIRY_MARGIN_MS = 30_000;
/** Lifetime of a token that does not state its own. */
const DEFAULT_LIFETIME_SECONDS = 300;

const SCOPES = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';
const PIX_AUTOMATICO_SCOPES =
  'cobv.write rec.read rec.write solicrec.read solicrec.write cobr.read cobr.write ' +
  'payloadlocationrec.write webhookrec.read webhookrec.write webhookcobr.read webhookcobr.write';

/** Access tokens by client credentials (RFC 6749 4.4). All calls share one until it expires. */
export class AccessTokens {
  readonly #settings: BacenSettings;
  readonly #connections: ProviderConnections;
  #token: { readonly value: string; readonly usableUntilMs: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(settings: BacenSettings, connections: ProviderConnections) {
    this.#settings = settings;
    this.#connections = connections;
  }

  /**
   * Returns the current token. Concurrent callers share one request for a new token.
   *
   * @throws NotExecutedError if there is no token by the deadline: the call that needs it was not sent.
   */
  async get(deadline: AbortSignal): Promise<string> {
    if (this.#token !== undefined && performance.now() < this.#token.usableUntilMs) return this.#token.value;
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = undefined;
    });
    try {
      return await untilAborted(deadline, this.#pending);
    } catch (error) {
      throw new NotExecutedError('the provider issued no access token', { cause: error });
    }
  }

  /** Discards a token that the provider rejected, unless another has replaced it. */
  discard(token: string): void {
    if (this.#token?.value === token) this.#token = undefined;
  }

  async #fetch(): Promise<string> {
    const { clientId, clientSecret, tokenUrl, receiver } = this.#settings;
    const scope = receiver === undefined ? SCOPES : `${SCOPES} ${PIX_AUTOMATICO_SCOPES}`;
    const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
    const request = {
      method: 'POST',
      headers: {
        authorization: `Basic ${credentials.toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    } as const;
    const { status, text } = await this.#connections.send(tokenUrl, request, AbortSignal.timeout(TIMEOUT_MS));
    const token = status < 300 ? parseAs(Token, parseJson(text)) : undefined;
    if (token === undefined)
      throw new Error(`the token endpoint responded with HTTP ${status} without a token`);
    const lifetimeMs = (token.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1_000;
    // A short-lived token is used for at least half of its lifetime.
    const usableMs = Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs / 2);
    this.#token = { value: token.access_token, usableUntilMs: performance.now() + usableMs };
    return token.access_token;
  }
}

/** RFC 6749 2.3.1: credentials are form-encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
