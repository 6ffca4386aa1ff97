import { bindDeps } from '#platform/kit/bind.ts';
import {
  findReturn,
  importReturn,
  listReturnLines,
  listReturns,
  type ReturnImportDeps,
} from './return-import.ts';
import {
  createShipment,
  describeExchange,
  findShipmentFile,
  listShipments,
  type ShipmentExportDeps,
} from './shipment-export.ts';

export type CnabService = ReturnType<typeof createCnabService>;

/** The exchange of CNAB 240 files with a bank: shipment files to it, return files from it. */
export function createCnabService(deps: ShipmentExportDeps & ReturnImportDeps) {
  return bindDeps(deps, {
    describeExchange,
    createShipment,
    listShipments,
    findShipmentFile,
    importReturn,
    listReturns,
    findReturn,
    listReturnLines,
  });
}
