import { newId } from '#platform/kit/ids.ts';
import { createSender } from '#webhooks/sender.ts';
import { signatureHeaders, signingKey } from '#webhooks/signature.ts';

const TIMEOUT_MS = 10_000;

/** Where the heads of the ledger's chains are sent. */
export interface LedgerHeadTarget {
  readonly url: string;
  /** `whsec_…`, which signs the requests. */
  readonly secret: string;
}

/** Returns the function that posts heads to the operator's receiver, signed like a webhook. */
export function createHeadSender(
  { url, secret }: LedgerHeadTarget,
  ca?: string,
): (heads: readonly string[]) => Promise<void> {
  // The operator chooses the address, which is often an internal one.
  const sender = createSender({
    allowPrivate: true,
    timeoutMs: TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  const keys = [signingKey(secret)];
  return async (heads) => {
    const body = JSON.stringify({ heads });
    const nowMs = Date.now();
    const headers = signatureHeaders({
      id: newId(nowMs),
      timestampSeconds: Math.floor(nowMs / 1000),
      body,
      keys,
    });
    const { ok, error } = await sender.post({ url, body, headers });
    if (!ok) throw new Error(`LEDGER_HEAD_URL did not accept the heads of the ledger: ${error ?? 'unknown'}`);
  };
}
