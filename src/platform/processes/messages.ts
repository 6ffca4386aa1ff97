import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** What the processes of one gateway tell each other. */

export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** One question to the limiter that all share. */
export interface RateCall {
  readonly op: 'consume' | 'get' | 'reward' | 'delete';
  readonly key: string;
  readonly windowSeconds: number;
}

export interface RateResult {
  readonly used: number;
  readonly msLeft: number;
}

export type ChildMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'deliveries' }
  | { readonly kind: 'rates'; readonly id: number; readonly calls: readonly RateCall[] }
  /** Asks for the metrics of all processes together. */
  | { readonly kind: 'metrics'; readonly id: number }
  | { readonly kind: 'own-metrics'; readonly id: number; readonly metrics: Metrics };

export type PrimaryMessage =
  /** Asks it to say that it is about to stop, and to stop after so long. */
  | { readonly kind: 'stop'; readonly drainMs: number }
  | { readonly kind: 'rates'; readonly id: number; readonly results: readonly (RateResult | null)[] }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Asks a process for its own metrics. */
  | { readonly kind: 'own-metrics'; readonly id: number };
