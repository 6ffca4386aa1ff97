import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

import type { Clock } from '#platform/kit/clock.ts';
import type { Db } from '#platform/database/connect.ts';
import { PIX_KEY_TYPES } from '#formats/pix/pix-key.ts';
import { ACCOUNT_TYPES, type PayoutProvider } from '#payouts/withdrawals/payout-provider.ts';
import type { WithdrawalKey } from '#payouts/withdrawals/withdrawal.ts';
import { cnabPaymentContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { insertPayment } from './store-payments.ts';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

/** The part of a payment that is stored encrypted until a file carries it. */
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

/** @throws Error if the decrypted text is not a payment instruction. */
export function decryptInstruction(
  secrets: SecretBox,
  encrypted: string,
  { sellerId, id }: WithdrawalKey,
): Static<typeof PaymentInstruction> {
  const instruction: unknown = JSON.parse(secrets.decrypt(encrypted, cnabPaymentContext(sellerId, id)));
  if (!Value.Check(PaymentInstruction, instruction)) throw new Error('malformed payment instruction');
  return instruction;
}

export interface CnabPayoutDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SecretBox;
}

/** Pays withdrawals with the next file. A payout is accepted once it is stored for that file. */
export function createCnabPayoutProvider({ db, clock, secrets }: CnabPayoutDeps): PayoutProvider {
  return {
    name: 'cnab',
    methods: ['PIX', 'TED'],
    async send({ id, sellerId, amountCents: amount, destination, beneficiary: payee }) {
      if (destination.method === 'CRYPTO')
        return { kind: 'refused', reason: 'banks do not pay out cryptocurrency' };
      const encryptedInstruction = secrets.encrypt(
        JSON.stringify({ destination, payee }),
        cnabPaymentContext(sellerId, id),
      );
      const service = destination.method === 'PIX' ? 'PIX' : 'TRANSFERS';
      await insertPayment(db, { sellerId, id, service, amount, encryptedInstruction, at: clock.now() });
      return { kind: 'accepted', reference: null };
    },
  };
}
