import { expect, vi } from 'vitest';

import { SOON, type Scenario, type Stage } from './stage.ts';
import { shopAt } from '#test/support/adyen-shop.ts';
import type { FakeAdyen } from '#test/support/fake-adyen.ts';

export interface AdyenStage extends Stage {
  readonly adyen: FakeAdyen;
}

export const ADYEN = {
  'captures.created': async (stage) => {
    const before = shopAt(stage.client, stage.adyen);
    const authorized = before.charged(await before.pay({ capture: false }));
    stage.lost(stage.client.post(`/transactions/${authorized.id}/capture`));
    return async () => {
      const shop = shopAt(stage.client, stage.adyen);
      await vi.waitFor(() => {
        expect(stage.adyen.callsOf('captures', authorized.psp)).toHaveLength(1);
      }, SOON);
      await shop.notify(await shop.ofModification(authorized, 'captures', 'CAPTURE'));
      expect(await shop.read(authorized.id)).toMatchObject({ status: 'PAID' });
      expect(stage.adyen.kept(authorized.id)).toBe(10_000);
      expect(await stage.causesOf(authorized.id)).toEqual(['PAYMENT', 'PAYMENT_FEE']);
    };
  },
} satisfies Record<string, Scenario<AdyenStage>>;
