import { ok } from '#platform/http/envelope.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

const settings = { twoPersonApprovalAbove: 5_000_000, medWindowDays: 3 };
export const SETTINGS_REQUEST = {
  'Two approvals above R$ 50,000.00': settings,
  'One approval is always enough': { twoPersonApprovalAbove: null },
};
export const SETTINGS = { 'Two approvals above R$ 50,000.00': ok(settings) };
