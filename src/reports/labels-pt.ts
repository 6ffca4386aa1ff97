/**
 * Portuguese names of the columns of the revenue report, on the screen and in CSV files for Brazil.
 */
export const REVENUE_LABELS = {
  day: 'Dia',
  month: 'Mês',
  sellerId: 'ID da loja',
  sellerName: 'Loja',
  method: 'Forma de pagamento',
  charges: 'Cobranças pagas',
  volume: 'Volume pago',
  feesEarned: 'Tarifas recebidas',
  providerCosts: 'Custos dos provedores',
  margin: 'Margem',
  refunds: 'Reembolsos',
  chargebacks: 'Chargebacks',
} as const;
