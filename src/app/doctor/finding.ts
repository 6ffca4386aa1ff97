import type { SystemCheck } from '#operator/system-routes.ts';

/** The result of a check, without its name. */
export type Finding = Omit<SystemCheck, 'name'>;

export const ok = (detail: string): Finding => ({ status: 'OK', detail });
/** Nothing fails because of it yet. */
export const warning = (detail: string): Finding => ({ status: 'WARNING', detail });
export const failed = (detail: string): Finding => ({ status: 'FAILED', detail });
