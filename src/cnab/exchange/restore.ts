/** What a restore of the database needs of the file exchange. */

export { describeExchange } from './shipment-export.ts';
export {
  advancePaymentReferences,
  insertSentPayment,
  markPaymentSent,
  type SentPayment,
} from './store-payments.ts';
export {
  findFileNumbers,
  openFileNumbers,
  openFirstFileNumbers,
  setLastFileNumber,
  type FileNumbers,
} from './store-shipments.ts';
