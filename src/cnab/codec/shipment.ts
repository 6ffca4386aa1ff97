/** A file that was made for the bank, and what it may be made of. */

/** What one file carries. Banks take PIX in files of their own. */
export const SERVICES = ['BOLETOS', 'TRANSFERS', 'PIX'] as const;
export type Service = (typeof SERVICES)[number];

/** Whose numbers files share: the agreement for boletos has a sequence of its own. */
export type Sequence = 'BOLETOS' | 'PAYMENTS';

export interface Shipment {
  readonly id: string;
  readonly bankCode: string;
  readonly sequence: Sequence;
  /** In its sequence, from 1 without gaps. */
  readonly number: number;
  readonly service: Service;
  readonly registrations: number;
  readonly writeOffs: number;
  readonly payments: number;
  /** Of what is registered or paid, in cents. */
  readonly amount: number;
  readonly sha256: Buffer;
  /** The operator's user; null for a command of the machine. */
  readonly madeBy: string | null;
  readonly madeAt: Date;
}

export interface ShipmentFile extends Shipment {
  readonly encryptedFile: string;
}
