import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { bankName, beneficiaryCode, type BoletoAgreement } from '#formats/boleto/agreement.ts';
import type { BoletoDocument, BoletoParty } from '#formats/boleto/document.ts';
import {
  boletoNotice,
  renderBoletoPage,
  renderUnknownBoletoPage,
  type BoletoPage,
} from '#formats/boleto/html-page.ts';
import type { BoletoPageStatus } from '#formats/boleto/html-page-texts.ts';
import { renderBoletoPdf } from '#formats/boleto/pdf.ts';
import { renderBarcodePng } from '#formats/boleto/barcode-image.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { opensBoleto, transactionIdOfToken } from '#payments/boletos/public-address.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { PUBLIC_IMAGE, sendCacheable } from '#platform/http/caching.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import type { Clock } from '#platform/kit/clock.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import { renderQrPng } from '#qr';
import type { SellersService } from '#sellers/service.ts';
import { TransactionNotFoundError } from './errors.ts';
import { payerStateOf } from './payer-state.ts';
import type { TransactionsService } from './service.ts';
import type { BoletoPayment, PixPayment, Transaction } from './transaction.ts';
import { VERSION } from '#platform/kit/version.ts';

interface BoletoRouteDeps {
  readonly transactions: TransactionsService;
  readonly sellers: SellersService;
  readonly clock: Clock;
  readonly agreement: BoletoAgreement;
}

/** A boleto with its transaction and seller. */
interface PrintableBoleto {
  readonly transaction: Transaction;
  readonly boleto: BoletoPayment;
  /** Null if no Pix provider is configured. */
  readonly pix: PixPayment | null;
  readonly seller: Party;
}

interface Party {
  readonly name: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
}

const PAGE_POLICY = pageContentSecurityPolicy(
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
);

/** For the PDF viewers of browsers, which render a document with their own styles and objects. */
const PDF_POLICY = pageContentSecurityPolicy(
  "object-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
);

const publicRoute = {
  config: { access: 'public' as const },
  schema: { hide: true, params: Type.Object({ token: Type.String() }) },
};

/**
 * The payer's views of a boleto. Public, since payers are not users: the unguessable token in the
 * URL is the authorization. It ends some days after the payment.
 */
export function boletoRoutes(app: App, deps: BoletoRouteDeps): void {
  registerPage(app, deps);
  registerImages(app, deps);
}

/**
 * The page in the browser's language, or the PDF, which is Portuguese, if the URL ends with `.pdf`.
 */
