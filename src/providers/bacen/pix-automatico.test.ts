import { expect, it } from 'vitest';

import { addDays } from '#formats/calendar/local-date.ts';
import { saoPauloDate } from '#formats/calendar/sao-paulo.ts';
import { Clock } from '#platform/kit/clock.ts';
import type { BacenClient } from './client.ts';
import { createBacenPixAutomatico } from './pix-automatico.ts';

const DEADLINE = AbortSignal.timeout(5_000);

it('dates a late charge and a late retry at the earliest day that the bank allows', async () => {
  const sent: Parameters<BacenClient['request']>[0][] = [];
  const request: BacenClient['request'] = async (call) => {
    sent.push(call);
    return call.method === 'GET'
      ? { status: 200, body: { idRec: 'RR', txid: 't', status: 'ATIVA', valor: { original: '49.90' } } }
      : { status: 201, body: {} };
  };
  const bank = createBacenPixAutomatico({
    name: 'bacen',
    client: { request, close: async () => undefined },
    settings: { chave: 'k', receiver: undefined },
    clock: new Clock(),
  });
  const key = { sellerId: 's', transactionId: 't', txid: 't' };
  const payer = { name: 'Ana', documentType: 'CPF', document: '52998224725' } as const;
  const charge = { ...key, idRec: 'RR', amountCents: 4990, payer, description: 'Plano' };
  const today = saoPauloDate(new Date());
  for (const [date, wanted] of [
    [today, addDays(today, 2)],
    [addDays(today, 9), addDays(today, 9)],
  ] as const) {
    expect(await bank.charge({ ...charge, date }, DEADLINE)).toEqual({ kind: 'accepted', date: wanted });
    expect(sent.at(-1)).toMatchObject({ body: { calendario: { dataDeVencimento: wanted } } });
  }
  const tomorrow = addDays(today, 1);
  expect(await bank.retry({ ...key, date: today }, DEADLINE)).toEqual({ kind: 'accepted', date: tomorrow });
  expect(sent.at(-1)?.path).toBe(`/cobr/t/retentativa/${tomorrow}`);
});
