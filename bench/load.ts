import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly apiKey: string;
}

/** What the callers ask for. */
export type Work =
  /** PIX charges, one seller after the other, each request with its own Idempotency-Key and amount. */
  | { readonly kind: 'create'; readonly apiKeys: readonly string[] }
  /** Withdrawals by PIX of so many cents, one seller after the other, each request with its own Idempotency-Key. */
  | { readonly kind: 'withdraw'; readonly apiKeys: readonly string[]; readonly amount: number }
  /** Each call once; the round ends early when all are made. */
  | { readonly kind: 'once'; readonly calls: readonly Call[] }
  /** The calls over and over. */
  | { readonly kind: 'repeat'; readonly calls: readonly Call[] };

export interface LoadPlan {
  readonly port: number;
  /** Keep-alive connections, each of which waits for its answer before it asks again. */
  readonly callers: number;
  readonly seconds: number;
  /** Any other answer is an error, except `refusal`. */
  readonly status: number;
  /** An answer that says no, where that is no error. */
  readonly refusal?: number;
  readonly work: Work;
  /** Ends the round when so many were asked, before its time. */
  readonly most?: number;
}

export interface LoadResult {
  /** Answered as expected before the time was over. */
  readonly answered: number;
  /** Answered with `refusal`, whenever. */
  readonly refused: number;
  /** Answered as expected, whenever. */
  readonly done: number;
  readonly seconds: number;
  /** One for each answer, in milliseconds, in no order. */
  readonly latencies: Float64Array;
  readonly errors: number;
  readonly firstError: string | undefined;
}

export type LoadReply = { readonly result: LoadResult } | { readonly failure: string };

export interface Load {
  /** Runs one round. Fails if any answer was not the expected one. */
  run(plan: LoadPlan): Promise<LoadResult>;
  stop(): void;
}

/** Starts the callers in a process of their own, so that neither side's event loop holds up the other's clock. */
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
