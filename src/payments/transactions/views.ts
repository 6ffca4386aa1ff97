import type { Static } from 'typebox';

import { toIso } from '#platform/kit/iso-time.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { renderQrDataUri } from '#qr';
import type { CreatedSchema, ListedSchema, SummarySchema, TransactionSchema } from './schema.ts';
import type { ListedTransaction, TransactionSummary } from './summary.ts';
import { paymentUrlOf } from './payment-token.ts';
import type {
  BoletoPayment,
  CardPayment,
  Customer,
  Item,
  PixPayer,
  PixPayment,
  Transaction,
} from './transaction.ts';

export type TransactionView = Static<typeof TransactionSchema>;

/** The API's representation of a transaction. */
export function viewTransaction(transaction: Transaction, publicUrl: string): TransactionView {
  const createdAt = toIso(transaction.createdAt);
  const updatedAt = toIso(transaction.updatedAt);
  return {
    id: transaction.id,
    amount: transaction.amount,
    netAmount: transaction.amount - transaction.feeAmount,
    feeAmount: transaction.feeAmount,
    refundedAmount: transaction.refundedAmount,
    refundingAmount: transaction.refundingAmount,
    method: transaction.method,
    status: transaction.status,
    statusReason: transaction.statusReason,
    description: transaction.description,
    installments: transaction.installments,
    metadata: transaction.metadata,
    postbackUrl: transaction.postbackUrl,
    externalRef: transaction.externalRef,
    customerId: transaction.customerId,
    paymentLinkId: transaction.paymentLinkId,
    subscriptionId: transaction.subscriptionId,
    riskStatus: transaction.riskStatus,
    paymentUrl: paymentUrlOf(transaction, publicUrl),
    customer: viewCustomer(transaction.customer, createdAt),
    items: transaction.items.map((item) => viewItem(item, transaction.id, createdAt)),
    pix:
      transaction.pix === null || transaction.method !== 'PIX'
        ? null
        : viewPix(transaction, transaction.pix, createdAt),
    boleto: transaction.boleto === null ? null : viewBoleto(transaction.boleto, transaction.id, createdAt),
    card: transaction.card === null ? null : viewCard(transaction.card, transaction.id, createdAt, updatedAt),
    paidAt: toIso(transaction.paidAt) ?? null,
    createdAt,
    updatedAt,
  };
}

/**
 * The response to a creation. It contains nothing that changes later, so that a replay returns the
 * same bytes.
 */
export function viewCreated(transaction: Transaction): Static<typeof CreatedSchema> {
  const { pix, method, publicUrl } = transaction;
  if (pix === null || method !== 'PIX') return viewTransaction(transaction, publicUrl);
  return {
    ...viewTransaction(transaction, publicUrl),
    pixQrCode: pix.code,
    pixQrCodeBase64: renderQrDataUri(pix.code),
    expiresAt: toIso(pix.expiresAt),
  };
}

export function viewSummary(summary: TransactionSummary): Static<typeof SummarySchema> {
  return {
    id: summary.id,
    amount: summary.amount,
    netAmount: summary.amount - summary.feeAmount,
    feeAmount: summary.feeAmount,
    method: summary.method,
    status: summary.status,
    installments: summary.installments,
    paidAt: toIso(summary.paidAt) ?? null,
    createdAt: toIso(summary.createdAt),
  };
}

export const viewListed = (listed: ListedTransaction): Static<typeof ListedSchema> => ({
  ...viewSummary(listed),
  customerName: listed.customerName,
  description: listed.description,
  externalRef: listed.externalRef,
  refundedAmount: listed.refundedAmount,
  ...(listed.refundingAmount > 0 ? { refundingAmount: listed.refundingAmount } : {}),
});

function viewCustomer(customer: Customer, createdAt: string) {
  return {
    id: customer.id,
    externalRef: customer.externalRef,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    documentType: customer.documentType,
    document: maskDocument(customer.documentType, customer.document),
    createdAt,
  };
}

function viewItem(item: Item, transactionId: string, createdAt: string) {
  return {
    id: item.id,
    title: item.title,
    amount: item.amount,
    quantity: item.quantity,
    tangible: item.tangible,
    externalRef: item.externalRef,
    transactionId,
    createdAt,
    updatedAt: createdAt,
  };
}

function viewPix(
  { id: transactionId, pixReceipt: receipt }: Pick<Transaction, 'id' | 'pixReceipt'>,
  pix: PixPayment,
  createdAt: string,
) {
  return {
    id: pix.id,
    qrcode: pix.code,
    qrcodeUrl: `${pix.location}.png`,
    expirationDate: toIso(pix.expiresAt),
    copyPaste: pix.code,
    endToEndId: receipt?.endToEndId ?? null,
    payer: receipt === null || receipt.payer === null ? null : viewPayer(receipt.payer),
    createdAt,
    updatedAt: createdAt,
    transactionId,
  };
}

const viewPayer = ({ name, document, ispb }: PixPayer) => ({
  name,
  document: document === null ? null : maskDocument(document.length === 11 ? 'CPF' : 'CNPJ', document),
  ispb,
});

function viewBoleto(boleto: BoletoPayment, transactionId: string, createdAt: string) {
  return {
    id: boleto.id,
    url: boleto.location,
    barcode: `${boleto.location}/barcode.png`,
    qrcode: `${boleto.location}/qrcode.png`,
    digitableLine: boleto.digitableLine,
    expirationDate: toIso(boleto.expiresAt),
    pdf: `${boleto.location}.pdf`,
    instructions: boleto.instructions,
    registration: boleto.registration,
    createdAt,
    updatedAt: createdAt,
    transactionId,
  };
}

/** The API returns no card data except the brand and the last four digits. */
function viewCard(card: CardPayment, transactionId: string, createdAt: string, updatedAt: string) {
  return {
    id: card.id,
    number: '',
    holderName: '',
    holderDocument: '',
    expirationMonth: 0,
    expirationYear: 0,
    cvv: '',
    brand: card.brand,
    lastFour: card.lastFour,
    authorizationCode: card.authorizationCode,
    nsu: card.nsu,
    createdAt,
    updatedAt,
    transactionId,
  };
}
