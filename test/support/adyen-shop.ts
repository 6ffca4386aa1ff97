import { randomUUID } from 'node:crypto';

import { expect, vi } from 'vitest';

import type { ApiResponse, Client } from '#test/support/client.ts';
import type { FakeAdyen, AdyenNotification } from '#test/support/fake-adyen.ts';
import { startFakeAdyen } from '#test/support/fake-adyen.ts';
import { startTestGateway, type TestGateway } from '#test/support/gateway.ts';
import { SHARED_SECRETS } from '#test/support/node.ts';

export const GOOD = '4111111111111111';
export const SOON = { timeout: 5_000, interval: 20 };

export const cardOf = (number: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  number,
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2049,
  cvv: '737',
  ...changes,
});

/** The gateway's payment as the fake Adyen knows it. */
export interface Charged {
  readonly id: string;
  readonly psp: string;
}

export type Shop = ReturnType<typeof shopAt>;

/** A seller of a gateway that charges cards through the fake. */
export function shopAt(client: Client, fake: FakeAdyen) {
  const pay = (changes: Readonly<Record<string, unknown>> = {}, idempotencyKey = randomUUID()) =>
    client.charge(
      { method: 'CREDIT_CARD', amount: 10_000, installments: 1, card: cardOf(GOOD), ...changes },
      { idempotencyKey },
    );
  const read = async (id: string) => (await client.get(`/transactions/${id}`)).body.data;

  async function notify(reported: AdyenNotification): Promise<void> {
    expect(await fake.send(client.baseUrl, [reported])).toEqual({ status: 200, text: '[accepted]' });
  }

  return {
    pay,
    read,
    notify,
    charged: (response: ApiResponse): Charged => {
      expect(response.status).toBe(201);
      const id = String(response.body.data.id);
      return { id, psp: fake.payment(id).pspReference };
    },

    /** The notification of the payment itself. */
    ofPayment: (
      { id, psp }: Charged,
      eventCode: string,
      changes: Partial<AdyenNotification> = {},
    ): AdyenNotification => ({
      eventCode,
      pspReference: psp,
      merchantReference: id,
      value: 10_000,
      ...changes,
    }),

    /** The notification of the last modification of this kind. */
    async ofModification(
      { id, psp }: Charged,
      operation: 'captures' | 'cancels' | 'refunds' | 'reversals',
      eventCode: string,
      changes: Partial<AdyenNotification> = {},
    ): Promise<AdyenNotification> {
      const last = await vi.waitFor(() => {
        const found = fake.callsOf(operation).findLast(({ payment }) => payment === psp);
        if (found?.pspReference === undefined || found.pspReference === null)
          throw new Error(`no ${operation}`);
        return { pspReference: found.pspReference, body: found.body };
      }, SOON);
      return {
        eventCode,
        pspReference: last.pspReference,
        originalReference: psp,
        merchantReference: last.body.reference ?? id,
        value: last.body.amount?.value ?? 10_000,
        ...changes,
      };
    },

    /** A dispute of a payment, by the fake's PSP reference. */
    ofDispute: (
      { id, psp }: Charged,
      reference: string,
      eventCode: string,
      changes: Partial<AdyenNotification> = {},
    ): AdyenNotification => ({
      eventCode,
      pspReference: reference,
      originalReference: psp,
      merchantReference: id,
      value: 10_000,
      reason: 'Goods/Services Not Received',
      ...changes,
    }),

    async until(id: string, wanted: Readonly<Record<string, unknown>>): Promise<void> {
      await vi.waitFor(async () => expect(await read(id)).toMatchObject(wanted), SOON);
    },

    refund: (id: string, amount: number | null = null, idempotencyKey = randomUUID()) =>
      client.post(`/transactions/${id}/refund`, amount === null ? {} : { amount }, { idempotencyKey }),

    wallet: async () => (await client.get('/seller-wallet/gestao')).body.data.byOrigin.CARD,
  };
}

export interface AdyenGateway extends Shop {
  readonly gateway: TestGateway;
  readonly fake: FakeAdyen;
  /** Reads as the operator. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  admin(path: string): Promise<any>;
  /** The discrepancies of the ledger check. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  ledger(): Promise<any>;
  expectBalanced(): Promise<void>;
  stop(): Promise<void>;
}

/** A gateway with its own fake Adyen. */
export async function startAdyenGateway(): Promise<AdyenGateway> {
  const fake = await startFakeAdyen();
  const gateway = await startTestGateway({ environment: { ...SHARED_SECRETS, ...fake.settings } });
  const admin = async (path: string) => {
    const response = await gateway.get(path, { token: await gateway.adminToken() });
    expect(response.status).toBe(200);
    return response.body;
  };
  const ledger = async () => (await admin('/admin/ledger/check')).data;
  // The fee of a refund must not block the next one.
  const { id } = gateway.demo.seller;
  const terms = { negativeBalanceUpTo: 1_000_000 };
  await gateway.patch(`/admin/sellers/${id}`, terms, { token: await gateway.adminToken() });
  return {
    ...shopAt(gateway, fake),
    gateway,
    fake,
    admin,
    ledger,
    async expectBalanced() {
      expect(await ledger()).toMatchObject({ balanced: true, discrepancies: [] });
    },
    async stop() {
      await gateway.stop();
      await fake.close();
    },
  };
}
