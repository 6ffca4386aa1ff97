/** What one file carries. Banks require separate files for Pix. */
export const SERVICES = ['BOLETOS', 'TRANSFERS', 'PIX'] as const;
export type Service = (typeof SERVICES)[number];

/** Sequence of file numbers. Boletos and payments are numbered separately. */
export type Sequence = 'BOLETOS' | 'PAYMENTS';

export const sequenceOf = (service: Service): Sequence => (service === 'BOLETOS' ? 'BOLETOS' : 'PAYMENTS');

/** A remittance file, without its content. */
export interface Shipment {
  readonly id: string;
  readonly bankCode: string;
  readonly sequence: Sequence;
  /** Number in the sequence, from 1 without gaps. */
  readonly number: number;
  readonly service: Service;
  readonly registrations: number;
  readonly writeOffs: number;
  readonly payments: number;
  /** Total of the registered boletos or the payments, in cents. */
  readonly amount: number;
  readonly sha256: Buffer;
  /** The operator's user; null for the command line. */
  readonly madeBy: string | null;
  readonly madeAt: Date;
}

export interface EncryptedShipment extends Shipment {
  readonly encryptedFile: string;
}
