import { bindDeps } from '#platform/kit/bind.ts';
import { isUuid } from '#platform/kit/ids.ts';
import { readWhole, type ApplicationsDeps, type WholeApplication } from './changes.ts';
import { addDocument, change, readDocument, removeDocument, submit } from './drafting.ts';
import { eraseDue } from './retention.ts';
import { approve, ask, list, reject } from './review.ts';
import { findApplication } from './store.ts';

export type ApplicationsService = ReturnType<typeof createApplicationsService>;

/** The applications of sellers: what the applicant adds, and what the operator decides. */
export const createApplicationsService = (deps: ApplicationsDeps) =>
  bindDeps(deps, {
    find,
    change,
    submit,
    addDocument,
    removeDocument,
    readDocument,
    list,
    ask,
    approve,
    reject,
    eraseDue,
  });

/** Undefined if the seller has no application. */
async function find(deps: ApplicationsDeps, sellerId: string): Promise<WholeApplication | undefined> {
  const application = isUuid(sellerId) ? await findApplication(deps.db, sellerId) : undefined;
  return application && readWhole(deps, deps.db, application);
}
