import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { PIX_KEY_TYPES } from '#formats/pix/pix-key.ts';
import { ACCOUNT_TYPES, type PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';
import { cnabPaymentContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { insertPayment } from './store.ts';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

/** What is sealed of an order until a file takes it. */
const PaymentInstruction = Type.Object({
  destination: Type.Union([
    Type.Object({ method: Type.Literal('PIX'), pixKeyType: Type.Enum([...PIX_KEY_TYPES]), pixKey: text }),
    Type.Object({
      method: Type.Literal('TED'),
      bankCode: text,
      branch: text,
      account: text,
      accountType: Type.Enum([...ACCOUNT_TYPES]),
    }),
  ]),
  payee: Type.Object({ name: textOrNull, document: textOrNull }),
});

interface PaymentKey {
  readonly sellerId: string;
  readonly id: string;
}

/** What was ordered, in clear, for the file that tells the bank. */
export function decryptInstruction(
  secrets: SecretBox,
  encrypted: string,
  key: PaymentKey,
): Static<typeof PaymentInstruction> {
  const instruction: unknown = JSON.parse(
    secrets.decrypt(encrypted, cnabPaymentContext(key.sellerId, key.id)),
  );
  if (!Value.Check(PaymentInstruction, instruction)) throw new Error('a sealed order has an unknown form');
  return instruction;
}

/** Pays withdrawals out by the next file; an order is accepted when it is kept for it. */
export function createCnabPayoutProvider({
  db,
  clock,
  secrets,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}): PayoutProvider {
  return {
    name: 'cnab',
    methods: ['PIX', 'TED'],
    async send({ id, sellerId, amountCents: amount, destination, beneficiary: payee }) {
      if (destination.method === 'CRYPTO') return { kind: 'refused', reason: 'banks pay no cryptocurrency' };
      const key = { sellerId, id };
      const encryptedInstruction = secrets.encrypt(
        JSON.stringify({ destination, payee }),
        cnabPaymentContext(key.sellerId, key.id),
      );
      const service = destination.method === 'PIX' ? 'PIX' : 'TRANSFERS';
      await insertPayment(db, { ...key, service, amount, encryptedInstruction, at: clock.now() });
      return { kind: 'accepted', reference: null };
    },
  };
}
