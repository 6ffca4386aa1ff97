import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { payLink } from '#checkout/payment.ts';
import { requirePayment } from '#checkout/routes.ts';
import type { SubscriptionPageDeps } from '#checkout/subscription-routes.ts';
import { findPayerSubscription, requireSubscription } from '#checkout/subscription.ts';
import { cardLabel } from '#formats/card/brand-names.ts';
import { linkStatus, type PaymentLink } from '#payments/payment-links/service.ts';
import { payerStateOf, type PayerState } from '#payments/transactions/payer-state.ts';
import { paymentUrlOf } from '#payments/transactions/payment-token.ts';
import type { Transaction } from '#payments/transactions/service.ts';
import { preferredLanguage } from '#platform/http/accept-language.ts';
import { ok } from '#platform/http/envelope.ts';
import { HttpError, routeNotFound } from '#platform/http/errors.ts';
import { pageContentSecurityPolicy } from '#platform/http/headers.ts';
import type { App } from '#platform/http/server.ts';
import { maskDocument } from '#platform/kit/masks.ts';
import type { Mode } from '#platform/config/settings.ts';
import type { PreferencesService } from '#sellers/preferences/service.ts';
import type { Seller } from '#sellers/seller.ts';
import type { PageSeller } from './document.ts';
import { createLogoLoader, type LoadLogo } from './logo.ts';
import { renderLinkPage, renderUnpayableLinkPage } from './link-page.ts';
import { renderPaymentPage, type PageReceipt, type PaymentPage } from './payment-page.ts';
import { renderSubscriptionPage, renderUnknownSubscriptionPage } from './subscription-page.ts';
import type { PageLanguage } from './texts.ts';

export interface PageRouteDeps extends SubscriptionPageDeps {
  readonly preferences: PreferencesService;
  /** Whether logos may be loaded from private addresses. */
  readonly allowPrivate: boolean;
  readonly mode: Mode;
}

/** The payee, and the origins that may embed the page. */
interface SellerOfPage {
  readonly seller: Seller;
  readonly shown: PageSeller;
  readonly embedOrigins: readonly string[];
}

const publicPage = { access: 'public' } as const;
const LinkParams = Type.Object({ code: Type.String() });
const PaymentParams = Type.Object({ paymentToken: Type.String() });
const SubscriptionParams = Type.Object({ subscriptionToken: Type.String() });

/** The pages on which payers pay. Public: the code or the token is the authorization. */
export function paymentPageRoutes(app: App, deps: PageRouteDeps): void {
  registerLinkPage(app, deps);
  registerPaymentPage(app, deps);
  registerRenewal(app, deps);
  registerSubscriptionPage(app, deps);
  registerLogos(app, deps);
}

function registerLinkPage(app: App, deps: PageRouteDeps): void {
  app.get(
    '/pay/:code',
    { config: publicPage, schema: { hide: true, params: LinkParams } },
    async (request, reply) => {
      const language = languageOf(request);
      const link = await deps.paymentLinks.findByCode(request.params.code);
      if (link === undefined)
        return sendPage(reply.code(404), renderUnpayableLinkPage('UNKNOWN', null, language), { language });
      const of = await sellerOf(deps, link.sellerId, `/pay/${link.code}`);
      const status = of.seller.status === 'ACTIVE' ? linkStatus(link, deps.clock.now()) : 'INACTIVE';
      const html =
        status === 'ACTIVE'
          ? renderLinkPage({ ...link, asksPayer: await asksPayer(deps, link), seller: of.shown }, language)
          : renderUnpayableLinkPage(status, of.shown, language);
      return sendPage(reply, html, { ...of, language });
    },
  );
}

/** False for a link of a customer, unless its record was deleted. */
const asksPayer = async ({ customers }: PageRouteDeps, { sellerId, customerId: id }: PaymentLink) =>
  id === null || (await customers.find({ sellerId, id })) === undefined;

function registerPaymentPage(app: App, deps: PageRouteDeps): void {
  app.get(
    '/pay/t/:paymentToken',
    { config: publicPage, schema: { hide: true, params: PaymentParams } },
    async (request, reply) => {
      const language = languageOf(request);
      const { paymentToken } = request.params;
      const transaction = await findPayment(deps, paymentToken);
      if (transaction === undefined)
        return sendPage(reply.code(404), renderUnpayableLinkPage('UNKNOWN', null, language), { language });
      const of = await sellerOf(deps, transaction.sellerId, `/pay/t/${paymentToken}`);
      const link = await linkOf(deps, transaction);
      const page = toPage(
        { transaction, link, seller: of.shown, publicUrl: deps.publicUrl, now: deps.clock.now() },
        paymentToken,
      );
      return sendPage(reply, renderPaymentPage(page, language), { ...of, language });
    },
  );
}

