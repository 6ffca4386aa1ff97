import { expect, it } from 'vitest';

import { checkHolder } from './key-holder.ts';
import type { KeyHolder, PayoutProvider } from './payout-provider.ts';

const seller: KeyHolder = { name: 'Loja', documentType: 'CPF', document: '52998224725' };
const destination = { method: 'PIX', pixKeyType: 'EMAIL', pixKey: 'ana@example.com' } as const;

/** A provider whose directory knows every key as its own. */
const directory = (name: string): PayoutProvider => ({
  name,
  methods: ['PIX'],
  send: async () => ({ kind: 'accepted', reference: null }),
  lookUpKey: async () => ({ ...seller, name }),
});

const check = (payoutProviders: readonly PayoutProvider[]) =>
  checkHolder(
    {
      payoutProviders,
      routing: {
        select: async (_method, all) => all.filter(({ name }) => name !== 'paused'),
        isPaused: async () => false,
      },
    },
    seller,
    { destination, beneficiaryDocument: null },
  );

it.each([
  [['first', 'second'], 'first'],
  [['paused', 'second'], 'second'],
  [['paused'], undefined],
])('of %j asks %s', async (names, asked) => {
  expect((await check(names.map(directory)))?.holderName).toBe(asked);
});
