import i18next from 'i18next';

import { browserLabel } from '../i18n/find-text.ts';
import { formatDateTime, formatDay, formatMoney } from '../i18n/format.ts';
import { translateReason } from '../i18n/reasons.ts';
import type { Notification } from './queries.ts';

type Kind = Notification['kind'];
type Params = Notification['params'];

/** The screen that shows more; by default the settings. */
const SCREENS: { readonly [K in Kind]?: string } = {
  'api-key-created': '/developers/keys',
  'destination-added': '/withdrawals',
  'application-submitted': '/operator/applications?status=SUBMITTED',
  'application-question': '/',
  'application-approved': '/',
  'application-rejected': '/',
  'dispute-opened': '/disputes',
  'dispute-reminder': '/disputes',
  'webhook-disabled': '/developers/webhooks',
  'withdrawal-paid': '/withdrawals',
  'withdrawal-rejected': '/withdrawals',
};

function text(params: Params, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}
function number(params: Params, name: string): number {
  const value = params[name];
  return typeof value === 'number' ? value : 0;
}
const money = (params: Params): string => formatMoney(number(params, 'amount'));
const reason = (params: Params): string => translateReason(text(params, 'reason'));
const describeDispute = (params: Params): readonly string[] => [
  money(params),
  reason(params),
  i18next.t('notifications.appealBy', { when: formatDateTime(text(params, 'dueAt')) }),
];

/** The details of a notification, in the user's language. */
const DETAILS: { readonly [K in Kind]?: (params: Params) => readonly string[] } = {
  'new-device': (params) => [browserLabel(text(params, 'browser')), text(params, 'address')],
  'passkey-added': (params) => [text(params, 'name')],
  'passkey-deleted': (params) => [text(params, 'name')],
  'second-factor-reset-requested': (params) => [text(params, 'user'), formatDateTime(text(params, 'dueAt'))],
  'second-factor-reset-canceled': (params) => [text(params, 'user')],
  'second-factor-reset': (params) => [text(params, 'user')],
  'api-key-created': (params) => [text(params, 'name'), `${text(params, 'prefix')}…`, text(params, 'author')],
  'destination-added': (params) => [text(params, 'destination'), text(params, 'author')],
  'application-submitted': (params) => [text(params, 'organization'), text(params, 'message')],
  'application-question': (params) => [text(params, 'message')],
  'application-approved': (params) => [text(params, 'message')],
  'application-rejected': (params) => [text(params, 'message')],
  'daily-summary': (params) => [
    formatDay(text(params, 'date')),
    i18next.t('notifications.paid', { count: number(params, 'count') }),
    money(params),
  ],
  'dispute-opened': describeDispute,
  'dispute-reminder': describeDispute,
  'webhook-disabled': (params) => [text(params, 'url')],
  'withdrawal-paid': (params) => [money(params), text(params, 'destination')],
  'withdrawal-rejected': (params) => [money(params), text(params, 'destination'), reason(params)],
};

/** The title, the details and the screen of a notification. */
export function describeNotification({ kind, params }: Pick<Notification, 'kind' | 'params'>) {
  return {
    title: i18next.t(`notifications.kinds.${kind}`),
    detail: (DETAILS[kind]?.(params) ?? []).filter((part) => part !== '').join(' · '),
    to: kind === 'daily-summary' ? receivedOn(text(params, 'date')) : (SCREENS[kind] ?? '/settings'),
  };
}

/** The payments of a day, which add up to the amount of its summary. */
const receivedOn = (day: string): string => `/statement?cause=PAYMENT&startDate=${day}&endDate=${day}`;
