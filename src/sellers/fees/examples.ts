import { ok } from '#platform/http/envelope.ts';
import { DEFAULT_FEES } from './schedule.ts';
import { viewFees } from './schema.ts';

/** Examples of the OpenAPI document. A test validates each against its schema. */

export const FEES = { 'The plan of a new seller': ok(viewFees(DEFAULT_FEES)) };
export const FEES_REQUEST = { 'The plan of a new seller': viewFees(DEFAULT_FEES) };
