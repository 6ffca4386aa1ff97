import { KeyedMutex } from '#platform/database/keyed-mutex.ts';
import type { Credential, CredentialHolder, Principal } from './principal.ts';
import { rateLimitAddress, stricterLimit, type RateLimiter, type RateLimitState } from './rate-limiter.ts';

const ANONYMOUS_REQUESTS_PER_MINUTE = 120;
/** Of a user of a seller in the dashboard. */
const BROWSER_REQUESTS_PER_MINUTE = 600;

interface Limit {
  readonly key: string;
  readonly perMinute: number;
}

export interface AuthenticatedRequest {
  /** Undefined if the credential is missing or invalid. */
  readonly principal: Principal | undefined;
  /** The limit that the request was counted against. If it is exceeded, nothing was looked up. */
  readonly rate: RateLimitState;
}

/**
 * Counts requests and authenticates them, in this order, so that a caller above its limit costs no
 * database query. A request whose credential turns out to be invalid counts for its address
 * instead.
 */
export class RequestLimits {
  readonly #rateLimiter: RateLimiter;
  readonly #operatorRequestsPerMinute: number;
  readonly #lookups = new KeyedMutex();

  constructor(rateLimiter: RateLimiter, operatorRequestsPerMinute: number) {
    this.#rateLimiter = rateLimiter;
    this.#operatorRequestsPerMinute = operatorRequestsPerMinute;
  }

  countAnonymous(address: string): Promise<RateLimitState> {
    const { key, perMinute } = anonymousLimit(address);
    return this.#rateLimiter.consume(key, perMinute);
  }

  async authenticate(
    credential: Credential | undefined,
    address: string,
    creation: boolean,
  ): Promise<AuthenticatedRequest> {
    if (credential === undefined) return { principal: undefined, rate: await this.countAnonymous(address) };
    const { holder } = credential;
    if (holder === undefined) return this.#authenticateUnknown(credential, address, creation);
    const limits = this.#limitsOf(holder, creation);
    const rate = await this.#count(limits);
    const principal = rate.exceeded ? undefined : await credential.authenticate();
    if (rate.exceeded || principal !== undefined) return { principal, rate };
    // Otherwise a revoked credential could still use up the limits of its former holder.
    await Promise.all(limits.map(({ key }) => this.#rateLimiter.release(key)));
    return { principal, rate: await this.countAnonymous(address) };
  }

  /**
   * Looks up credentials from one address one after the other: a wrong one counts before the next
   * is looked up, and a right one never counts for the address.
   */
  async #authenticateUnknown(
    credential: Credential,
    address: string,
    creation: boolean,
  ): Promise<AuthenticatedRequest> {
    const { key, perMinute } = anonymousLimit(address);
    const outcome = await this.#lookups.runExclusive(key, async () => {
      const rate = await this.#rateLimiter.peek(key, perMinute);
      if (rate.remaining === 0) return { principal: undefined, rate: { ...rate, exceeded: true } };
      const principal = await credential.authenticate();
      return { principal, rate: principal === undefined ? await this.countAnonymous(address) : rate };
    });
    const { principal } = outcome;
    if (principal === undefined) return outcome;
    return { principal, rate: await this.#count(this.#limitsOf(principal, creation)) };
  }

  #limitsOf(holder: CredentialHolder, creation: boolean): readonly [Limit, ...Limit[]] {
    if (holder.kind === 'operator')
      return [{ key: `operator:${holder.userId}`, perMinute: this.#operatorRequestsPerMinute }];
    const { seller, userId, browser } = holder;
    const requests = browser
      ? { key: `browser:${userId}`, perMinute: BROWSER_REQUESTS_PER_MINUTE }
      : { key: `seller:${seller.id}`, perMinute: seller.requestsPerMinute };
    if (!creation) return [requests];
    return [requests, { key: `creations:${seller.id}`, perMinute: seller.creationsPerMinute }];
  }

  /**
   * A request above the first limit does not count against the others. Its wait includes theirs.
   */
  async #count([first, ...others]: readonly [Limit, ...Limit[]]): Promise<RateLimitState> {
    let state = await this.#rateLimiter.consume(first.key, first.perMinute);
    for (const { key, perMinute } of others) {
      const other = state.exceeded
        ? await this.#rateLimiter.peek(key, perMinute)
        : await this.#rateLimiter.consume(key, perMinute);
      const exceeded = state.exceeded || other.exceeded;
      state = { ...stricterLimit(state, other), exceeded };
    }
    return state;
  }
}

const anonymousLimit = (address: string): Limit => ({
  key: `address:${rateLimitAddress(address)}`,
  perMinute: ANONYMOUS_REQUESTS_PER_MINUTE,
});