function registerPage(app: App, deps: BoletoRouteDeps): void {
  app.get('/boletos/:token', publicRoute, async (request, reply) => {
    const { token } = request.params;
    const pdfToken = /^(.+)\.pdf$/.exec(token)?.[1];
    if (pdfToken !== undefined)
      return sendPdf(request, reply, toDocument(await getBoleto(deps, pdfToken), deps));
    const boleto = await findBoleto(deps, token);
    const acceptsHtml = request.headers.accept?.includes('text/html') === true;
    if (boleto === undefined && !acceptsHtml) throw new TransactionNotFoundError();
    const language = preferredLanguage(request.headers['accept-language']);
    const html =
      boleto === undefined
        ? renderUnknownBoletoPage(language)
        : renderBoletoPage(toPage(boleto, deps.clock.now()), language);
    return reply
      .code(boleto === undefined ? 404 : 200)
      .header('content-security-policy', PAGE_POLICY)
      .header('content-language', language)
      .header('vary', 'accept-language')
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

function sendPdf(request: FastifyRequest, reply: FastifyReply, document: BoletoDocument) {
  // The document names the payer and changes when the boleto must not be paid any more, so that
  // shared caches must not store it and browsers must revalidate it.
  const options = {
    type: 'application/pdf',
    from: VERSION + JSON.stringify(document),
    control: 'private, no-cache',
    headers: {
      'content-disposition': `inline; filename="boleto-${document.ourNumber}.pdf"`,
      'content-security-policy': PDF_POLICY,
    },
  };
  return sendCacheable(request, reply, options, () => renderBoletoPdf(document));
}

function registerImages(app: App, deps: BoletoRouteDeps): void {
  app.get('/boletos/:token/barcode.png', publicRoute, async (request, reply) => {
    const { barcode } = (await getBoleto(deps, request.params.token)).boleto;
    return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: barcode }, () => renderBarcodePng(barcode));
  });

  app.get('/boletos/:token/qrcode.png', publicRoute, async (request, reply) => {
    const { pix } = await getBoleto(deps, request.params.token);
    if (pix === null) throw new TransactionNotFoundError();
    return sendCacheable(request, reply, { ...PUBLIC_IMAGE, from: pix.code }, () => renderQrPng(pix.code));
  });
}

async function getBoleto(deps: BoletoRouteDeps, token: string): Promise<PrintableBoleto> {
  const boleto = await findBoleto(deps, token);
  if (boleto === undefined) throw new TransactionNotFoundError();
  return boleto;
}

async function findBoleto(
  { transactions, sellers, clock }: BoletoRouteDeps,
  token: string,
): Promise<PrintableBoleto | undefined> {
  const id = transactionIdOfToken(token);
  const transaction = id === undefined ? undefined : await transactions.findById(id);
  if (transaction === undefined || !opensBoleto(token, transaction, clock.now())) return undefined;
  if (transaction.boleto === null) return undefined;
  const seller = await sellers.find(transaction.sellerId);
  if (seller === undefined) throw new Error(`the seller of transaction ${transaction.id} does not exist`);
  return { transaction, boleto: transaction.boleto, pix: transaction.pix, seller };
}

function pageStatusOf(transaction: Transaction, now: Date): BoletoPageStatus {
  const state = payerStateOf(transaction);
  if (state !== 'WAITING') return state;
  const { expiresAt, boleto } = transaction;
  if (expiresAt !== null && expiresAt <= now) return 'EXPIRED';
  return boleto?.registration === 'PENDING' ? 'UNREGISTERED' : 'WAITING';
}

function toPage({ transaction, boleto, pix, seller }: PrintableBoleto, now: Date): BoletoPage {
  const { customer } = transaction;
  // Relative to the page, whose policy allows its own host only and which may have several names.
  const token = boleto.location.slice(boleto.location.lastIndexOf('/') + 1);
  return {
    status: pageStatusOf(transaction, now),
    amountCents: transaction.amount,
    dueDate: boleto.dueDate,
    beneficiary: toBoletoParty(seller),
    payer: toMaskedParty(customer),
    description: transaction.description,
    instructions: [boleto.instructions],
    digitableLine: boleto.digitableLine,
    barcodeUrl: `${token}/barcode.png`,
    pdfUrl: `${token}.pdf`,
    pix: pix === null ? null : { code: pix.code, pictureUrl: `${token}/qrcode.png` },
  };
}

function toDocument(
  { transaction, boleto, pix, seller }: PrintableBoleto,
  { agreement, clock }: Pick<BoletoRouteDeps, 'agreement' | 'clock'>,
): BoletoDocument {
  const createdOn = saoPauloDate(transaction.createdAt);
  const pageStatus = pageStatusOf(transaction, clock.now());
  const notice = boletoNotice(pageStatus);
  // Banks expect the whole document while the boleto can be paid.
  const isPayable = pageStatus === 'WAITING' || pageStatus === 'UNREGISTERED';
  return {
    notice,
    barcode: boleto.barcode,
    dueDate: boleto.dueDate,
    bankName: bankName(agreement),
    beneficiary: toBoletoParty(seller),
    beneficiaryCode: beneficiaryCode(agreement),
    payer: isPayable ? toBoletoParty(transaction.customer) : toMaskedParty(transaction.customer),
    guarantor: null,
    ourNumber: boleto.ourNumber,
    wallet: agreement.wallet,
    documentNumber: transaction.id.slice(-12),
    documentKind: transaction.items.every(({ tangible }) => tangible) ? 'DM' : 'DS',
    accepted: false,
    issuedOn: createdOn,
    processedOn: createdOn,
    paymentPlace: notice ?? 'Pagável em qualquer banco até o vencimento',
    instructions: [boleto.instructions],
    statement: transaction.items.slice(0, 20).map(({ title, quantity }) => `${quantity} × ${title}`),
    brCode: notice === null && pix !== null ? pix.code : null,
    createdAt: transaction.createdAt,
  };
}

const toMaskedParty = ({ name, documentType, document }: Party) => ({
  name,
  document: `${documentType} ${maskDocument(documentType, document)}`,
  address: null,
});

function toBoletoParty({ name, documentType, document }: Party): BoletoParty {
  const formatted =
    documentType === 'CPF'
      ? document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
      : document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
  return { name, document: `${documentType} ${formatted}`, address: null };
}
