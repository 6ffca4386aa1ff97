/**
 * `<vereda-checkout code="…">`: the payment page of a link in a frame that fits its height. It
 * emits `vereda:paid` and `vereda:failed`. Card data are entered in the frame: the embedding page
 * cannot read them.
 */
import type { EmbedMessage } from './embedding.ts';

const script = document.currentScript;
const { origin, pathname } = new URL(script instanceof HTMLScriptElement ? script.src : location.href);
const base = origin + pathname.replace(/\/checkout\.js$/, '');
const INITIAL_HEIGHT = 640;
const MAX_HEIGHT = 20_000;

class VeredaCheckout extends HTMLElement {
  static readonly observedAttributes = ['code'];
  #frame: HTMLIFrameElement | undefined;

  connectedCallback(): void {
    window.addEventListener('message', this.#receive);
    this.#show();
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#receive);
    this.#frame?.remove();
    this.#frame = undefined;
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#show();
  }

  #show(): void {
    this.#frame?.remove();
    this.#frame = undefined;
    const code = this.getAttribute('code');
    if (code === null || code === '') return;
    const frame = document.createElement('iframe');
    frame.src = `${base}/pay/${encodeURIComponent(code)}?embed=${encodeURIComponent(location.origin)}`;
    frame.title = this.getAttribute('title') ?? 'Vereda';
    frame.allow = 'clipboard-write';
    frame.style.cssText = `border:0;display:block;width:100%;height:${INITIAL_HEIGHT}px`;
    this.append(frame);
    this.#frame = frame;
  }

  readonly #receive = ({ origin: sender, source, data }: MessageEvent<EmbedMessage | null>): void => {
    const frame = this.#frame;
    if (frame === undefined || sender !== origin || source !== frame.contentWindow) return;
    if (data?.type === 'vereda:height' && Number.isFinite(data.height))
      frame.style.height = `${Math.min(Math.max(data.height, 0), MAX_HEIGHT)}px`;
    if (data?.type === 'vereda:paid' || data?.type === 'vereda:failed') {
      const { type, paymentToken, status } = data;
      this.dispatchEvent(
        new CustomEvent(type, { detail: { paymentToken, status }, bubbles: true, composed: true }),
      );
    }
  };
}

if (customElements.get('vereda-checkout') === undefined)
  customElements.define('vereda-checkout', VeredaCheckout);
