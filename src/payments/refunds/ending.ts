/** How refunds through a provider of others end, for whoever hears its last word. */
export { dateRefund, endRefund } from './store.ts';
