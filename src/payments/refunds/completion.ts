/** How refunds through a provider of others end, for whoever hears its last word. */
export { setRefundBookedAt, closeRefund } from './store.ts';
