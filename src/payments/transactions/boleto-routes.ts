import { Type } from 'typebox';

import { bankName, beneficiaryCode, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import type { BoletoDocument, BoletoParty } from '#formats/boleto/document.ts';
import {
  boletoNotice,
  renderBoletoPage,
  renderUnknownBoletoPage,
  type BoletoPage,
  type BoletoPageStatus,
} from '#formats/boleto/html-page.ts';
import { renderBoletoPdf } from '#formats/boleto/pdf.ts';
import { renderBarcodePng } from '#formats/boleto/barcode-image.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { PUBLIC_IMAGE, sendCacheable } from '#platform/http/caching.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { renderQrPng } from '#formats/pix/qr-png.ts';
import type { SellersService } from '#sellers/service.ts';
import { TransactionNotFoundError } from './errors.ts';
import type { TransactionsService } from './service.ts';
import type { BoletoPayment, PixPayment, Status, Transaction } from './transaction.ts';
import { VERSION } from '#platform/kit/version.ts';

interface BoletoRouteDeps {
  readonly transactions: TransactionsService;
  readonly sellers: SellersService;
  readonly agreement: BoletoAgreement;
}

/** A charge that is a boleto, with the seller it is for. */
interface PrintableBoleto {
  readonly transaction: Transaction;
  readonly boleto: BoletoPayment;
  /** Null where no rail for PIX is set up. */
  readonly pix: PixPayment | null;
  readonly seller: {
    readonly name: string;
    readonly documentType: 'CPF' | 'CNPJ';
    readonly document: string;
  };
}

const POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
);

/** For the viewers of browsers, which draw a document with styles and objects of their own. */
const PDF_POLICY = pageContentSecurityPolicy(
  "object-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
);

/** What a payer sees of a boleto. The address is known to whoever was given it: payers are nobody's users. */
export function boletoRoutes(app: App, { transactions, sellers, agreement }: BoletoRouteDeps): void {
  const page = {
    config: { access: 'public' as const },
    schema: { hide: true, params: Type.Object({ id: Type.String() }) },
  };

  async function findOrThrow(id: string): Promise<PrintableBoleto> {
    const found = await find(id);
    if (found === undefined) throw new TransactionNotFoundError();
    return found;
  }

  async function find(id: string): Promise<PrintableBoleto | undefined> {
    const transaction = await transactions.findById(id);
    if (transaction?.boleto === undefined || transaction.boleto === null) {
      return undefined;
    }
    const seller = await sellers.find(transaction.sellerId);
    if (seller === undefined) throw new Error('a charge has no seller');
    return { transaction, boleto: transaction.boleto, pix: transaction.pix, seller };
  }

  app.get('/boletos/:id', page, async (request, reply) => {
    const { id } = request.params;
    const pdfOf = /^(.+)\.pdf$/.exec(id)?.[1];
    if (pdfOf !== undefined) {
      const found = await findOrThrow(pdfOf);
      const document = documentOf(found, agreement);
      // It names the payer, and says so once it must not be paid: kept by nobody between, and asked for again each time.
      const cacheOptions = {
        type: 'application/pdf',
        from: VERSION + JSON.stringify(document),
        control: 'private, no-cache',
        headers: {
          'content-disposition': `inline; filename="boleto-${found.boleto.ourNumber}.pdf"`,
          'content-security-policy': PDF_POLICY,
        },
      };
      return sendCacheable(request, reply, cacheOptions, () => renderBoletoPdf(document));
    }
    const found = await find(id);
    const inBrowser = request.headers.accept?.includes('text/html') === true;
    if (found === undefined && !inBrowser) throw new TransactionNotFoundError();
    const html = found === undefined ? renderUnknownBoletoPage() : renderBoletoPage(pageOf(found));
    return reply
      .code(found === undefined ? 404 : 200)
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .send(html);
  });

  app.get('/boletos/:id/barcode.png', page, async (request, reply) => {
    const { boleto } = await findOrThrow(request.params.id);
    return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: boleto.barcode }, () =>
      renderBarcodePng(boleto.barcode),
    );
  });

  app.get('/boletos/:id/qrcode.png', page, async (request, reply) => {
    const { pix } = await findOrThrow(request.params.id);
    if (pix === null) throw new TransactionNotFoundError();
    return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: pix.code }, () => renderQrPng(pix.code));
  });
}

const PAGE_STATUS: Readonly<Record<Status, BoletoPageStatus>> = {
  PENDING: 'WAITING',
  WAITING_PAYMENT: 'WAITING',
  PROCESSING: 'PROCESSING',
  AUTHORIZED: 'PROCESSING',
  PAID: 'PAID',
  DISPUTE: 'PAID',
  FAILED: 'FAILED',
  REFUSED: 'FAILED',
  REFUNDED: 'REFUNDED',
  CHARGEDBACK: 'REFUNDED',
};

function pageStatus({ status, statusReason, boleto }: Transaction): BoletoPageStatus {
  if (status === 'FAILED' && statusReason === 'expired') return 'EXPIRED';
  if (status === 'FAILED' && statusReason === 'cancelled') return 'CANCELLED';
  const page = PAGE_STATUS[status];
  return page === 'WAITING' && boleto?.registration === 'PENDING' ? 'UNREGISTERED' : page;
}

function pageOf({ transaction, boleto, pix, seller }: PrintableBoleto): BoletoPage {
  const { customer } = transaction;
  return {
    status: pageStatus(transaction),
    amountCents: transaction.amount,
    dueDate: boleto.dueDate,
    beneficiary: partyOf(seller),
    payer: {
      name: customer.name,
      document: `${customer.documentType} ${maskDocument(customer.documentType, customer.document)}`,
    },
    description: transaction.description,
    instructions: [boleto.instructions],
    digitableLine: boleto.digitableLine,
    barcodeUrl: `${boleto.location}/barcode.png`,
    pdfUrl: `${boleto.location}.pdf`,
    pix: pix === null ? null : { code: pix.code, pictureUrl: `${boleto.location}/qrcode.png` },
  };
}

function documentOf(
  { transaction, boleto, pix, seller }: PrintableBoleto,
  agreement: BoletoAgreement,
): BoletoDocument {
  const day = saoPauloDate(transaction.createdAt);
  const notice = boletoNotice(pageStatus(transaction));
  return {
    notice,
    barcode: boleto.barcode,
    dueDate: boleto.dueDate,
    bankName: bankName(agreement),
    beneficiary: partyOf(seller),
    beneficiaryCode: beneficiaryCode(agreement),
    payer: partyOf(transaction.customer),
    guarantor: null,
    ourNumber: boleto.ourNumber,
    wallet: agreement.wallet,
    documentNumber: transaction.id.slice(-12),
    documentKind: transaction.items.every(({ tangible }) => tangible) ? 'DM' : 'DS',
    accepted: false,
    issuedOn: day,
    processedOn: day,
    paymentPlace: notice ?? 'Pagável em qualquer banco até o vencimento',
    instructions: [boleto.instructions],
    statement: transaction.items.slice(0, 20).map(({ title, quantity }) => `${quantity} × ${title}`),
    brCode: notice === null && pix !== null ? pix.code : null,
    createdAt: transaction.createdAt,
  };
}

interface Party {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
}

function partyOf({ name, documentType, document }: Party): BoletoParty {
  const text =
    documentType === 'CPF'
      ? document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
      : document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
  return { name, document: `${documentType} ${text}`, address: null };
}
