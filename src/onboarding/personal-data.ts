import type { SecretBox } from '#platform/crypto/secret-box.ts';
import { GATEWAY_ACTOR } from '#platform/http/audit-actor.ts';
import type { CustomerRecords } from '#privacy/personal-data.ts';
import { readDetails } from './changes.ts';
import { eraseApplication } from './retention.ts';
import { findApplicationsOf, findDocuments, findMessages, lockApplication } from './store.ts';

interface ApplicationRecordsDeps {
  /** Undefined for a command without the keys, which exports no encrypted details. */
  readonly secrets: SecretBox | undefined;
}

/**
 * The applications of a person. What a seller that was active has presented must be kept, so that it
 * is exported and not erased.
 */
export const createApplicationRecords = ({ secrets }: ApplicationRecordsDeps): CustomerRecords => ({
  find: async (db, query, limit) => {
    const applications = await findApplicationsOf(db, query, limit);
    return Promise.all(
      applications.map(async (application) => {
        const { encryptedDetails: _encryptedDetails, ...held } = application;
        return {
          ...held,
          id: held.sellerId,
          ...(secrets && { details: readDetails({ secrets }, application) }),
          documents: await findDocuments(db, held.sellerId),
          messages: await findMessages(db, held.sellerId),
        };
      }),
    );
  },
  erase: async (trx, { sellerId }, _actor, at) => {
    const application = await lockApplication(trx, sellerId);
    if (application === undefined || application.status === 'APPROVED') return false;
    return eraseApplication(trx, application, GATEWAY_ACTOR, at);
  },
});
