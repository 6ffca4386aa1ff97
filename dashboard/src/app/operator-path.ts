/** Where the operator's screens begin. */
export const OFFICE = '/operator';

/** Whether an address is one of the operator's. */
export const isOfOffice = (path: string): boolean => path === OFFICE || path.startsWith(`${OFFICE}/`);
