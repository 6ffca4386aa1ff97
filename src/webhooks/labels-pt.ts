import type { WebhookStatus } from './webhook.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const STATUS_LABELS = {
  ACTIVE: 'Ativo',
  DISABLED: 'Desativado',
} as const satisfies Record<WebhookStatus, string>;
