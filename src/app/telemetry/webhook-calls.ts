import type { Sender } from '#webhooks/sender.ts';
import type { Tracing } from '#platform/telemetry/tracing.ts';

/** A sender whose posts each begin a trace of their own. It names no receiver: addresses may carry secrets. */
export function tracedSender(sender: Sender, tracing: Tracing | undefined): Sender {
  if (tracing === undefined) return sender;
  return {
    ...sender,
    post: (request) =>
      tracing.span('webhook POST', { root: true, client: true }, async (setAttributes) => {
        const result = await sender.post(request);
        setAttributes({
          'webhook.result': result.ok ? 'delivered' : result.statusCode === null ? 'unanswered' : 'refused',
          ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
        });
        return result;
      }),
  };
}
