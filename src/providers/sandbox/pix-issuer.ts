import { newId } from '#platform/kit/ids.ts';
import { encodeDynamicBrCode } from '#formats/pix/br-code.ts';
import type { PixIssuer } from '#payments/transactions/new-transaction.ts';

const CITY = 'SAO PAULO';

/** Issues valid BR Codes whose location is under the gateway's own URL. */
export function createSandboxPixIssuer(publicUrl: string): PixIssuer {
  const host = publicUrl.replace(/^https?:\/\//, '');
  return {
    issue({ transactionId, amountCents, merchantName, expiresAt, nowMs }) {
      const txid = transactionId.replaceAll('-', '');
      return {
        id: newId(nowMs),
        txid,
        location: `${publicUrl}/pix/${txid}`,
        code: encodeDynamicBrCode({
          location: `${host}/pix/${txid}`,
          amountCents,
          merchantName,
          merchantCity: CITY,
        }),
        expiresAt,
      };
    },
  };
}