/** No site may embed it: a hidden frame must not have a payer cancel. */
function registerSubscriptionPage(app: App, deps: PageRouteDeps): void {
  app.get(
    '/pay/s/:subscriptionToken',
    { config: publicPage, schema: { hide: true, params: SubscriptionParams } },
    async (request, reply) => {
      const language = languageOf(request);
      const { subscriptionToken: token } = request.params;
      const subscription = await deps.subscriptions.findByPayerToken(token);
      if (subscription === undefined)
        return sendPage(reply.code(404), renderUnknownSubscriptionPage(language), { language });
      const { shown: seller } = await sellerOf(deps, subscription.sellerId, `/pay/s/${token}`);
      const found = await findPayerSubscription(deps, subscription);
      const html = renderSubscriptionPage({ ...found, token, seller, now: deps.clock.now() }, language);
      return sendPage(reply, html, { language });
    },
  );
}

/**
 * A new Pix code in place of an expired one, for the same payer. Repeated, it returns the same
 * code.
 */
function registerRenewal(app: App, deps: PageRouteDeps): void {
  app.post(
    '/pay/t/:paymentToken/renewal',
    { config: publicPage, schema: { hide: true, params: PaymentParams } },
    async (request, reply) => {
      const { paymentToken } = request.params;
      const transaction = await requirePayment(deps, paymentToken);
      const link = await linkOf(deps, transaction);
      const isExpired = stateOf(transaction, deps.clock.now()) === 'EXPIRED';
      if (link === undefined || !isExpired || transaction.method !== 'PIX')
        throw new HttpError('payment_not_found');
      const { name, email, phone, documentType, document } = transaction.customer;
      const renewed = await payLink(deps, {
        code: link.code,
        body: {
          method: 'PIX',
          ...(link.amount === null ? { amount: transaction.amount } : {}),
          customer: { name, email, phone, documentType, document },
        },
        idempotencyKey: `renewal of ${paymentToken}`,
        address: request.ip,
        requestId: request.id,
      });
      const { pathname } = new URL(paymentUrlOf(renewed.transaction, deps.publicUrl));
      return reply.code(201).send(ok({ path: pathname }));
    },
  );
}

/** The seller's logo. The page loads nothing from elsewhere. */
function registerLogos(app: App, deps: PageRouteDeps): void {
  const loadLogo = createLogoLoader(deps);
  app.get(
    '/pay/:code/logo',
    { config: publicPage, schema: { hide: true, params: LinkParams } },
    async (request, reply) => {
      const link = await deps.paymentLinks.findByCode(request.params.code);
      if (link === undefined) throw new HttpError('payment_link_not_found');
      return sendLogo(reply, deps, loadLogo, link.sellerId);
    },
  );
  app.get(
    '/pay/t/:paymentToken/logo',
    { config: publicPage, schema: { hide: true, params: PaymentParams } },
    async (request, reply) => {
      const { sellerId } = await requirePayment(deps, request.params.paymentToken);
      return sendLogo(reply, deps, loadLogo, sellerId);
    },
  );
  app.get(
    '/pay/s/:subscriptionToken/logo',
    { config: publicPage, schema: { hide: true, params: SubscriptionParams } },
    async (request, reply) => {
      const { sellerId } = await requireSubscription(deps, request.params.subscriptionToken);
      return sendLogo(reply, deps, loadLogo, sellerId);
    },
  );
}

async function sendLogo(
  reply: FastifyReply,
  { preferences }: PageRouteDeps,
  loadLogo: LoadLogo,
  sellerId: string,
): Promise<FastifyReply> {
  const { logoUrl } = await preferences.get(sellerId);
  const logo = logoUrl === null ? undefined : await loadLogo(logoUrl);
  if (logo === undefined) throw routeNotFound();
  return reply.header('cache-control', 'private, max-age=600').type(logo.type).send(logo.bytes);
}

const languageOf = (request: FastifyRequest): PageLanguage =>
  preferredLanguage(request.headers['accept-language']);

interface PageOptions {
  readonly language: PageLanguage;
  readonly embedOrigins?: readonly string[];
}

