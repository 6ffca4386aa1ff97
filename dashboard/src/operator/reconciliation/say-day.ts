/** A day as it is read in Brazil; it has no hour and no zone. */
export const sayDay = (day: string): string => day.split('-').toReversed().join('/');
