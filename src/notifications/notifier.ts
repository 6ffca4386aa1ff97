import { mailContext } from '#platform/crypto/encrypted-columns.ts';
import type { SecretBox } from '#platform/crypto/secret-box.ts';
import type { DatabaseTransaction } from '#platform/database/connect.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { newId } from '#platform/kit/ids.ts';
import { PERMISSIONS, type Permission } from '#platform/kit/permissions.ts';
import { ALWAYS_MAILED, DEFAULT_CHOICES, type NotificationKind } from './kinds.ts';
import type { Locale, MailParams } from './templates/template.ts';
import { NO_SELLER, type NewMail } from './mail.ts';
import { insertMails, type InsertedMail } from './store.ts';
import { findRecipients, insertNotifications, type Recipient } from './store-notifications.ts';

interface NotifierDeps {
  readonly secrets: SecretBox;
  /** Whether mails are sent, or kept in the sandbox. */
  readonly canMail: boolean;
}

/** What a user is notified of: a member of `kind` and its parameters. */
type Notification = {
  [Kind in NotificationKind]: {
    readonly kind: Kind;
    readonly params: MailParams[Kind];
    readonly at: Date;
  };
}[NotificationKind];

/** A user who is notified of a change of their account. */
export interface NotifiedUser {
  readonly id: string;
  readonly sellerId: string | null;
  readonly email: string;
  readonly locale: string;
}

/** Writes mails and notifications, in the transaction of the change that they are about. */
export type Notifier = ReturnType<typeof createNotifier>;

export const createNotifier = (deps: NotifierDeps) => ({
  canMail: deps.canMail,
  ...bindDeps(deps, { writeMail, notifyUser, notifyUserAndManagers, notifySeller, notifyOperators }),
});

/** Writes a mail into the outbox. Does nothing where no mail can be sent. */
async function writeMail(deps: NotifierDeps, trx: DatabaseTransaction, mail: NewMail): Promise<void> {
  if (deps.canMail) await insertMails(trx, [toRow(deps, mail)]);
}

/** Notifies one user, in the dashboard and by mail. */
async function notifyUser(
  deps: NotifierDeps,
  trx: DatabaseTransaction,
  { id, sellerId, email, locale }: NotifiedUser,
  notification: Notification,
): Promise<void> {
  const recipients = [{ id, email, locale, mailed: [notification.kind] }];
  await notify(deps, trx, { sellerId, recipients }, notification);
}

/** Notifies one user and all others who can manage the users of the team. */
async function notifyUserAndManagers(
  deps: NotifierDeps,
  trx: DatabaseTransaction,
  user: NotifiedUser,
  notification: Notification,
): Promise<void> {
  const permission = user.sellerId === null ? 'operator:write' : 'users:write';
  const managers = await findRecipients(trx, user.sellerId, PERMISSIONS[permission]);
  const recipients = managers.filter(({ id }) => id !== user.id);
  await notifyUser(deps, trx, user, notification);
  await notify(deps, trx, { sellerId: user.sellerId, recipients }, notification);
}

/** Notifies the users of a seller who have a permission, by mail where they have chosen so. */
async function notifySeller(
  deps: NotifierDeps,
  trx: DatabaseTransaction,
  { sellerId, permission }: { readonly sellerId: string; readonly permission: Permission },
  notification: Notification,
): Promise<void> {
  const recipients = await findRecipients(trx, sellerId, PERMISSIONS[permission]);
  await notify(deps, trx, { sellerId, recipients }, notification);
}

/** Notifies the operator users who have a permission. */
async function notifyOperators(
  deps: NotifierDeps,
  trx: DatabaseTransaction,
  permission: Permission,
  notification: Notification,
): Promise<void> {
  const recipients = await findRecipients(trx, null, PERMISSIONS[permission]);
  await notify(deps, trx, { sellerId: null, recipients }, notification);
}

async function notify(
  deps: NotifierDeps,
  trx: DatabaseTransaction,
  { sellerId, recipients }: { readonly sellerId: string | null; readonly recipients: readonly Recipient[] },
  { kind, params, at }: Notification,
): Promise<void> {
  const rows = recipients.map(({ id: userId }) => ({
    user_id: userId,
    id: newId(at.getTime()),
    kind,
    params: JSON.stringify(params),
    created_at: at,
  }));
  await insertNotifications(trx, rows);
  if (!deps.canMail) return;
  const mails = recipients
    .filter(({ mailed }) => isMailed(kind, mailed))
    .map(({ email: to, locale }) =>
      toRow(deps, { template: kind, params, sellerId, to, locale: toLocale(locale), at }),
    );
  await insertMails(trx, mails);
}

function isMailed(kind: NotificationKind, chosen: readonly string[] | null): boolean {
  const mailed: readonly string[] = [...ALWAYS_MAILED, ...(chosen ?? DEFAULT_CHOICES)];
  return mailed.includes(kind);
}

export const toLocale = (text: string): Locale => (text === 'en' ? 'en' : 'pt-BR');

type MailRow = Omit<NewMail, 'template' | 'params'> & { readonly template: string; readonly params: object };

function toRow(
  { secrets }: NotifierDeps,
  { sellerId: seller, template, params, to, locale, at, token, recordId }: MailRow,
): InsertedMail {
  const sellerId = seller ?? NO_SELLER;
  const id = newId(at.getTime());
  return {
    sellerId,
    id,
    template,
    locale,
    recipient: to.toLowerCase(),
    at,
    params: JSON.stringify(params),
    encryptedToken: token === undefined ? null : secrets.encrypt(token.text, mailContext(sellerId, id)),
    recordId: recordId ?? null,
    expiresAt: token?.expiresAt ?? null,
  };
}
