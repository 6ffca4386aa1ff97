import { formatDate } from '../../i18n/format.ts';

/** A calendar day such as `2026-11-20`, formatted with its year. */
export const formatFullDay = (day: string): string => formatDate(`${day}T12:00:00-03:00`);
