import { Type, type Static } from 'typebox';

const Text = Type.String({ maxLength: 500 });

/** One notification, as far as it is read. Adyen adds members, which are let pass. */
export const NotificationItemSchema = Type.Object({
  eventCode: Type.String({ minLength: 1, maxLength: 100 }),
  success: Type.Union([Type.Enum(['true', 'false']), Type.Boolean()]),
  pspReference: Type.String({ minLength: 1, maxLength: 80 }),
  originalReference: Type.Optional(Type.Union([Type.String({ maxLength: 80 }), Type.Null()])),
  // What is about no payment names none.
  merchantReference: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
  merchantAccountCode: Type.String({ maxLength: 200 }),
  amount: Type.Object({ value: Type.Integer(), currency: Type.String({ maxLength: 10 }) }),
  eventDate: Type.Optional(Text),
  reason: Type.Optional(Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()])),
  additionalData: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const NotificationBodySchema = Type.Object({
  notificationItems: Type.Array(Type.Object({ NotificationRequestItem: NotificationItemSchema }), {
    maxItems: 100,
  }),
});

export type NotificationItem = Static<typeof NotificationItemSchema>;

/** Our id of what it is about. */
export const referenceOf = ({ merchantReference }: NotificationItem): string => merchantReference ?? '';

export const isSuccess = ({ success }: NotificationItem): boolean => success === true || success === 'true';

/** A text that Adyen adds where the account is set up so. */
export function additionalText({ additionalData }: NotificationItem, name: string): string | undefined {
  const value = additionalData?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** When it happened, where Adyen says so in a form that can be read. */
export function eventTime({ eventDate }: NotificationItem, fallback: Date): Date {
  const ms = Date.parse(eventDate ?? '');
  return Number.isNaN(ms) ? fallback : new Date(ms);
}
