import { randomUUID } from 'node:crypto';

import { Vereda, VeredaApiError, VeredaError, VeredaSignatureError } from '@vereda/sdk';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';

import { Orders } from './orders.ts';
import { checkoutPage, messagePage, orderPage } from './pages.ts';

const PRICE_CENTS = 4990;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const settings = process.env;
const orders = new Orders(settings['ORDERS_FILE'] ?? 'orders.db');
const webhookSecret = settings['VEREDA_WEBHOOK_SECRET'] ?? '';
const vereda = new Vereda({
  apiKey: settings['VEREDA_API_KEY'] ?? '',
  baseUrl: settings['VEREDA_URL'] ?? 'http://127.0.0.1:8080',
});

/** People type phone numbers and documents with punctuation, which the API does not accept. */
const digitsOf = (text = ''): string => text.replaceAll(/\D/g, '');

const checkout: RequestHandler = async (request, response) => {
  const { orderId, name, email, phone, document } = (request.body ?? {}) as Record<string, string>;
  if (!UUID.test(orderId ?? '')) {
    response.status(400).send(messagePage('Recarregue a página da loja e tente novamente.'));
    return;
  }
  const order = orders.open(orderId ?? '', PRICE_CENTS);
  if (order.pixCode === null) {
    const { pixQrCode, pixQrCodeBase64 } = await vereda.transactions.create(
      {
        amount: order.amount,
        method: 'PIX',
        externalRef: order.id,
        customer: {
          name: name ?? '',
          email: email ?? '',
          phone: digitsOf(phone),
          documentType: 'CPF',
          document: digitsOf(document),
        },
        items: [{ title: 'Caneca', amount: order.amount, quantity: 1, tangible: true }],
      },
      // If this program stops before it saves the code, the same form gets the same transaction.
      { idempotencyKey: order.id },
    );
    orders.saveCode(order.id, pixQrCode ?? null, pixQrCodeBase64 ?? null);
  }
  response.redirect(303, `/orders/${order.id}`);
};

const showOrder: RequestHandler<{ id: string }> = (request, response) => {
  const order = orders.find(request.params.id);
  if (order === undefined || order.pixCode === null) {
    response.status(404).send(messagePage('Pedido não encontrado.'));
  } else {
    response.send(orderPage(order));
  }
};

/** Events arrive more than once and in any order, so only the first payment changes the order. */
const receiveEvent: RequestHandler = (request, response) => {
  const event = vereda.webhooks.verify(request.body ?? '', request.headers, webhookSecret);
  if (event.event === 'TRANSACTION_UPDATED' && event.data.status === 'PAID') {
    const { externalRef, amount, paidAt } = event.data;
    const isFirst = orders.markPaid(externalRef ?? '', amount, paidAt ?? new Date().toISOString());
    if (isFirst) console.log(`Order ${externalRef} is paid.`);
  }
  response.sendStatus(204);
};

const handleError: ErrorRequestHandler = (error, request, response, next) => {
  if (error instanceof VeredaSignatureError) {
    response.status(400).send('invalid signature');
  } else if (VeredaApiError.isCode(error, 'validation_failed')) {
    const invalid = error.errors.map(({ path }) => path);
    response.status(422).send(checkoutPage(request.body.orderId, PRICE_CENTS, invalid));
  } else if (error instanceof VeredaError) {
    console.error(error);
    response.status(502).send(messagePage('O pagamento não pôde ser criado. Recarregue a página.'));
  } else {
    next(error);
  }
};

express()
  .get('/', (_request, response) => {
    response.send(checkoutPage(randomUUID(), PRICE_CENTS));
  })
  .post('/checkout', express.urlencoded(), checkout)
  .get('/orders/:id', showOrder)
  // The signature is that of the raw body.
  .post('/webhooks', express.raw({ type: 'application/json' }), receiveEvent)
  .use(handleError)
  .listen(Number(settings['PORT'] ?? 3000), '127.0.0.1', () => {
    console.log(`The shop is running at http://localhost:${settings['PORT'] ?? 3000}`);
  });
