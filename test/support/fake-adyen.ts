import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { TLSSocket } from 'node:tls';

import type { Settings } from '#test/support/process.ts';
import { makeCertificates } from '#test/support/certificates.ts';
import { listenLocally } from '#test/support/free-port.ts';

const OPERATIONS = ['payments', 'captures', 'cancels', 'refunds', 'reversals'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface AdyenCall {
  readonly operation: Operation;
  /**
   * The PSP reference of the payment; null for a payment, and for a cancellation by merchant
   * reference.
   */
  readonly payment: string | null;
  readonly idempotencyKey: string;
  readonly apiKey: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly body: any;
  /** The PSP reference of the response; null if the call was not executed. */
  readonly pspReference: string | null;
}

/**
 * Failure of a call: executed and disconnected, executed with a 500 response, not executed with an
 * error response, or executed and held until released. `early` is held before the execution, which
 * never happens.
 */
export type Fault =
  | 'cut'
  | 'broken'
  | 'held'
  | 'early'
  | { readonly status: number; readonly errorCode?: string };

export interface FakePayment {
  readonly pspReference: string;
  readonly reference: string;
  readonly amount: number;
  captured: number;
  returned: number;
  cancelled: boolean;
}

export interface AdyenNotification {
  readonly eventCode: string;
  readonly success?: boolean;
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantReference: string;
  readonly value: number;
  readonly currency?: string;
  readonly reason?: string;
  readonly merchantAccountCode?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
}

const ACCOUNT = 'GatewayBR';
const API_KEY = 'AQE-a-key-of-the-fake';
const HMAC_KEY = randomBytes(32).toString('hex');
const LOGIN = { user: 'adyen', password: 'a long notification password' };

export type FakeAdyen = Awaited<ReturnType<typeof startFakeAdyen>>;

/**
 * A fake of Adyen's Checkout API over HTTPS with client certificates, as far as the gateway uses
 * it. Executes each idempotency key once, tracks every payment, and fails on demand.
 */
export async function startFakeAdyen() {
  const certificates = await makeCertificates();
  const [ca, cert, key] = await Promise.all(
    [certificates.ca, certificates.serverCert, certificates.serverKey].map((path) => readFile(path, 'utf8')),
  );
  const calls: AdyenCall[] = [];
  const payments: FakePayment[] = [];
  const answered = new Map<
    string,
    { readonly body: string; readonly status: number; readonly payload: object }
  >();
  const faults = new Map<Operation, Fault[]>();
  const held: (() => void)[] = [];
  const waiting: (() => void)[] = [];

  const paymentOf = (pspReference: string | null) =>
    payments.find((payment) => payment.pspReference === pspReference);

  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  function authorize(body: any): { status: number; payload: object } {
    const { number, holderName } = body.paymentMethod;
    const pspReference = newReference();
    const common = { pspReference, merchantReference: body.reference };
    const refused = (refusalReason: string, refusalReasonCode: string) => ({
      status: 200,
      payload: { ...common, resultCode: 'Refused', refusalReason, refusalReasonCode },
    });
    if (number === '4000000000000002') return refused('Refused', '2');
    if (number === '4000000000009995') return refused('Not enough balance', '12');
    if (number === '4000000000000069') return refused('Expired Card', '6');
    if (holderName === 'CHALLENGE') {
      return {
        status: 200,
        payload: { ...common, resultCode: 'ChallengeShopper', action: { type: 'threeDS2' } },
      };
    }
    const captured = body.additionalData?.manualCapture === 'true' ? 0 : body.amount.value;
    const amount = body.amount.value;
    payments.push({
      pspReference,
      reference: body.reference,
      amount,
      captured,
      returned: 0,
      cancelled: false,
    });
    const resultCode = holderName === 'PENDING' ? 'Received' : 'Authorised';
    // The networks give payments of a series a reference.
    const isRecurring = body.recurringProcessingModel !== undefined;
    const additionalData = isRecurring ? { networkTxReference: `MCC${pspReference}` } : undefined;
    return { status: 200, payload: { ...common, resultCode, amount: body.amount, additionalData } };
  }

  function modify(
    operation: Operation,
    payment: string | null,
    // oxlint-disable-next-line typescript/no-explicit-any -- JSON
    body: any,
  ): { status: number; payload: object } {
    const found = paymentOf(payment) ?? payments.find(({ reference }) => reference === body.paymentReference);
    if (payment !== null && found === undefined) {
      return {
        status: 422,
        payload: { status: 422, errorCode: '167', message: 'Original pspReference required' },
      };
    }
    if (found !== undefined) change(operation, found, body.amount?.value ?? 0);
    const payload = { status: 'received', pspReference: newReference(), reference: body.reference };
    return { status: 201, payload: { ...payload, merchantAccount: ACCOUNT, paymentPspReference: payment } };
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const path = /^\/v\d+\/(?:payments\/([^/]+)\/)?(payments|captures|cancels|refunds|reversals)$/.exec(
      request.url ?? '',
    );
    const operation = OPERATIONS.find((one) => one === path?.[2]);
    if (operation === undefined) return void response.writeHead(404).end();
    if (request.headers['x-api-key'] !== API_KEY) return void response.writeHead(401).end('{}');
    const payment = path?.[1] ?? null;
    const idempotencyKey = String(request.headers['idempotency-key']);
    const fault = faults.get(operation)?.shift();
    const call = { operation, payment, idempotencyKey, apiKey: API_KEY, body: JSON.parse(text) };
    if (typeof fault === 'object') {
      calls.push({ ...call, pspReference: null });
      const { status, errorCode } = fault;
      return void response.writeHead(status).end(JSON.stringify({ status, errorCode, message: text }));
    }
    if (fault === 'early') {
      calls.push({ ...call, pspReference: null });
      await new Promise<void>((resolve) => held.push(resolve));
      return void request.socket.destroy();
    }
    const known = answered.get(idempotencyKey);
    const hash = createHash('sha256')
      .update(operation + text)
      .digest('hex');
    if (known !== undefined && known.body !== hash) {
      calls.push({ ...call, pspReference: null });
      return void response.writeHead(422).end(JSON.stringify({ status: 422, errorCode: '704' }));
    }
    const done = known ?? {
      ...(operation === 'payments' ? authorize(call.body) : modify(operation, payment, call.body)),
      body: hash,
    };
    answered.set(idempotencyKey, done);
    const { pspReference = null } = done.payload as { pspReference?: string };
    calls.push({ ...call, pspReference });
    for (const wake of waiting.splice(0)) wake();
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'broken') return void response.writeHead(500).end('<html>');
    if (fault === 'held') await new Promise<void>((resolve) => held.push(resolve));
    response.writeHead(done.status, { 'content-type': 'application/json' }).end(JSON.stringify(done.payload));
  }

  const server = createServer(
    { key, cert, ca, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { socket } = request;
      if (!(socket instanceof TLSSocket) || !socket.authorized) return void response.destroy();
      take(request, response).catch(() => response.destroy());
    },
  );
  const port = await listenLocally(server);

  return {
    calls,
    payments,
    account: ACCOUNT,
    /** Settings of a gateway that uses the fake. */
    settings: {
      CARD_PROVIDER: 'adyen',
      ADYEN_API_KEY: API_KEY,
      ADYEN_MERCHANT_ACCOUNT: ACCOUNT,
      ADYEN_HMAC_KEY: HMAC_KEY,
      ADYEN_NOTIFICATION_USER: LOGIN.user,
      ADYEN_NOTIFICATION_PASSWORD: LOGIN.password,
      ADYEN_URL: `https://localhost:${port}`,
      ADYEN_CA_FILE: certificates.ca,
      ADYEN_CERT_FILE: certificates.clientCert,
      ADYEN_KEY_FILE: certificates.clientKey,
    } satisfies Settings,

    /** The next calls of this kind fail in the given ways. */
    err(operation: Operation, ...next: readonly Fault[]): void {
      faults.set(operation, [...(faults.get(operation) ?? []), ...next]);
    },

    /** Releases held calls. */
    release(): void {
      for (const let_go of held.splice(0)) let_go();
    },

    callsOf: (operation: Operation, reference?: string) =>
      calls.filter(
        (call) =>
          call.operation === operation &&
          (reference === undefined || call.body.reference === reference || call.payment === reference),
      ),

    /** Resolves after this many calls of this kind. */
    async called(operation: Operation, times = 1): Promise<readonly AdyenCall[]> {
      const end = Date.now() + 15_000;
      for (;;) {
        const found = calls.filter((call) => call.operation === operation);
        if (found.length >= times) return found;
        if (Date.now() > end) throw new Error(`${found.length} of ${times} calls of ${operation} came`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setTimeout(resolve, 50);
        });
      }
    },

    /** The amount held for a transaction of the gateway, in cents. */
    kept: (reference: string): number =>
      payments
        .filter((payment) => payment.reference === reference)
        .reduce((sum, { captured, returned }) => sum + captured - returned, 0),

    payment(reference: string): FakePayment {
      const found = payments.filter((payment) => payment.reference === reference);
      const [first] = found;
      if (first === undefined || found.length > 1)
        throw new Error(`${found.length} payments of ${reference}`);
      return first;
    },

    newReference,
    item: signed,

    /** Calls the gateway's webhook, as Adyen does. */
    async send(
      baseUrl: string,
      reported: readonly AdyenNotification[],
      changes: { readonly items?: readonly object[]; readonly login?: string; readonly at?: string } = {},
    ): Promise<{ readonly status: number; readonly text: string }> {
      const login = changes.login ?? `${LOGIN.user}:${LOGIN.password}`;
      const items = changes.items ?? reported.map((one) => signed(one));
      const response = await fetch(new URL(`/providers/${changes.at ?? 'adyen'}/notifications`, baseUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        },
        body: JSON.stringify({
          live: 'false',
          notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })),
        }),
      });
      return { status: response.status, text: await response.text() };
    },

    async close(): Promise<void> {
      for (const let_go of held.splice(0)) let_go();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await certificates.remove();
    },
  };
}

