/** A refusal by the gateway. `messages` are its own words; `words/errors.ts` says them in the reader's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly messages: readonly string[];
  /** Seconds after which the request may be repeated; of a 429 or 503. */
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;

  constructor(response: Response, body: unknown) {
    const messages = messagesOf(body) ?? [response.statusText];
    super(messages.join('; '));
    this.status = response.status;
    this.messages = messages;
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(after) ? after : undefined;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

/** The gateway cannot be reached. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** Somebody signed out while a request waited for a new sign-in. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

function messagesOf(body: unknown): readonly string[] | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  const { message } = body;
  if (typeof message === 'string') return [message];
  if (Array.isArray(message)) return message.map(String);
  return undefined;
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  return new ApiError(response, body);
}
