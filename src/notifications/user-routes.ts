import { Type, type Static } from 'typebox';

import { envelope, nullable, ok, pageEnvelope, recordId, timestamp } from '#platform/http/envelope.ts';
import { auditActorOf, callingUserId } from '#platform/http/guard.ts';
import { pageQuery, pageResponse, parsePage } from '#platform/http/pagination.ts';
import type { App } from '#platform/http/server.ts';
import { isRecord } from '#platform/kit/records.ts';
import type { NotificationsService } from './notifications-service.ts';
import { ALWAYS_MAILED, CHOSEN_KINDS, NOTIFICATION_KINDS, type ChosenKind } from './kinds.ts';
import type { StoredNotification } from './store-notifications.ts';

interface NotificationRouteDeps {
  readonly notifications: NotificationsService;
}

const tags = ['Account'];
/** Notifications belong to the user, whatever the seller's status. */
const config = { access: 'account:own', anySellerStatus: true, peopleOnly: true } as const;

const DESCRIPTIONS: Readonly<Record<ChosenKind, string>> = {
  'daily-summary': 'A summary of the transactions that were paid on the previous day.',
  'dispute-opened': 'A new dispute, with the days left to appeal.',
  'dispute-reminder': 'Reminders 48, 24 and 6 hours before an appeal deadline.',
  'webhook-disabled': 'A webhook that was disabled because its deliveries failed.',
  'withdrawal-paid': 'A withdrawal that was paid.',
  'withdrawal-rejected': 'A withdrawal that was rejected or failed.',
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- has each kind
const mail = Object.fromEntries(
  CHOSEN_KINDS.map((kind) => [kind, Type.Boolean({ description: DESCRIPTIONS[kind] })]),
) as Record<ChosenKind, ReturnType<typeof Type.Boolean>>;

const EMAILED = "Whether each kind is emailed. Only sellers' users receive these kinds.";

const ChoicesSchema = Type.Object(
  {
    mail: Type.Object(mail, { description: EMAILED }),
    alwaysMailed: Type.Array(Type.Enum([...ALWAYS_MAILED]), {
      description:
        'Kinds that concern the security of the account, or an application of a seller. They are always ' +
        'emailed.',
    }),
  },
  { title: 'NotificationChoices', description: 'The notifications that the user receives by email.' },
);

const NotificationSchema = Type.Object(
  {
    id: recordId('The id of the notification.'),
    kind: Type.Enum([...NOTIFICATION_KINDS], { description: 'What it is about.' }),
    params: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Values of its text, such as `amount` in cents, `destination`, `browser` or `reason`, by kind.',
    }),
    readAt: nullable(timestamp('When it was read; null if it is unread.')),
    createdAt: timestamp('When it was written.'),
  },
  { title: 'Notification', description: 'A notification of a user.' },
);

const { status: success, ...feedMembers } = pageEnvelope(NotificationSchema).properties;
const FeedSchema = Type.Object(
  {
    status: success,
    unread: Type.Integer({ description: 'Unread notifications, up to 100.' }),
    ...feedMembers,
  },
  { title: 'NotificationFeed', description: 'A page of notifications, newest first.' },
);
const UnreadSchema = Type.Object(
  { unread: Type.Integer({ description: 'Unread notifications that are left, up to 100.' }) },
  { title: 'UnreadNotifications', description: 'How many notifications are unread.' },
);

const chosen = {
  mail: {
    'daily-summary': false,
    'dispute-opened': true,
    'dispute-reminder': true,
    'webhook-disabled': true,
    'withdrawal-paid': false,
    'withdrawal-rejected': true,
  },
  alwaysMailed: [...ALWAYS_MAILED],
};
const notification: Static<typeof NotificationSchema> = {
  id: '01a1fb80-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  kind: 'withdrawal-paid',
  params: { amount: 150_000, destination: 'j***@example.com' },
  readAt: null,
  createdAt: '2026-11-20T12:00:00.000Z',
};

