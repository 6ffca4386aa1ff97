import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly apiKey: string;
}

/** The requests to send. */
export type Work =
  /**
   * Pix or card transactions, sellers in turn, each request with its own Idempotency-Key and
   * amount.
   */
  | { readonly kind: 'create'; readonly apiKeys: readonly string[] }
  | { readonly kind: 'create-card'; readonly apiKeys: readonly string[] }
  /**
   * Pix withdrawals of this amount in cents, sellers in turn, each request with its own
   * Idempotency-Key.
   */
  | { readonly kind: 'withdraw'; readonly apiKeys: readonly string[]; readonly amount: number }
  /** Each call once; the round ends early when all are done. */
  | { readonly kind: 'once'; readonly calls: readonly Call[] }
  /** The calls in a loop. */
  | { readonly kind: 'repeat'; readonly calls: readonly Call[] };

export interface LoadPlan {
  /** Of the gateway; of several processes, which share the connections. */
  readonly port: number | readonly number[];
  /** Keep-alive connections, each with one request in flight. */
  readonly callers: number;
  readonly seconds: number;
  /** Any other response is an error, except `refusal`. */
  readonly status: number;
  /** The status of an expected rejection. */
  readonly refusal?: number;
  readonly work: Work;
  /** Ends the round early after this many requests. */
  readonly limit?: number;
}

export interface LoadResult {
  /** Expected responses before the end of the round. */
  readonly answered: number;
  /** Responses with `refusal`, including those after the end. */
  readonly refused: number;
  /** Expected responses, including those after the end. */
  readonly done: number;
  readonly seconds: number;
  /** Latency of each response in milliseconds, unordered. */
  readonly latencies: Float64Array;
  readonly errors: number;
  readonly firstError: string | undefined;
}

export type LoadReply = { readonly result: LoadResult } | { readonly failure: string };

export interface Load {
  /** Runs one round. Fails if any response is unexpected. */
  run(plan: LoadPlan): Promise<LoadResult>;
  stop(): void;
}

/**
 * Runs the load generator in a separate process, so that its event loop does not delay the
 * measurement.
 */
export function startLoad(): Load {
  const child = fork(new URL('load-child.ts', import.meta.url), { serialization: 'advanced' });
  const gone = once(child, 'exit').then((): [LoadReply] => [{ failure: 'its process has ended' }]);
  return {
    async run(plan) {
      child.send(plan);
      const [reply]: LoadReply[] = await Promise.race([once(child, 'message'), gone]);
      if (reply === undefined) throw new Error('the load answered nothing');
      if ('failure' in reply) throw new Error(`the load ended: ${reply.failure}`);
      const { result } = reply;
      if (result.errors > 0) {
        throw new Error(`${result.errors} answers were not ${plan.status}; the first: ${result.firstError}`);
      }
      return result;
    },
    stop: () => child.kill(),
  };
}

export const rateOf = ({ answered, seconds }: LoadResult): number => answered / seconds;
