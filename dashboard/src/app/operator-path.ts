/** Path prefix of the operator's screens. */
export const OPERATOR_PATH = '/operator';

export const isOperatorPath = (path: string): boolean =>
  path === OPERATOR_PATH || path.startsWith(`${OPERATOR_PATH}/`);
