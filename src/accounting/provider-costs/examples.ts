/** Examples of the API reference. A test validates each against its schema. */

const SANDBOX_PIX = {
  provider: 'sandbox',
  method: 'PIX',
  fixed: 15,
  percentage: 0,
  since: '2026-11-20T12:00:00.000Z',
};

export const COST_REQUEST = {
  'R$ 0.15 for each Pix charge': { provider: 'sandbox', method: 'PIX', fixed: 15, percentage: 0 },
};

export const COSTS = {
  'Pix costs R$ 0.15, and boletos have no cost yet': {
    status: true,
    data: [{ provider: 'sandbox', method: 'BOLETO', fixed: 0, percentage: 0, since: null }, SANDBOX_PIX],
    count: 2,
  },
};
