import type { Tracing } from '#platform/telemetry/tracing.ts';
import type { Sender } from '#webhooks/sender.ts';

/**
 * Wraps a sender so that each request starts a trace, without its URL, which may contain secrets.
 */
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
