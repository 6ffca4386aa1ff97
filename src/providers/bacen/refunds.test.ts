import { expect, it } from 'vitest';

import type { BacenClient } from './client.ts';
import { sendDevolucao } from './refunds.ts';

it('compares the amount of a refund by its value, which a PSP may pad with zeros', async () => {
  const body = { id: 'a', valor: '0000000015.00', status: 'DEVOLVIDO', rtrId: 'D1' };
  const client: BacenClient = {
    request: async () => ({ status: 201, body }),
    close: async () => undefined,
  };
  const send = (amountCents: number) =>
    sendDevolucao(client, { id: 'a', amountCents, endToEndId: 'E1' }, AbortSignal.timeout(5_000));
  expect(await send(1500)).toEqual({ kind: 'done', reference: 'D1' });
  expect(await send(1501)).toMatchObject({ kind: 'refused' });
});
