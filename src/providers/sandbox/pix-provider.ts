import { newId } from '#platform/kit/ids.ts';
import { encodeDynamicBrCode } from '#formats/pix/br-code.ts';
import type { LocalPixProvider } from '#providers/local-pix-provider.ts';

const CITY = 'SAO PAULO';

/** The sandbox's PIX rail: real BR Codes whose location lies under the gateway's own address. */
export function createSandboxPixProvider(publicUrl: string): LocalPixProvider {
  const host = publicUrl.replace(/^https?:\/\//, '');
  return {
    name: 'sandbox',
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