/**
 * The effect of an operation on the held amount. An impossible operation is reported later as
 * failed.
 */
function change(operation: Operation, payment: FakePayment, amount: number): void {
  const left = payment.captured - payment.returned;
  switch (operation) {
    case 'captures':
      if (!payment.cancelled && payment.captured + amount <= payment.amount) payment.captured += amount;
      return;
    case 'cancels':
      if (payment.captured === 0) payment.cancelled = true;
      return;
    case 'refunds':
      if (amount <= left) payment.returned += amount;
      return;
    case 'reversals':
      if (payment.captured === 0) payment.cancelled = true;
      payment.returned += left;
      return;
    case 'payments':
  }
}

const newReference = (): string => randomBytes(8).toString('hex').toUpperCase();

/** A notification with Adyen's HMAC signature, computed without Adyen's library. */
function signed(reported: AdyenNotification) {
  const {
    eventCode,
    success = true,
    pspReference,
    originalReference = '',
    merchantReference,
    value,
  } = reported;
  const { currency = 'BRL', merchantAccountCode = ACCOUNT, reason, additionalData } = reported;
  const text = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    eventCode,
    success,
  ].join(':');
  const hmacSignature = createHmac('sha256', Buffer.from(HMAC_KEY, 'hex')).update(text).digest('base64');
  return {
    eventCode,
    success: String(success),
    pspReference,
    ...(originalReference === '' ? {} : { originalReference }),
    merchantReference,
    merchantAccountCode,
    amount: { value, currency },
    eventDate: new Date().toISOString(),
    ...(reason === undefined ? {} : { reason }),
    additionalData: { ...additionalData, hmacSignature },
  };
}
