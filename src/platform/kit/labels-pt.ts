import type { Role } from './permissions.ts';

/** Portuguese labels of API values. The dashboard and CSV files for Brazil show them. */

export const ROLE_LABELS = {
  OWNER: 'Responsável',
  FINANCE: 'Financeiro',
  DEVELOPER: 'Desenvolvedor',
  VIEWER: 'Somente leitura',
  ADMIN: 'Administrador',
  SUPPORT: 'Suporte',
} as const satisfies Record<Role, string>;
