import type { Tracing } from '#platform/telemetry/tracing.ts';
import type { Sender } from '#webhooks/sender.ts';

/**
 * Wraps a sender so that each request has a span, without its URL, which may contain secrets. The
 * span continues the trace in which the event was written, or else starts a trace.
 */
export function tracedSender(sender: Sender, tracing: Tracing | undefined): Sender {
  if (tracing === undefined) return sender;
  return {
    ...sender,
    post: (request) => {
      const { traceParent = null } = request;
      const origin = traceParent === null ? { root: true } : { parent: traceParent };
      return tracing.span('webhook POST', { ...origin, client: true }, async (setAttributes) => {
        const result = await sender.post(request);
        setAttributes({
          'webhook.result': result.ok ? 'delivered' : result.statusCode === null ? 'unanswered' : 'refused',
          ...(result.statusCode === null ? {} : { 'http.response.status_code': result.statusCode }),
        });
        return result;
      });
    },
  };
}