/** The origins that the seller listed may embed the page, and no others. */
function sendPage(reply: FastifyReply, html: string, { language, embedOrigins = [] }: PageOptions) {
  const policy = pageContentSecurityPolicy(
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
  );
  if (embedOrigins.length > 0) reply.removeHeader('x-frame-options');
  const ancestors = embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ');
  return reply
    .header(
      'content-security-policy',
      policy.replace("frame-ancestors 'none'", `frame-ancestors ${ancestors}`),
    )
    .header('content-language', language)
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(html);
}

async function sellerOf(
  { sellers, preferences, mode }: PageRouteDeps,
  sellerId: string,
  pagePath: string,
): Promise<SellerOfPage> {
  const [context, { displayName, logoUrl, embedOrigins }] = await Promise.all([
    sellers.getContext(sellerId),
    preferences.get(sellerId),
  ]);
  if (context === undefined) throw new Error(`the seller ${sellerId} does not exist`);
  const { seller } = context;
  const name = displayName ?? seller.name;
  return {
    seller,
    shown: {
      name,
      logoPath: logoUrl === null ? null : `${pagePath}/logo`,
      legalName: seller.name,
      document: shownDocument(seller),
      isSandbox: mode === 'sandbox',
    },
    embedOrigins,
  };
}

/** A CPF is personal data, a CNPJ is public. */
function shownDocument({ documentType, document }: Pick<Seller, 'documentType' | 'document'>): string {
  return documentType === 'CPF'
    ? `CPF ${maskDocument('CPF', document)}`
    : `CNPJ ${document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')}`;
}

async function findPayment(deps: PageRouteDeps, token: string): Promise<Transaction | undefined> {
  try {
    return await requirePayment(deps, token);
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 404) return undefined;
    throw error;
  }
}

const linkOf = async (
  { paymentLinks }: PageRouteDeps,
  { sellerId, paymentLinkId }: Transaction,
): Promise<PaymentLink | undefined> =>
  paymentLinkId === null ? undefined : paymentLinks.find({ sellerId, id: paymentLinkId });

function stateOf(transaction: Transaction, now: Date): PayerState {
  const state = payerStateOf(transaction);
  if (state !== 'WAITING') return state;
  const { method, pix, boleto, expiresAt } = transaction;
  if (method === 'PIX' && pix !== null) return pix.expiresAt <= now ? 'EXPIRED' : 'WAITING';
  if (method === 'BOLETO' && expiresAt !== null && expiresAt <= now) return 'EXPIRED';
  const isRegistered = boleto !== null && boleto.registration !== 'PENDING';
  return method === 'BOLETO' && isRegistered ? 'WAITING' : 'PROCESSING';
}

interface PageSource {
  readonly transaction: Transaction;
  readonly link: PaymentLink | undefined;
  readonly seller: PageSeller;
  readonly publicUrl: string;
  readonly now: Date;
}

function toPage({ transaction, link, seller, publicUrl, now }: PageSource, token: string): PaymentPage {
  const { status, method, amount, description, pix, boleto } = transaction;
  const state = stateOf(transaction, now);
  const isOpen = link !== undefined && linkStatus(link, now) === 'ACTIVE';
  const pathOf = (suffix: string) => new URL(`${boleto?.location}${suffix}`).pathname;
  const isPix = state === 'WAITING' && method === 'PIX' && pix !== null;
  return {
    url: paymentUrlOf(transaction, publicUrl),
    token,
    status,
    state,
    method,
    amount,
    description,
    seller,
    secondsLeft: isPix ? Math.max(1, Math.ceil((pix.expiresAt.getTime() - now.getTime()) / 1e3)) : null,
    pixCode: pix?.code ?? null,
    boleto:
      boleto === null
        ? null
        : {
            digitableLine: boleto.digitableLine,
            barcodeUrl: pathOf('/barcode.png'),
            pdfUrl: pathOf('.pdf'),
            dueDate: boleto.dueDate,
          },
    receipt: receiptOf(transaction),
    linkUrl: isOpen ? `/pay/${link.code}` : null,
    isRenewable: isOpen && method === 'PIX' && state === 'EXPIRED',
    successUrl: link?.successUrl ?? null,
  };
}

function receiptOf(transaction: Transaction): PageReceipt | null {
  const { paidAt, refundedAmount, installments, customer, pixReceipt, card } = transaction;
  if (paidAt === null) return null;
  const { name, documentType, document } = customer;
  return {
    paidAt,
    refundedAmount,
    installments,
    payer: { name, document: `${documentType} ${maskDocument(documentType, document)}` },
    endToEndId: pixReceipt?.endToEndId ?? null,
    card: card === null ? null : cardLabel(card),
    authorizationCode: card?.authorizationCode ?? null,
  };
}
