/** The part of the public API that the page calls. */

export interface FieldProblem {
  readonly path: string;
  readonly code: string;
}

export interface Refusal {
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** Seconds to wait, or null. */
  readonly retryAfter: number | null;
}

export interface Payment {
  readonly paymentToken: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly amount: number;
  readonly method: string;
  readonly pix: object | null;
}

export type Answer<T> = { readonly data: T } | { readonly refusal: Refusal } | 'unreachable';

/** Calls the gateway. A lost connection and an unavailable gateway are `unreachable`. */
export async function call<T>(path: string, init: RequestInit = {}): Promise<Answer<T>> {
  try {
    const response = await fetch(path, { ...init, credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (response.status >= 500) return 'unreachable';
    const body = await response.json();
    if (response.ok) return { data: body.data };
    const retryAfter = response.headers.get('retry-after');
    return {
      refusal: {
        code: String(body.code),
        fields: body.errors ?? [],
        retryAfter: retryAfter === null ? null : Number(retryAfter),
      },
    };
  } catch {
    return 'unreachable';
  }
}
