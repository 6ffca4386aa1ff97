export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'HELD'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly event: string;
  readonly recordId: string;
  /** Null for a delivery to the postback URL of a transaction. */
  readonly webhookId: string | null;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** Number of attempts made. */
  readonly attempts: number;
  /** When the next attempt is due. Only meaningful while PENDING. */
  readonly dueAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Attempt {
  /** Starts at 1. */
  readonly number: number;
  readonly at: Date;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
}

export interface DeliveryWithAttempts extends Delivery {
  /** The request body, byte for byte. */
  readonly payload: string;
  readonly log: readonly Attempt[];
}

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly webhookId: string | undefined;
  readonly recordId: string | undefined;
  readonly event: string | undefined;
  /** Inclusive start and exclusive end of the creation time. */
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

/** The current state of a record as an event. */
export interface EventSnapshot {
  readonly recordId: string;
  readonly type: string;
  readonly payload: string;
  /** The record's own postback URL, and the endpoint whose concurrency limit applies to it. */
  readonly postback: { readonly url: string; readonly endpoint: string } | null;
}
