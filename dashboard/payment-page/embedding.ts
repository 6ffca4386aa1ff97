/**
 * What the page reports to the site that embeds it. Without a listed origin, the browser refuses
 * the frame.
 */

export type EmbedMessage =
  | { readonly type: 'vereda:height'; readonly height: number }
  | {
      readonly type: 'vereda:paid' | 'vereda:failed';
      readonly paymentToken: string;
      readonly status: string;
    };

const target = new URLSearchParams(location.search).get('embed');

/** Sends a message to the embedding page, if it is of the origin that the address names. */
export function tellHost(message: EmbedMessage): void {
  if (window.parent !== window && target !== null && URL.canParse(target))
    window.parent.postMessage(message, new URL(target).origin);
}

export function reportHeight(): void {
  if (window.parent === window) return;
  document.documentElement.classList.add('embedded');
  new ResizeObserver(() =>
    tellHost({ type: 'vereda:height', height: Math.ceil(document.body.offsetHeight) }),
  ).observe(document.body);
}
