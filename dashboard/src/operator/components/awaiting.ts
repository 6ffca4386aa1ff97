import i18next from 'i18next';

import type { components } from '../../api/schema.gen.ts';
import { notify } from '../../components/feedback.tsx';
import { refresh } from '../queries.ts';

type Approval = components['schemas']['Approval'];

/**
 * Returns the result of a change, or undefined, with a notice, if it waits for a second
 * administrator.
 */
export function appliedOrAwaiting<T extends object>(data: T | Approval): T | undefined {
  if (!isApproval(data)) return data;
  notify(i18next.t('operator.approvals.awaiting'));
  void refresh('approvals');
  return undefined;
}

const isApproval = (data: object): data is Approval => 'requesterName' in data;