/** What the signed-in user is notified of: choices, and the bell of the dashboard. */
export function notificationRoutes(app: App, deps: NotificationRouteDeps): void {
  registerChoices(app, deps);
  registerChoose(app, deps);
  registerFeed(app, deps);
  registerRead(app, deps);
}

function registerChoices(app: App, { notifications }: NotificationRouteDeps): void {
  app.get(
    '/users/me/notifications',
    {
      config,
      schema: {
        operationId: 'getNotificationChoices',
        summary: 'Retrieve your notification settings',
        description:
          'Returns which notifications you receive by email. The dashboard shows all notifications, ' +
          'emailed or not.',
        tags,
        examples: { response: { 'The defaults': ok(chosen) } },
        response: { 200: envelope(ChoicesSchema) },
      },
    },
    async (request) => ok(view(await notifications.choices(callingUserId(request)))),
  );
}

function registerChoose(app: App, { notifications }: NotificationRouteDeps): void {
  app.patch(
    '/users/me/notifications',
    {
      config,
      schema: {
        operationId: 'updateNotificationChoices',
        summary: 'Update your notification settings',
        description:
          'Changes which notifications you receive by email; omitted kinds stay unchanged. ' +
          'Kinds in `alwaysMailed` cannot be turned off. Returns all settings.',
        tags,
        examples: {
          body: { 'A daily summary': { mail: { 'daily-summary': true } } },
          response: {
            'All choices': ok({ ...chosen, mail: { ...chosen.mail, 'daily-summary': true } }),
          },
        },
        body: Type.Object({
          mail: Type.Partial(Type.Object(mail), { description: EMAILED }),
        }),
        response: { 200: envelope(ChoicesSchema) },
      },
    },
    async (request) => {
      const { principal } = request;
      const sellerId = principal?.kind === 'seller' ? principal.seller.id : null;
      const user = { userId: callingUserId(request), sellerId };
      return ok(view(await notifications.choose(user, request.body.mail, auditActorOf(request))));
    },
  );
}

function registerFeed(app: App, { notifications }: NotificationRouteDeps): void {
  app.get(
    '/users/me/notification-feed',
    {
      config,
      schema: {
        operationId: 'listNotifications',
        summary: 'List your notifications',
        description:
          'Returns one page of the notifications of the last 90 days, newest first, and how many are unread.',
        tags,
        examples: {
          response: {
            'An unread notification': {
              status: true,
              unread: 1,
              data: [notification],
              count: 1,
              nextCursor: null,
            },
          },
        },
        querystring: Type.Object(pageQuery),
        response: { 200: FeedSchema },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      const { items, count } = await notifications.feed(userId, parsePage(request.query));
      const unread = await notifications.unread(userId);
      return { unread, ...pageResponse(items, count, request.query.take, viewNotification) };
    },
  );
}

function registerRead(app: App, { notifications }: NotificationRouteDeps): void {
  app.post(
    '/users/me/notification-feed/read',
    {
      config,
      schema: {
        operationId: 'readNotifications',
        summary: 'Mark notifications as read',
        description: 'Marks a notification and all older ones as read. Returns how many are still unread.',
        tags,
        examples: {
          body: { 'The newest one': { upTo: notification.id } },
          response: { None: ok({ unread: 0 }) },
        },
        body: Type.Object({ upTo: recordId('The id of the newest notification that was read.') }),
        response: { 200: envelope(UnreadSchema) },
      },
    },
    async (request) => ok({ unread: await notifications.read(callingUserId(request), request.body.upTo) }),
  );
}

const view = (choices: Readonly<Record<ChosenKind, boolean>>) => ({
  mail: { ...choices },
  alwaysMailed: [...ALWAYS_MAILED],
});

function viewNotification(row: StoredNotification): Static<typeof NotificationSchema> {
  const kind = NOTIFICATION_KINDS.find((known) => known === row.kind);
  if (kind === undefined) throw new Error(`the notification has the unknown kind ${row.kind}`);
  return {
    id: row.id,
    kind,
    params: isRecord(row.params) ? row.params : {},
    readAt: row.read_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}
