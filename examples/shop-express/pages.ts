import type { Order } from './orders.ts';

const page = (content: string, head = ''): string => `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${head}
<title>Loja</title>
<h1>Caneca</h1>
${content}`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const price = (cents: number): string =>
  (cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });

const FIELDS: Readonly<Record<string, string>> = {
  'customer.name': 'nome completo',
  'customer.email': 'e-mail',
  'customer.phone': 'celular',
  'customer.document': 'CPF',
};

/** `orderId` is part of the form, so that a form that is sent twice is one order. */
export const checkoutPage = (orderId: string, amount: number, invalid: readonly string[] = []): string =>
  page(`<p>${price(amount)}</p>
${invalid.map((path) => `<p role="alert">Confira o campo ${FIELDS[path] ?? escape(path)}.</p>`).join('\n')}
<form method="post" action="/checkout">
<input type="hidden" name="orderId" value="${escape(orderId)}">
<p><label>Nome completo <input name="name" autocomplete="name" required></label></p>
<p><label>E-mail <input name="email" type="email" autocomplete="email" required></label></p>
<p><label>Celular com DDD <input name="phone" type="tel" autocomplete="tel" required></label></p>
<p><label>CPF <input name="document" inputmode="numeric" required></label></p>
<button>Pagar com Pix</button>
</form>`);

export function orderPage(order: Order): string {
  if (order.paidAt !== null) return page(`<p>Pagamento confirmado. Obrigado pela compra!</p>`);
  return page(
    `<p>Aguardando o pagamento de ${price(order.amount)}.</p>
<p><img src="${escape(order.qrCode ?? '')}" alt="QR Code do Pix" width="240"></p>
<p><label>Pix copia e cola <input readonly value="${escape(order.pixCode ?? '')}"></label></p>`,
    '<meta http-equiv="refresh" content="5">',
  );
}

export const messagePage = (message: string): string => page(`<p role="alert">${escape(message)}</p>`);
