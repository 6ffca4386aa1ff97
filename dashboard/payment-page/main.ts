import { reportHeight } from './embedding.ts';
import { startLink } from './link.ts';
import { pageElement } from './page.ts';
import { startPayment } from './payment.ts';
import { startSubscription } from './subscription.ts';

/** The script of the payment page. It stores nothing, and loads nothing but the page itself. */

function start(): void {
  const { page } = pageElement().dataset;
  if (page === 'link') startLink();
  if (page === 'payment') startPayment();
  if (page === 'subscription') startSubscription();
}

// Another entry of the history is another page.
window.addEventListener('popstate', () => location.reload());
reportHeight();
start();
