import { admin, byOperator, gateway, type Changes } from './audit-log-setup.ts';

const PAUSE = { provider: 'sandbox', reason: 'Maintenance' };
const ofProvider = () => ({
  ...byOperator(),
  record_type: 'provider',
  record_id: null,
  seller_id: null,
});

/** Changes by the operator to settings, providers, default fees, costs and the clock of the sandbox. */
export const OPERATOR_SETTINGS_CHANGES: Changes = {
  'PUT /v1/admin/settings': async () => {
    const as = await admin();
    const { twoPersonApprovalAbove } = (await gateway.get('/admin/settings', as)).body.data;
    const next = (twoPersonApprovalAbove ?? 1_000_000) + 1;
    return {
      act: () => gateway.call('PUT', '/admin/settings', { twoPersonApprovalAbove: next }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'settings.updated',
        record_type: 'settings',
        record_id: null,
        seller_id: null,
        before: { twoPersonApprovalAbove },
        after: { twoPersonApprovalAbove: next },
      }),
    };
  },

  'PATCH /v1/admin/settings': async () => {
    const as = await admin();
    const { webhookLogDays } = (await gateway.get('/admin/settings', as)).body.data;
    return {
      act: () => gateway.patch('/admin/settings', { webhookLogDays: webhookLogDays + 1 }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'settings.updated',
        record_type: 'settings',
        record_id: null,
        seller_id: null,
        before: { webhookLogDays },
        after: { webhookLogDays: webhookLogDays + 1 },
      }),
    };
  },

  'PUT /v1/admin/provider-routes/:method': async () => {
    const as = await admin();
    const set = (providers: readonly string[] | null) =>
      gateway.call('PUT', '/admin/provider-routes/PIX', { providers }, as);
    await set(null);
    return {
      act: () => set(['sandbox']),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.order-changed',
        before: { isDefault: true },
        after: { isDefault: false },
      }),
    };
  },

  'POST /v1/admin/provider-routes/:method/pause': async () => {
    const as = await admin();
    await gateway.post('/admin/provider-routes/CREDIT_CARD/resume', { provider: 'sandbox' }, as);
    return {
      act: () => gateway.post('/admin/provider-routes/CREDIT_CARD/pause', PAUSE, as),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.paused',
        before: null,
        after: { method: 'CREDIT_CARD', ...PAUSE },
      }),
    };
  },

  'POST /v1/admin/provider-routes/:method/resume': async () => {
    const as = await admin();
    await gateway.post('/admin/provider-routes/CREDIT_CARD/pause', PAUSE, as);
    return {
      act: () => gateway.post('/admin/provider-routes/CREDIT_CARD/resume', { provider: 'sandbox' }, as),
      expectedRow: () => ({
        ...ofProvider(),
        action: 'provider.resumed',
        before: { method: 'CREDIT_CARD', ...PAUSE },
        after: null,
      }),
    };
  },

  'PUT /v1/admin/default-fees': async () => {
    const as = await admin();
    const fees = (await gateway.get('/admin/default-fees', as)).body.data;
    const boleto = { type: 'FIXED', value: fees.boleto.value + 1 };
    return {
      act: () => gateway.call('PUT', '/admin/default-fees', { ...fees, boleto }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'fees.replaced',
        record_type: 'fees',
        record_id: null,
        seller_id: null,
        before: { boleto: fees.boleto },
        after: { boleto },
      }),
    };
  },

  'PUT /v1/admin/provider-costs': async () => {
    const as = await admin();
    const { data } = (await gateway.get('/admin/provider-costs', as)).body;
    const { fixed } = data.find(({ method }: { method: string }) => method === 'PIX');
    const cost = { provider: 'sandbox', method: 'PIX', fixed: fixed + 1, percentage: 0 };
    return {
      act: () => gateway.call('PUT', '/admin/provider-costs', cost, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'provider-cost.replaced',
        record_type: 'provider-cost',
        record_id: 'sandbox/PIX',
        seller_id: null,
        before: { fixed },
        after: { fixed: fixed + 1 },
      }),
    };
  },

  'POST /v1/sandbox/clock': async () => {
    const as = await admin();
    const [clock] = await gateway.database.query<{ offset: number }>(
      'SELECT (offset_ms / 1000)::int AS offset FROM domain_clock',
    );
    const offsetSeconds = clock?.offset ?? 0;
    return {
      act: () => gateway.post('/sandbox/clock', { advanceSeconds: 1 }, as),
      expectedRow: () => ({
        ...byOperator(),
        action: 'sandbox.clock-advanced',
        record_type: 'clock',
        record_id: null,
        seller_id: null,
        before: { offsetSeconds },
        after: { offsetSeconds: offsetSeconds + 1 },
      }),
    };
  },
};
