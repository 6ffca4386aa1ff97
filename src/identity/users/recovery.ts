import { recordAudit } from '#audit/service.ts';
import type { Db } from '#platform/database/connect.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import { newId } from '#platform/kit/ids.ts';
import { hashPassword } from './passwords.ts';
import { endSecondFactors } from './two-factor.ts';
import { deletePasswordResets } from './store-links.ts';
import { revokeAllTokens } from './store-sessions.ts';
import { findUserByEmail, insertUser, lockUser, recoverUser } from './store.ts';

/**
 * Makes the user with this email an ADMIN of the operator with a new password and without sessions
 * and second factor. Creates it if it does not exist. For the person who controls the server, when
 * no second ADMIN is left.
 *
 * @throws Error if the email belongs to a user of a seller.
 */
export async function recoverAdmin(
  db: Db,
  { email, password }: { readonly email: string; readonly password: string },
  at: Date,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  await db.transaction().execute(async (trx) => {
    const found = await findUserByEmail(trx, email.toLowerCase());
    const user = found === undefined ? undefined : await lockUser(trx, found.id);
    if (user !== undefined && user.seller_id !== null)
      throw new Error('the email address belongs to a seller user');
    const id = user?.id ?? newId(at.getTime());
    if (user === undefined) {
      await insertUser(trx, {
        id,
        seller_id: null,
        name: 'Admin',
        email: email.toLowerCase(),
        role: 'ADMIN',
        password_hash: passwordHash,
        token_generation: 0,
        created_by: null,
        demo: false,
        locale: 'pt-BR',
        second_factor_reset_due_at: null,
        created_at: at,
        updated_at: at,
      });
    } else {
      await recoverUser(trx, id, passwordHash, at);
      await endSecondFactors(trx, id);
      await deletePasswordResets(trx, id);
      await revokeAllTokens(trx, id, at);
    }
    await recordAudit(trx, GATEWAY_ACTOR, {
      action: 'admin.recovered',
      recordType: 'user',
      recordId: id,
      sellerId: null,
      at,
      before: null,
      after: {
        email: email.toLowerCase(),
        created: user === undefined,
      },
    });
  });
}
