import { Type, type Static } from 'typebox';

const Text = Type.String({ maxLength: 500 });

/** A notification, as far as the gateway reads it. Unknown members are ignored. */
export const NotificationItemSchema = Type.Object({
  eventCode: Type.String({ minLength: 1, maxLength: 100 }),
  success: Type.Union([Type.Enum(['true', 'false']), Type.Boolean()]),
  pspReference: Type.String({ minLength: 1, maxLength: 80 }),
  originalReference: Type.Optional(Type.Union([Type.String({ maxLength: 80 }), Type.Null()])),
  // Absent in notifications that are not about a payment.
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

/** Our id of the payment or operation. */
export const referenceOf = ({ merchantReference }: NotificationItem): string => merchantReference ?? '';

export const isSuccess = ({ success }: NotificationItem): boolean => success === true || success === 'true';

/** A text that Adyen adds if the account is configured to. */
export function additionalText({ additionalData }: NotificationItem, name: string): string | undefined {
  const value = additionalData?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Time of the event, or the fallback if Adyen sends none or a malformed one. */
export function eventTime({ eventDate }: NotificationItem, fallback: Date): Date {
  const ms = Date.parse(eventDate ?? '');
  return Number.isNaN(ms) ? fallback : new Date(ms);
}
