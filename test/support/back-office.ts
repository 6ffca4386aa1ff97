import type { TestGateway } from './gateway.ts';
import { newSeller, withdrawalThatIs, type TestSeller } from './withdrawals.ts';

export interface Office {
  readonly seller: TestSeller;
  /** Withdrawals that need approval, oldest first. */
  readonly waiting: readonly string[];
  /** A disputed transaction. */
  readonly disputed: string;
  /** A read-only user. */
  readonly support: { readonly email: string; readonly password: string };
}

/** A gateway with one of every record that operators see. */
export async function seedBackOffice(gateway: TestGateway): Promise<Office> {
  const token = await gateway.adminToken();
  const seller = await newSeller(gateway, { balance: 5_000_000 });
  const as = { apiKey: seller.apiKey };
  const waiting: string[] = [];
  for (let made = 0; made < 3; made += 1) waiting.push(await withdrawalThatIs(gateway, seller, 'PENDING'));
  const charge = async (): Promise<string> => String((await gateway.charge({}, as)).body.data.id);
  const simulate = async (id: string, what: string) =>
    gateway.post(`/sandbox/transactions/${id}/${what}`, undefined, as);
  const disputed = await charge();
  await simulate(disputed, 'pay');
  await simulate(disputed, 'dispute');
  // A payment of a final transaction is reversed.
  const ended = await charge();
  await gateway.post(`/transactions/${ended}/cancel`, undefined, as);
  await simulate(ended, 'pay');
  const webhook = { url: 'https://shop.example.com/hook', eventType: 'ALL' };
  await gateway.post('/webhooks', webhook, as);
  const support = { email: 'suporte@example.com', password: 'a long password' };
  await gateway.post('/admin/users', { ...support, name: 'Bia Suporte', role: 'SUPPORT' }, { token });
  return { seller, waiting, disputed, support };
}
