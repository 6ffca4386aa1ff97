import { createHash } from 'node:crypto';

import { encodeRecurringBrCode } from '#formats/pix/br-code.ts';
import { saoPauloDate, startOfSaoPauloDay } from '#formats/calendar/sao-paulo.ts';
import type { Db } from '#platform/database/connect.ts';
import type {
  AuthorizationRequest,
  BankAuthorization,
  PixAutomaticoProvider,
} from '#subscriptions/pix-automatico.ts';
import { hasExpired } from './store-authorizations.ts';
import { deleteDebit, planDebit } from './store-scheduled-events.ts';

const ISPB = '99999999';
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MERCHANT = { merchantName: 'LOJA', merchantCity: 'SAO PAULO' };

/**
 * The sandbox's bank. It issues authorizations locally, as the sandbox issues Pix codes, and debits
 * the payer of each charge on its day.
 */
export function createSandboxPixAutomatico(db: Db, publicUrl: string): PixAutomaticoProvider {
  const host = publicUrl.replace(/^https?:\/\//, '');
  const issue = (request: AuthorizationRequest): BankAuthorization => ({
    idRec: idRecOf(request),
    status: 'CRIADA',
    code: request.journey === 1 ? null : codeOf(request, host),
  });
  return {
    name: 'sandbox',
    issue,
    authorize: async (request) => issue(request),
    readAuthorization: async (request) => issue(request),
    cancelAuthorization: async (idRec) => ((await hasExpired(db, idRec)) ? 'EXPIRADA' : 'CANCELADA'),
    async charge({ sellerId, transactionId, date }) {
      await planDebit(db, { sellerId, transactionId, dueAt: startOfSaoPauloDay(date) });
      return { kind: 'accepted', date };
    },
    async retry({ sellerId, transactionId, date }) {
      await planDebit(db, { sellerId, transactionId, dueAt: startOfSaoPauloDay(date) });
      return { kind: 'accepted', date };
    },
    cancelCharge: ({ sellerId, transactionId }) => deleteDebit(db, sellerId, transactionId),
  };
}

/**
 * `R`, whether retries are allowed, ISPB, day and 11 characters; the same for the same contract.
 */
function idRecOf({ allowsRetries, contract, now }: AuthorizationRequest): string {
  const bytes = createHash('sha256').update(contract).digest().subarray(0, 11);
  const suffix = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]).join('');
  return `R${allowsRetries ? 'R' : 'N'}${ISPB}${saoPauloDate(now).replaceAll('-', '')}${suffix}`;
}

function codeOf({ contract, firstPayment }: AuthorizationRequest, host: string): string {
  return encodeRecurringBrCode({
    ...MERCHANT,
    location: `${host}/pix/rec/${contract}`,
    payment: firstPayment && {
      location: `${host}/pix/${firstPayment.txid}`,
      amountCents: firstPayment.amountCents,
    },
  });
}
