import { ok } from '#platform/http/envelope.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

const approval = { twoPersonApprovalAbove: 5_000_000, medWindowDays: 3 };
const limits = {
  signupsPerHour: 20,
  checkoutUnpaidPerHour: 30,
  checkoutDeclinesPerAddress: 5,
  checkoutDeclinesPerLink: 100,
  applicationRetentionDays: 90,
  webhookLogDays: 90,
};
const days = { minimum: 1, maximum: 3_650 };
const hourly = { minimum: 1, maximum: 100_000 };
const details = [
  { name: 'medWindowDays', default: 3, minimum: 1, maximum: 7, isStored: false },
  { name: 'signupsPerHour', default: 20, ...hourly, isStored: false },
  { name: 'checkoutUnpaidPerHour', default: 30, ...hourly, isStored: false },
  { name: 'checkoutDeclinesPerAddress', default: 5, ...hourly, isStored: false },
  { name: 'checkoutDeclinesPerLink', default: 50, ...hourly, isStored: true },
  { name: 'applicationRetentionDays', default: 90, ...days, isStored: false },
  { name: 'webhookLogDays', default: 90, ...days, isStored: false },
] as const;

export const SETTINGS_REQUEST = {
  'Two approvals above R$ 50,000.00': approval,
  'One approval is always enough': { twoPersonApprovalAbove: null },
};
export const UPDATE_REQUEST = {
  'A limit is raised': { checkoutDeclinesPerLink: 100 },
  'A limit is reset to its default': { checkoutDeclinesPerLink: null },
};
export const SETTINGS = {
  'Two approvals above R$ 50,000.00': ok({ ...approval, ...limits, details: [...details] }),
};
