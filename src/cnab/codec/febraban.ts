/** FEBRABAN's records, which the rules of each bank extend and override. */
import type { CollectionRules, PaymentRules } from './bank-rules.ts';
import { MOVEMENTS } from './codes.ts';
import {
  COLLECTION_HEADER,
  COLLECTION_TRAILER,
  FILE_HEADER,
  FILE_TRAILER,
  PAYMENT_HEADER,
  SEGMENT_A,
  SEGMENT_B,
  SEGMENT_B_OF_ACCOUNT,
  SEGMENT_P,
  SEGMENT_Q,
  SEGMENT_T,
  SEGMENT_U,
} from './layouts.ts';

export const COLLECTION = {
  fileHeader: FILE_HEADER,
  batchHeader: COLLECTION_HEADER,
  p: SEGMENT_P,
  q: SEGMENT_Q,
  t: SEGMENT_T,
  u: SEGMENT_U,
  trailer: COLLECTION_TRAILER,
  fileTrailer: FILE_TRAILER,
  kinds: { goods: '02', services: '04' },
  movements: MOVEMENTS,
} satisfies Partial<CollectionRules>;

export const PAYMENTS = {
  fileHeader: FILE_HEADER,
  batchHeader: PAYMENT_HEADER,
  a: SEGMENT_A,
  b: SEGMENT_B,
  bOfAccount: SEGMENT_B_OF_ACCOUNT,
  fileTrailer: FILE_TRAILER,
} satisfies Partial<PaymentRules>;
