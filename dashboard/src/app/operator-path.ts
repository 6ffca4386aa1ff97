/** Path prefix of the operator's screens. */
export const OFFICE = '/operator';

export const isOfOffice = (path: string): boolean => path === OFFICE || path.startsWith(`${OFFICE}/`);
