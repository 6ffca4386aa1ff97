import { Type, type Static } from 'typebox';

const Text = Type.String({ maxLength: 500 });

/** A notification, as far as the gateway reads it. Unknown members are ignored. */
const NotificationItemSchema = Type.Object({
  eventCode: Type.String({ minLength: 1, maxLength: 100 }),
  success: Type.Union([Type.Enum(['true', 'false']), Type.Boolean()]),
  pspReference: Type.String({ minLength: 1, maxLength: 80 }),
  originalReference: Type.Optional(Type.Union([Type.String({ maxLength: 80 }), Type.Null()])),
  // Absent in notifications that are not about a payment.
  merchantReference: Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()])),
  merchantAccountCode: Type.String({ maxLength: 200 }),
  amount: Type.Object({ value: Type.Number(), currency: Type.String({ maxLength: 10 }) }),
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
export const eventTime = ({ eventDate }: NotificationItem, fallback: Date): Date =>
  parseTime(eventDate) ?? fallback;

const MIN_TIME_MS = Date.UTC(2000, 0);
const MAX_TIME_MS = Date.UTC(2100, 0);

/** Parses a time that the database can store; null if it is absent, malformed or absurd. */
export function parseTime(text: string | undefined): Date | null {
  const ms = Date.parse(text ?? '');
  return ms >= MIN_TIME_MS && ms < MAX_TIME_MS ? new Date(ms) : null;
}
