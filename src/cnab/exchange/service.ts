import type { Page } from '#platform/http/pagination.ts';
import { bindDeps } from '#platform/kit/bind.ts';
import { decideReturnLine } from './return-decision.ts';
import { findReturn, importReturn, listReturnLines, type ReturnImportDeps } from './return-import.ts';
import {
  createShipment,
  describeExchange,
  findShipmentFile,
  findUnwrittenFile,
  type ShipmentExportDeps,
} from './shipment-export.ts';
import type { Service } from './shipment.ts';
import { findLinesToReview, findReturnFiles } from './store-returns.ts';
import { findShipments, markShipmentWritten } from './store-shipments.ts';

export { countLinesToReview } from './store-returns.ts';

export type CnabService = ReturnType<typeof createCnabService>;

/** The exchange of CNAB 240 files with a bank: remittance files to it, return files from it. */
export const createCnabService = (deps: ShipmentExportDeps & ReturnImportDeps) =>
  bindDeps(deps, {
    describeExchange,
    createShipment,
    listShipments: ({ db }, service: Service | undefined, page: Page) => findShipments(db, service, page),
    findShipmentFile,
    findUnwrittenFile,
    markShipmentWritten: ({ db, clock }, id: string) => markShipmentWritten(db, id, clock.now()),
    importReturn,
    listReturns: ({ db }, page: Page) => findReturnFiles(db, page),
    findReturn,
    listReturnLines,
    listLinesToReview: ({ db }, page: { readonly take: number; readonly skip: number }) =>
      findLinesToReview(db, page),
    decideReturnLine,
  });
