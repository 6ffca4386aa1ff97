import { expect, it } from 'vitest';

import { Clock } from '#platform/kit/clock.ts';
import type { BacenClient } from './client.ts';
import { createBacenPixProvider } from './pix-provider.ts';

it('cuts a long name between characters, not inside of one', async () => {
  const sent: Parameters<BacenClient['request']>[0][] = [];
  const request: BacenClient['request'] = async (call) => {
    sent.push(call);
    const body = { status: 'ATIVA', valor: { original: '1.00' }, pixCopiaECola: 'code' };
    return { status: 201, body };
  };
  const provider = createBacenPixProvider({
    name: 'bacen',
    client: { request, close: async () => undefined },
    settings: { chave: 'k' },
    clock: new Clock(),
  });
  const name = `${'a'.repeat(199)}😀😀`;
  const charge = {
    transactionId: 't',
    txid: 't',
    amountCents: 100,
    payer: { name, documentType: 'CPF', document: '52998224725' },
    createdAt: new Date(),
    expiresAt: new Date(),
  } as const;
  await provider.create(charge, AbortSignal.timeout(5_000));
  expect(sent).toMatchObject([{ body: { devedor: { nome: `${'a'.repeat(199)}😀` } } }]);
});
