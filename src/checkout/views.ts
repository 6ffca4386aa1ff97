import type { Static } from 'typebox';

import { viewPublicMembers } from '#payments/payment-links/views.ts';
import type { PaymentLink } from '#payments/payment-links/service.ts';
import { paymentTokenOf, paymentUrlOf } from '#payments/transactions/payment-token.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import type { Seller } from '#sellers/seller.ts';
import type { CreatedPaymentSchema, PublicLinkSchema, PublicPaymentSchema, ReceiptSchema } from './schema.ts';

/** The payee, as payers see it. */
export interface SellerBrand {
  readonly name: string;
  readonly logoUrl: string | null;
}

export const viewPublicLink = (
  link: PaymentLink,
  seller: SellerBrand,
  { publicUrl, now }: { readonly publicUrl: string; readonly now: Date },
): Static<typeof PublicLinkSchema> => ({ ...viewPublicMembers(link, publicUrl, now), seller });

/** What a payer sees of a payment. It contains no id, and nothing of the seller's own. */
export function viewCreatedPayment(
  transaction: Transaction,
  publicUrl: string,
): Static<typeof CreatedPaymentSchema> {
  const { pix, boleto, method } = transaction;
  return {
    paymentToken: paymentTokenOf(transaction),
    paymentUrl: paymentUrlOf(transaction, publicUrl),
    status: transaction.status,
    statusReason: transaction.statusReason,
    amount: transaction.amount,
    method,
    installments: transaction.installments,
    pix:
      pix === null || method !== 'PIX'
        ? null
        : { qrcode: pix.code, qrcodeUrl: `${pix.location}.png`, expirationDate: pix.expiresAt.toISOString() },
    boleto:
      boleto === null
        ? null
        : {
            url: boleto.location,
            pdf: `${boleto.location}.pdf`,
            barcode: `${boleto.location}/barcode.png`,
            digitableLine: boleto.digitableLine,
            expirationDate: boleto.expiresAt.toISOString(),
          },
  };
}

export interface PaymentPage {
  readonly seller: SellerBrand;
  readonly successUrl: string | null;
  readonly publicUrl: string;
}

export function viewPublicPayment(
  transaction: Transaction,
  { seller, successUrl, publicUrl }: PaymentPage,
): Static<typeof PublicPaymentSchema> {
  const { card } = transaction;
  return {
    ...viewCreatedPayment(transaction, publicUrl),
    refundedAmount: transaction.refundedAmount,
    description: transaction.description,
    card: card === null ? null : { brand: card.brand, lastFour: card.lastFour },
    paidAt: transaction.paidAt?.toISOString() ?? null,
    createdAt: transaction.createdAt.toISOString(),
    successUrl,
    seller,
  };
}

export type Receipt = Static<typeof ReceiptSchema>;

/** The receipt of a payment; undefined if it has not been paid. */
export function viewReceipt(
  transaction: Transaction,
  seller: Pick<Seller, 'document' | 'documentType'> & { readonly name: string },
): Receipt | undefined {
  const { paidAt, card, customer, pixReceipt } = transaction;
  if (paidAt === null) return undefined;
  const { documentType } = seller;
  return {
    amount: transaction.amount,
    refundedAmount: transaction.refundedAmount,
    method: transaction.method,
    installments: transaction.installments,
    description: transaction.description,
    paidAt: paidAt.toISOString(),
    seller: {
      name: seller.name,
      document: documentType === 'CPF' ? maskDocument('CPF', seller.document) : seller.document,
    },
    payer: { name: customer.name, document: maskDocument(customer.documentType, customer.document) },
    endToEndId: pixReceipt?.endToEndId ?? null,
    card:
      card === null
        ? null
        : {
            brand: card.brand,
            lastFour: card.lastFour,
            authorizationCode: card.authorizationCode,
            nsu: card.nsu,
          },
  };
}
