import { call, type Payment } from './api.ts';
import { tellHost } from './embedding.ts';
import { announce, enableCopying, find, findOptional, pageElement, showPage } from './page.ts';
import { refusalText } from './refusals.ts';
import { formatDuration, texts } from './texts.ts';

/** The page of a payment: it waits for a change, and shows it. */

const WAIT_SECONDS = 25;
const MIN_INTERVAL_MS = 1_000;
const MAX_RETRY_MS = 10_000;
const OPEN = new Set(['PENDING', 'WAITING_PAYMENT', 'PROCESSING', 'AUTHORIZED']);

/** Ends the work for the page that was shown before. */
let stop = new AbortController();

export function startPayment(): void {
  stop.abort();
  stop = new AbortController();
  const { token = '', status = '', state, seconds } = pageElement().dataset;
  enableCopying();
  // Links to other pages keep the site that embeds them.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/pay/"]'))
    link.search = location.search;
  enableRenewal(token);
  if (state === 'PAID') tellHost({ type: 'vereda:paid', paymentToken: token, status });
  if (state === 'FAILED') tellHost({ type: 'vereda:failed', paymentToken: token, status });
  if (seconds !== undefined) countDown(Number(seconds), stop.signal);
  // A code that has just expired may have been paid in time.
  if (OPEN.has(status)) void follow(token, status, stop.signal);
}

function countDown(seconds: number, signal: AbortSignal): void {
  const endMs = performance.now() + seconds * 1_000;
  const timer = setInterval(() => {
    const left = Math.ceil((endMs - performance.now()) / 1_000);
    const element = findOptional('countdown');
    if (left <= 0) {
      clearInterval(timer);
      void reload();
    } else if (element !== null) {
      element.textContent = `${texts.expiresIn} ${formatDuration(left)}`;
    }
  }, 1_000);
  signal.addEventListener('abort', () => clearInterval(timer));
}

async function reload(): Promise<boolean> {
  const shown = await showPage(location.pathname);
  if (shown) startPayment();
  return shown;
}

/** Waits for a change of the payment, however often the connection is lost. */
async function follow(token: string, status: string, signal: AbortSignal): Promise<void> {
  let isOffline = false;
  let retryMs = MIN_INTERVAL_MS;
  const hadCode = findOptional('pix') !== null || pageElement().dataset['state'] === 'EXPIRED';
  while (!signal.aborted) {
    const startMs = performance.now();
    // A lost connection is retried without a wait, so that the page soon shows its return.
    const wait: number = isOffline ? 0 : WAIT_SECONDS;
    const response = await call<Payment>(`/v1/public/payments/${token}?wait=${wait}`, {
      signal: AbortSignal.any([signal, wakeUp(), AbortSignal.timeout((WAIT_SECONDS + 10) * 1_000)]),
    });
    if (signal.aborted) return;
    const isReached = typeof response === 'object' && 'data' in response;
    if (isReached) {
      const { data } = response;
      const isChanged = data.status !== status || (!hadCode && data.pix !== null);
      if (isChanged && (await reload())) return;
      retryMs = MIN_INTERVAL_MS;
    }
    // A page that comes to the front aborts the request, which is no lost connection.
    const isLost = response === 'unreachable' && (!navigator.onLine || performance.now() - startMs < retryMs);
    if (isLost !== isOffline) showConnection((isOffline = isLost));
    const spentMs = performance.now() - startMs;
    const refusedMs =
      isReached || response === 'unreachable' ? 0 : (response.refusal.retryAfter ?? 0) * 1_000;
    await pause(Math.max(refusedMs, retryMs - spentMs), signal);
    if (!isReached) retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
}

/**
 * Aborts when the page comes to the front or the network changes: connections may have died since.
 */
function wakeUp(): AbortSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const options = { signal };
  document.addEventListener('visibilitychange', () => !document.hidden && controller.abort(), options);
  for (const event of ['online', 'offline'])
    window.addEventListener(event, () => controller.abort(), options);
  return signal;
}

/** Ends early when the page comes to the front or the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    AbortSignal.any([signal, wakeUp()]).addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function showConnection(isOffline: boolean): void {
  const text = isOffline ? texts.offline : texts.online;
  announce(text);
  const waiting = findOptional('waiting');
  if (waiting === null) return;
  waiting.dataset['text'] ??= waiting.textContent;
  waiting.textContent = isOffline ? text : waiting.dataset['text'];
}

/** One tap makes a new code after the old one has expired. */
function enableRenewal(token: string): void {
  const button = findOptional('renew');
  if (!(button instanceof HTMLButtonElement)) return;
  button.hidden = false;
  button.addEventListener('click', () => void renew(button, token));
}

async function renew(button: HTMLButtonElement, token: string): Promise<void> {
  button.disabled = true;
  const response = await call<{ readonly path: string }>(`/pay/t/${token}/renewal`, { method: 'POST' });
  if (typeof response === 'object' && 'data' in response && (await showPage(response.data.path))) {
    startPayment();
    return;
  }
  button.disabled = false;
  find('problem').textContent =
    typeof response === 'object' && 'refusal' in response
      ? refusalText(response.refusal)
      : texts.noConnection;
}
